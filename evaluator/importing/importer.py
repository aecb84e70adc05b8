"""The interface of importers, and the rules for all: a foreign format -> a benchmark.

An importer is one object: options, and a function that reads a source into a folder. It is named
in a `Plugin`, and `pullbench import NAME` offers its options. What is read is checked as every
bundle is; what cannot become a valid benchmark is refused, and nothing is written.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from evaluator.core.errors import Problem, UsageError, errors_in
from evaluator.core.formats.bundle import Benchmark, parse_bundle
from evaluator.core.formats.paths import path_fault, shown
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.submission import FILE_NAME
from evaluator.importing.files import check_name
from evaluator.importing.folder import SourceFolder
from evaluator.importing.notes import COMPETITION, Notes
from evaluator.importing.placing import BundleData, DataPlace, install, workplace
from evaluator.importing.written_keys import never_ranked

Option = Callable[[Callable[..., Any]], Callable[..., Any]]
"""``click.argument`` or ``click.option``, called."""


@dataclass(frozen=True, kw_only=True)
class ImportRequest:
    """The options that all importers have."""

    root: Path
    """The repository."""
    name: str | None = None
    """Of the benchmark; the importer finds one by default."""
    force: bool = False
    """Whether a benchmark of that name is replaced."""
    data: DataPlace
    tell: Callable[[str], None]
    """Shows a line while it runs."""

    def target(self, name: str) -> Path:
        """The benchmark's directory. Raises UsageError where another benchmark has it."""
        target = self.root / "benchmarks" / name
        if not self.force and (target.exists() or target.is_symlink()):
            raise UsageError(
                f"benchmarks/{name} is there already",
                hint="Choose another name with --name, or replace it with --force.",
            )
        return target


class Trial(Protocol):
    """Samples of a bundle, to be evaluated once it is in its place."""

    def keep(self, root: Path, name: str) -> None:
        """Move the samples out of the folder of the import, which is removed."""

    def run(self, start: Path, name: str) -> None:
        """Evaluate the samples, and print what comes of each."""


@dataclass(frozen=True, kw_only=True)
class ReadBundle:
    """The bundle that an importer has written."""

    name: str
    """Of the benchmark; empty where the source gives none."""
    data: BundleData | None = None
    """Where its data go; None leaves them in the bundle."""
    note: str = ""
    """On competition.yaml, where the bundle is valid."""
    trial: "Trial | None" = None
    """Where somebody asked for one."""


@dataclass(frozen=True, kw_only=True)
class Importer:
    """Reads one format."""

    options: Sequence[Option]
    """Further options than ``--name`` and ``--force``; their values are arguments of ``read``."""
    read: Callable[..., ReadBundle | None]
    """``read(folder, request, **options)`` writes a bundle into the folder, which is empty.

    What it changes, loses or refuses it says through ``folder.notes``; None where it refuses
    before there is a bundle. Its docstring is the command's help.
    """


@dataclass(frozen=True, kw_only=True)
class TableReports:
    """Submissions of kind ``reported``, as files to write."""

    files: Mapping[str, bytes]
    """Path from the repository's root -> content."""
    problems: tuple[Problem, ...]
    """Warnings: what was left out or replaced."""
    rows: int

    @property
    def submissions(self) -> int:
        return sum(path.endswith(FILE_NAME) for path in self.files)


class FoundResults(Protocol):
    """Results from elsewhere that were read."""

    def report(
        self, benchmark: Benchmark, phase: Phase, participant: str, url: str
    ) -> TableReports: ...


@dataclass(frozen=True, kw_only=True)
class ResultsImporter:
    """Reads one format; each framework in it becomes a submission of kind ``reported``."""

    participant: str
    """Whose the submissions are by default."""
    options: Sequence[Option]
    """Of the command, besides those of all; their values are arguments of ``read``."""
    read: Callable[..., FoundResults]
    """``read(**options)``; its docstring is the command's help."""

    def report(
        self, benchmark: Benchmark, phase: str | None, participant: str, url: str,
        options: Mapping[str, Any],
    ) -> TableReports:  # fmt: skip
        """Raise UsageError for what a benchmark does not take."""
        results = self.read(**options)
        check_name(participant)
        if not benchmark.reported:
            raise UsageError(
                f"{benchmark.name} takes no results from elsewhere",
                hint="An organiser may set 'reported: true' under 'pullbench' in competition.yaml.",
            )
        chosen = benchmark.phase(phase) if phase else benchmark.phases[0]
        if chosen is None:
            raise UsageError(f"there is no phase '{phase}'")
        return results.report(benchmark, chosen, participant, url)


@dataclass(frozen=True, kw_only=True)
class Imported:
    """The result of an import."""

    name: str
    """Of the benchmark; empty where it was refused before it had one."""
    files: frozenset[str]
    """Paths in the benchmark's directory; empty where it was refused."""
    problems: tuple[Problem, ...]
    """Changed, lost or refused; then what ``validate`` says of the result."""
    trial: "Trial | None" = None
    ships_solutions: bool = False
    """Whether solutions with files are in the bundle, which nobody has entered."""

    @property
    def refused(self) -> bool:
        return not self.files


def import_benchmark(
    importer: Importer, request: ImportRequest, options: Mapping[str, Any]
) -> Imported:
    """Bring a benchmark into a repository. Raises UsageError, InvalidInputError, PlatformError."""
    notes = Notes()
    if request.name is not None:
        request.target(request.name)
    with workplace(request.root) as work:
        folder = SourceFolder(work / "bundle", notes)
        folder.root.mkdir()
        bundle = importer.read(folder, request, **options)
        if bundle is None:
            return _refused("", notes)
        if not bundle.name:
            raise UsageError("the title gives no name", hint="Choose one with --name.")
        target = request.target(bundle.name)
        ships_solutions = _check(folder, bundle)
        if notes.refused:
            return _refused(bundle.name, notes)
        install(folder.root, target, work, bundle.data, request.data)
        if bundle.trial is not None:
            bundle.trial.keep(request.root, bundle.name)
    if bundle.data is not None:
        request.tell(bundle.data.where)
    files = SourceFolder(target, notes).files
    return Imported(
        name=bundle.name,
        files=files,
        problems=tuple(notes.problems),
        trial=bundle.trial,
        ships_solutions=ships_solutions,
    )


def _refused(name: str, notes: Notes) -> Imported:
    return Imported(name=name, files=frozenset(), problems=tuple(notes.problems))


def _check(folder: SourceFolder, bundle: ReadBundle) -> bool:
    """Note what is wrong with a bundle, all of it; return whether it ships solutions."""
    notes = folder.notes
    for path in sorted(folder.files):
        fault = path_fault(f"benchmarks/{bundle.name}/{path}")
        if fault:
            notes.refuse(shown(path), fault, "Give it a shorter or plainer name.")
    if notes.refused:
        return False
    benchmark, problems = parse_bundle(bundle.name, folder.read(COMPETITION), folder.files)
    if errors_in(problems):
        notes.add_for_source(problems)
        return False
    if bundle.note:
        notes.note(COMPETITION, bundle.note)
    notes.problems += problems
    if benchmark is None:
        return False
    contents = {f"{benchmark.path}/{path}": path for path in folder.below("")}
    notes.add_for_source(
        never_ranked(
            benchmark, contents, lambda paths: {path: folder.read(contents[path]) for path in paths}
        )
    )
    return any(solution.path for solution in benchmark.solutions)
