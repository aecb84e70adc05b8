"""Everything at one commit: benchmarks, submissions, records, and what is wrong with them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from evaluator.core.errors import (
    Actor,
    InvalidInputError,
    Problem,
    UsageError,
    nearest,
    printable,
    some_of,
)
from evaluator.core.formats.approvals import FILE_NAME as APPROVALS_FILE
from evaluator.core.formats.approvals import ApprovalDecision, read_approvals
from evaluator.core.formats.bundle import FILE_NAME as BUNDLE_FILE
from evaluator.core.formats.bundle import Benchmark, parse_bundle
from evaluator.core.formats.cache import Cache
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.names import name_problem
from evaluator.core.formats.record import Record
from evaluator.core.formats.settings import Settings, parse_settings
from evaluator.core.formats.submission import Submission
from evaluator.core.git.listing import SubmissionFiles
from evaluator.core.git.tree import Tree, open_repository, read_tree
from evaluator.core.planning.records import RecordFiles
from evaluator.core.planning.submissions import Location, SubmissionReader, mark_solutions
from evaluator.core.plugins import Contract

DatasetState = Literal["accepted", "refused", "unchecked", "retired"]


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """A data set that a participant submitted, and its state."""

    submission: Submission
    state: DatasetState
    reason: str = ""
    """Why it is refused or retired."""
    successor: str = ""

    @property
    def counts(self) -> bool:
        return self.state == "accepted"


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """What a commit, or the working tree, says."""

    tree: Tree
    settings: Settings
    benchmarks: Mapping[str, Benchmark]
    submissions: Sequence[Submission]
    """Those that can be evaluated, by path."""
    record_files: RecordFiles
    problems: Sequence[Problem]
    datasets: Mapping[str, Dataset]
    """State of each data set, by submission id. Those that became tasks are among the tasks of
    ``benchmarks``."""

    def with_records(
        self, records: Mapping[CellId, Record], files: Mapping[str, bytes] = MappingProxyType({})
    ) -> "Snapshot":
        """The snapshot with further records; what they accept is accepted.

        ``files`` are their attachments, by path.
        """
        return _grown(replace(self, record_files=self.record_files.with_contents(records, files)))

    @cached_property
    def by_id(self) -> Mapping[str, Submission]:
        return {item.id: item for item in self.submissions}

    @cached_property
    def recorded_cells(self) -> Mapping[str, Sequence[CellId]]:
        recorded: dict[str, list[CellId]] = defaultdict(list)
        for cell in self.record_files:
            recorded[cell.submission_id].append(cell)
        return recorded

    @cached_property
    def sources(self) -> Mapping[str, Mapping[str, str]]:
        """Digest of all files of each submission, records among them: benchmark -> id -> digest."""
        sources: dict[str, dict[str, str]] = {name: {} for name in self.benchmarks}
        for path, folder in self.tree.entries.folders.items():
            _, benchmark, participant, name = path.split("/")
            sources.setdefault(benchmark, {})[f"{benchmark}/{participant}/{name}"] = folder.digest()
        return sources

    def benchmark(self, name: str) -> Benchmark:
        """A benchmark. Raises InvalidInputError for one with mistakes, UsageError."""
        if name in self.benchmarks:
            return self.benchmarks[name]
        names = {path.split("/")[1] for path in self.tree.under("benchmarks")}
        if name in names:
            raise InvalidInputError(
                one for one in self.problems if f"{one.file}/".startswith(f"benchmarks/{name}/")
            )
        hint = nearest(name, names, f"There are: {some_of(sorted(names))}." if names else "")
        if self.tree.changed(f"benchmarks/{name}"):
            hint = (
                "The commit has it, and the working tree does not: `git checkout` of its folder "
                "brings it. A partial clone needs the remote that it was cloned from for that."
            )
        raise UsageError(f"there is no benchmark '{printable(name)}'", hint=hint)


def load_snapshot(start: Path, revision: str | None = None, *, only: str | None = None) -> Snapshot:
    """Read the working tree that holds a folder, or a commit. Raises UsageError."""
    return read_snapshot(read_tree(open_repository(start), revision), only=only)


def read_settings(tree: Tree) -> Settings:
    return parse_settings(tree.read(["pyproject.toml"]).get("pyproject.toml"))


def read_snapshot(
    tree: Tree,
    *,
    only: str | None = None,
    participants: Collection[str] | None = None,
    cache: Cache | None = None,
) -> Snapshot:
    """Read everything, or one benchmark and what belongs to it.

    ``participants`` are ``benchmark/participant``: where given, nobody else's submissions are
    read, so that judging one of 10,000 costs what it is worth. Data sets that became tasks are
    read all the same, for they are part of their benchmarks. ``cache`` holds what an
    earlier call read.
    """
    bundles = _bundles(tree, only)
    contents = tree.read(
        ["pyproject.toml", *(f"benchmarks/{name}/{BUNDLE_FILE}" for name in bundles)]
    )
    problems: list[Problem] = [*tree.archive_problems]
    benchmarks = _benchmarks(bundles, contents, problems)
    growing = {
        name for name, item in benchmarks.items()
        if item.datasets is not None and item.datasets.become == "tasks"
    }  # fmt: skip

    def is_near(benchmark: str, participant: str) -> bool:
        return participants is None or f"{benchmark}/{participant}" in participants

    locations = {
        location: folder
        for location, folder in _locate(tree, only)
        if location[0] in growing or is_near(*location[:2])
    }

    def record_paths() -> Iterator[str]:
        # Of others data sets alone: what is accepted is part of its benchmark.
        datasets = {(item.benchmark, item.participant, item.name) for item in submissions}
        for location, folder in locations.items():
            if is_near(*location[:2]) or location in datasets:
                yield from folder.records

    reader = SubmissionReader(tree, bundles, benchmarks, cache)
    read_submissions, submission_problems = reader.read(locations)
    submissions = [
        item for item in read_submissions
        if item.kind.brings_data or is_near(item.benchmark, item.participant)
    ]  # fmt: skip
    submissions = mark_solutions(tree, benchmarks, submissions)
    problems += [item for item in submission_problems if is_near(*item.file.split("/", 3)[1:3])]
    snapshot = Snapshot(
        tree=tree, settings=parse_settings(contents.get("pyproject.toml")), benchmarks=benchmarks,
        submissions=submissions, record_files=RecordFiles(tree, record_paths), problems=problems,
        datasets={},
    )  # fmt: skip
    return _grown(snapshot)


def read_decisions(
    snapshot: Snapshot, benchmark: Benchmark
) -> tuple[tuple[ApprovalDecision, ...], list[Problem]]:
    file = f"{benchmark.path}/{APPROVALS_FILE}"
    content = snapshot.tree.read([file]).get(file)
    return ((), []) if content is None else read_approvals(content, file)


def _bundles(tree: Tree, only: str | None) -> dict[str, list[str]]:
    paths: dict[str, list[str]] = defaultdict(list)
    for path in tree.entries.outside:
        parts = path.split("/", 2)
        if parts[0] == "benchmarks" and len(parts) > 2 and only in (None, parts[1]):
            paths[parts[1]].append(parts[2])
    return paths


GROWTH = Contract[Callable[[Snapshot], Snapshot]]("growth")
"""Each adds what submissions give to benchmarks."""


def _grown(snapshot: Snapshot) -> Snapshot:
    if snapshot.datasets or any(item.kind.brings_data for item in snapshot.submissions):
        for grow in GROWTH.values():
            snapshot = grow(snapshot)
    return snapshot


def _locate(tree: Tree, only: str | None) -> Iterator[tuple[Location, SubmissionFiles]]:
    for path, folder in tree.entries.folders.items():
        _, benchmark, participant, name = path.split("/")
        if only in (None, benchmark):
            yield (benchmark, participant, name), folder


def _benchmarks(
    bundles: Mapping[str, list[str]], contents: Mapping[str, bytes], problems: list[Problem]
) -> dict[str, Benchmark]:
    benchmarks: dict[str, Benchmark] = {}
    for name in sorted(bundles):
        file = f"benchmarks/{name}/{BUNDLE_FILE}"
        bad_name = name_problem(name, f"benchmarks/{name}", Actor.ORGANISER)
        if bad_name:
            problems.append(bad_name)
            continue
        if file not in contents:
            hint = "A directory below benchmarks/ is a bundle and needs one."
            missing = Problem(file=file, message="is missing", hint=hint, actor=Actor.ORGANISER)
            problems.append(missing)
            continue
        benchmark, bundle_problems = parse_bundle(name, contents[file], frozenset(bundles[name]))
        problems += bundle_problems
        if benchmark is not None:
            benchmarks[name] = benchmark
    return benchmarks
