"""Submissions of a tree, read from their files by all cores, or kept by an earlier build."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.errors import Actor, Problem
from evaluator.formats.bundle import FILE_NAME as BUNDLE_FILE
from evaluator.formats.bundle import Benchmark
from evaluator.formats.submission import FILE_NAME, Submission, parse_submission
from evaluator.planning.kept import Kept
from evaluator.planning.names import name_problem
from evaluator.planning.tree import Tree

FEW = 1000
"""Submissions that one process reads sooner than two."""

PART = 2000
"""Submissions that are kept together."""

Location = tuple[str, str, str]
"""Benchmark, participant and name."""


@dataclass(frozen=True, kw_only=True)
class _Found:
    """What one submission.yaml says."""

    submission: Submission | None
    problems: list[Problem]


class SubmissionReader:
    """Reads the submissions of a tree."""

    def __init__(
        self, tree: Tree, bundles: Mapping[str, Sequence[str]],
        benchmarks: Mapping[str, Benchmark], folder: Path | None,
    ) -> None:  # fmt: skip
        """Take the names of bundles' files, benchmarks, and where an earlier reading left some."""
        self._tree = tree
        self._bundles = bundles
        self._benchmarks = benchmarks
        self._folder = folder

    def read(
        self, locations: Mapping[Location, Sequence[str]]
    ) -> tuple[list[Submission], list[Problem]]:
        """Return the submissions that can be used, by path, and what is wrong with them.

        ``locations`` have the names of each one's files but its scores.
        """
        usable: list[Location] = []
        faults: dict[Location, list[Problem]] = {}
        for location in sorted(locations):
            found = list(self._unusable(location))
            if found:
                faults[location] = found
            else:
                usable.append(location)
        read = dict(zip(usable, self._read(usable, locations), strict=True))
        problems = [
            problem
            for location in sorted(locations)
            for problem in (faults.get(location) or read[location].problems)
        ]
        return [one.submission for one in read.values() if one.submission is not None], problems

    def _unusable(self, location: Location) -> Iterator[Problem]:
        path = _path(location)
        bad = [
            fault
            for name in location[1:]
            if (fault := name_problem(name, path, Actor.PARTICIPANT)) is not None
        ]
        file = f"{path}/{FILE_NAME}"
        entry = self._tree.entries.get(file)
        if bad:
            yield from bad
        elif entry is None or not (entry.is_regular or file in self._tree.dirty):
            yield _missing_submission_file(file)
        elif location[0] not in self._benchmarks:
            yield _unknown_benchmark(file, location[0], self._benchmarks)

    def _read(
        self, usable: Sequence[Location], locations: Mapping[Location, Sequence[str]]
    ) -> list[_Found]:
        entries = self._tree.entries

        def make(places: Sequence[int]) -> list[_Found]:
            chosen = [usable[place] for place in places]
            files = [f"{_path(location)}/{FILE_NAME}" for location in chosen]
            return [
                self._parsed(location, content, locations[location])
                for location, content in zip(chosen, self._tree.stream(files), strict=True)
            ]

        def told(location: Location) -> str:
            path = _path(location)
            files = sorted({*locations[location], FILE_NAME})
            modes = (f"{name}\0{entries[f'{path}/{name}'].mode}" for name in files)
            return "\0".join((path, entries[f"{path}/{FILE_NAME}"].blob, *modes))

        kept = Kept[_Found](
            folder=self._folder,
            make=make,
            kind=_Found,
            few=FEW,
            part=PART,
            common=self._of_bundles(),
        )
        owners = [f"{benchmark}/{participant}" for benchmark, participant, _ in usable]
        contents = [told(location) for location in usable] if self._folder else [""] * len(usable)
        return kept.read(owners, contents)

    def _parsed(self, location: Location, content: bytes, files: Sequence[str]) -> _Found:
        path = _path(location)
        submission, problems = parse_submission(
            location,
            content,
            files,
            self._benchmarks[location[0]],
            executables=[
                name for name in files if self._tree.entries[f"{path}/{name}"].mode == "100755"
            ],
        )
        return _Found(submission=submission, problems=problems)

    def _of_bundles(self) -> str:
        """Tell all that benchmarks were read from: their files, and the names of others."""
        return "\0".join(
            f"{name} {self._tree.entries[f'benchmarks/{name}/{BUNDLE_FILE}'].blob} {sorted(files)}"
            for name, files in sorted(self._bundles.items())
            if name in self._benchmarks
        )


def _path(location: Location) -> str:
    return "/".join(("submissions", *location))


def _missing_submission_file(file: str) -> Problem:
    return Problem(
        file=file,
        message="is missing",
        hint="Submissions stand at submissions/<benchmark>/<participant>/<name>/.",
        actor=Actor.PARTICIPANT,
    )


def _unknown_benchmark(file: str, name: str, known: Iterable[str]) -> Problem:
    return Problem(
        file=file,
        message=f"is for the benchmark '{name}', which is not there or cannot be read",
        hint=f"Benchmarks are: {', '.join(sorted(known)) or 'none'}.",
        actor=Actor.PARTICIPANT,
    )
