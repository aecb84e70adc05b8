"""Submissions of a tree, read from their files by all cores, or from an earlier build's cache."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.errors import Actor, Problem
from evaluator.formats.bundle import FILE_NAME as BUNDLE_FILE
from evaluator.formats.bundle import Benchmark
from evaluator.formats.names import name_problem
from evaluator.formats.submission import FILE_NAME, Submission, parse_submission
from evaluator.git.cache import Kept
from evaluator.git.listing import Folder
from evaluator.git.tree import Tree

FEW = 1000
"""Submissions that one process reads sooner than two."""

PART = 2000
"""Submissions in one file of the cache."""
_DAMAGED = b"\0damaged"
"""Stands for what git cannot read; no file says so."""

Location = tuple[str, str, str]
"""Benchmark, participant and name."""


@dataclass(frozen=True, kw_only=True)
class _Reading:
    """What one submission.yaml says."""

    submission: Submission | None
    problems: list[Problem]


class SubmissionReader:
    """Reads the submissions of a tree."""

    def __init__(
        self, tree: Tree, bundles: Mapping[str, Sequence[str]],
        benchmarks: Mapping[str, Benchmark], folder: Path | None,
    ) -> None:  # fmt: skip
        """``folder`` is the cache of earlier readings."""
        self._tree = tree
        self._bundles = bundles
        self._benchmarks = benchmarks
        self._folder = folder

    def read(self, locations: Mapping[Location, Folder]) -> tuple[list[Submission], list[Problem]]:
        """Return the submissions that can be used, by path, and what is wrong with them."""
        ordered = sorted(locations)

        def make(places: Sequence[int]) -> list[_Reading]:
            return self._read_anew({ordered[place]: locations[ordered[place]] for place in places})

        def fingerprint(location: Location) -> str:
            # What git would not read is read while it is not committed.
            is_new = _file(location) in self._tree.dirty
            return f"{is_new} {locations[location].submitted_digest()}"

        readings = Kept[_Reading](
            folder=self._folder,
            make=make,
            kind=_Reading,
            few=FEW,
            part=PART,
            common=self._of_bundles(),
        ).read(
            [f"{benchmark}/{participant}" for benchmark, participant, _ in ordered],
            [fingerprint(location) if self._folder else "" for location in ordered],
        )
        return (
            [reading.submission for reading in readings if reading.submission is not None],
            [problem for reading in readings for problem in reading.problems],
        )

    def _read_anew(self, locations: Mapping[Location, Folder]) -> list[_Reading]:
        faults = {
            location: self._faults(location, folder) for location, folder in locations.items()
        }
        usable = [location for location, problems in faults.items() if problems is None]
        # A cached reading is keyed by git's id, so that it would outlive the damage.
        broken = None if self._folder else _DAMAGED
        contents = self._tree.stream([_file(location) for location in usable], broken)
        parsed = {
            location: self._parsed(location, content, locations[location])
            for location, content in zip(usable, contents, strict=True)
        }
        return [
            parsed[location] if problems is None else _Reading(submission=None, problems=problems)
            for location, problems in faults.items()
        ]

    def _faults(self, location: Location, folder: Folder) -> list[Problem] | None:
        """Return why a submission cannot be read; None where it can. Scores alone are none."""
        if not folder.submitted:
            return []
        path = _path(location)
        bad = [
            fault
            for name in location[1:]
            if (fault := name_problem(name, path, Actor.PARTICIPANT)) is not None
        ]
        if bad:
            return bad
        file = _file(location)
        entry = folder.entries.get(file)
        if entry is None or not (entry.is_regular or file in self._tree.dirty):
            return [_missing_submission_file(file)]
        if location[0] not in self._benchmarks:
            return [_unknown_benchmark(file, location[0], self._benchmarks)]
        return None

    def _parsed(self, location: Location, content: bytes, folder: Folder) -> _Reading:
        if content == _DAMAGED:
            return _Reading(submission=None, problems=[_damaged(_file(location))])
        start = len(folder.path) + 1
        submission, problems = parse_submission(
            location,
            content,
            [path[start:] for path in folder.submitted],
            self._benchmarks[location[0]],
            executables=[
                path[start:] for path in folder.submitted if folder.entries[path].mode == "100755"
            ],
        )
        return _Reading(submission=submission, problems=problems)

    def _of_bundles(self) -> str:
        """Return what benchmarks were read from: their files, and the names of others."""
        return "\0".join(
            f"{name} {self._tree.entries[f'benchmarks/{name}/{BUNDLE_FILE}'].blob} {sorted(files)}"
            for name, files in sorted(self._bundles.items())
            if name in self._benchmarks
        )


def _path(location: Location) -> str:
    return "/".join(("submissions", *location))


def _file(location: Location) -> str:
    return f"{_path(location)}/{FILE_NAME}"


def _missing_submission_file(file: str) -> Problem:
    return Problem(
        file=file,
        message="is missing",
        hint="Submissions stand at submissions/<benchmark>/<participant>/<name>/.",
        actor=Actor.PARTICIPANT,
    )


def _unknown_benchmark(file: str, name: str, names: Iterable[str]) -> Problem:
    return Problem(
        file=file,
        message=f"is for the benchmark '{name}', which is not there or cannot be read",
        hint=f"Benchmarks are: {', '.join(sorted(names)) or 'none'}.",
        actor=Actor.PARTICIPANT,
    )


def _damaged(file: str) -> Problem:
    return Problem(
        file=file, message="cannot be read from git, whose object is damaged",
        hint="`git fsck` names it; fetch it again from a clone that has it.", actor=Actor.PLATFORM,
    )  # fmt: skip
