"""Submissions of a tree, read by all cores or from a cache; those with the files of a solution."""

import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from evaluator.core.errors import Actor, Problem, nearest, some_of
from evaluator.core.formats.bundle import FILE_NAME as BUNDLE_FILE
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cache import Cache, cache_key, digest_of_programs
from evaluator.core.formats.cell import SCORES
from evaluator.core.formats.names import name_problem
from evaluator.core.formats.submission import FILE_NAME, Submission, parse_submission
from evaluator.core.git.listing import SubmissionFiles
from evaluator.core.git.tree import Tree

FEW = 1000
"""Submissions that one process reads sooner than two."""

_DAMAGED = b"\0damaged"
"""Stands for what git cannot read; no file says so."""

Location = tuple[str, str, str]
"""Benchmark, participant and name."""


@dataclass(frozen=True, kw_only=True)
class _Reading:
    """What one submission.yaml says."""

    submission: Submission | None
    problems: list[Problem]


_encode = msgspec.msgpack.Encoder().encode
_READINGS = msgspec.msgpack.Decoder(list[_Reading])
_CACHED = msgspec.msgpack.Decoder(dict[str, _Reading])
"""All that a reading was made of, but what all have in common -> the reading."""


class SubmissionReader:
    """Reads the submissions of a tree."""

    def __init__(
        self, tree: Tree, bundles: Mapping[str, Sequence[str]],
        benchmarks: Mapping[str, Benchmark], cache: Cache | None,
    ) -> None:  # fmt: skip
        self._tree = tree
        self._bundles = bundles
        self._benchmarks = benchmarks
        self._cache = cache

    def read(
        self, locations: Mapping[Location, SubmissionFiles]
    ) -> tuple[list[Submission], list[Problem]]:
        readings = self._readings(sorted(locations), locations)
        return (
            [reading.submission for reading in readings if reading.submission is not None],
            [problem for reading in readings for problem in reading.problems],
        )

    def _readings(
        self, ordered: Sequence[Location], locations: Mapping[Location, SubmissionFiles]
    ) -> list[_Reading]:
        if self._cache is None:
            return self._read_by_all_cores(ordered, locations)
        common = cache_key("submissions", digest_of_programs(), self._of_bundles())
        keys = [
            # What git would not read is read while it is not committed.
            f"{location} {_file(location) in self._tree.dirty} "
            f"{locations[location].submitted_digest()}"
            for location in ordered
        ]
        content = self._cache.get(common)
        cached = {} if content is None else _CACHED.decode(content)
        missing = [place for place, key in enumerate(keys) if key not in cached]
        read = self._read_by_all_cores([ordered[place] for place in missing], locations)
        cached |= dict(zip([keys[place] for place in missing], read, strict=True))
        if missing or len(cached) > len(keys):
            with contextlib.suppress(UnicodeEncodeError):  # text that no file can hold
                self._cache.put(common, _encode({key: cached[key] for key in keys}))
        return [cached[key] for key in keys]

    def _read_by_all_cores(
        self, ordered: Sequence[Location], locations: Mapping[Location, SubmissionFiles]
    ) -> list[_Reading]:
        def encoded(part: Sequence[Location]) -> bytes:
            return _encode(self._read_files(part, locations))

        if len(ordered) <= FEW:
            return self._read_files(ordered, locations)
        from evaluator.core.processes import Tasks  # hardly any repository is that large

        size = max(FEW, -(-len(ordered) // (os.cpu_count() or 1)))
        parts = [ordered[start : start + size] for start in range(0, len(ordered), size)]
        tasks = Tasks([partial(encoded, part) for part in parts], processes=len(parts))
        with contextlib.suppress(UnicodeEncodeError):  # nor goes such text to another process
            return [reading for part in tasks.results() for reading in _READINGS.decode(part)]
        return self._read_files(ordered, locations)

    def _read_files(
        self, ordered: Sequence[Location], locations: Mapping[Location, SubmissionFiles]
    ) -> list[_Reading]:
        submitted = {location: locations[location].submitted for location in ordered}
        faults = {
            location: self._faults(location, locations[location]) if files else []  # scores alone
            for location, files in submitted.items()
        }
        usable = [location for location, problems in faults.items() if problems is None]
        # A cached reading is keyed by git's id, so that it would outlive the damage.
        broken = None if self._cache else _DAMAGED
        contents = self._tree.stream([_file(location) for location in usable], broken)
        parsed = {
            location: self._parsed(location, content, locations[location], submitted[location])
            for location, content in zip(usable, contents, strict=True)
        }
        return [
            parsed[location] if problems is None else _Reading(submission=None, problems=problems)
            for location, problems in faults.items()
        ]

    def _faults(self, location: Location, folder: SubmissionFiles) -> list[Problem] | None:
        """Why a submission cannot be read; None where it can."""
        names = [name_problem(name, folder.path, Actor.PARTICIPANT) for name in location[1:]]
        if bad := [problem for problem in names if problem is not None]:
            return bad
        file = _file(location)
        entry = folder.entries.get(file)
        if entry is None or not (entry.is_regular or file in self._tree.dirty):
            message = "is missing"
            hint = "Submissions belong in submissions/<benchmark>/<participant>/<name>/."
        elif location[0] not in self._benchmarks:
            known = some_of(sorted(self._benchmarks)) or "none"
            message = f"is for the benchmark '{location[0]}', which is not there or cannot be read"
            hint = nearest(location[0], self._benchmarks, f"Benchmarks are: {known}.")
        else:
            return None
        return [Problem(file=file, message=message, hint=hint, actor=Actor.PARTICIPANT)]

    def _parsed(
        self, location: Location, content: bytes, folder: SubmissionFiles, submitted: Sequence[str]
    ) -> _Reading:
        if content == _DAMAGED:
            damaged = Problem(
                file=_file(location), message="cannot be read from git, whose object is damaged",
                hint="`git fsck` names it; fetch it again from a clone that has it.",
                actor=Actor.PLATFORM,
            )  # fmt: skip
            return _Reading(submission=None, problems=[damaged])
        entries, start = folder.entries, len(folder.path) + 1
        submission, problems = parse_submission(
            location, content, [path[start:] for path in submitted], self._benchmarks[location[0]],
            executables=[path[start:] for path in submitted if entries[path].mode == "100755"],
        )  # fmt: skip
        return _Reading(submission=submission, problems=problems)

    def _of_bundles(self) -> str:
        """What benchmarks were read from: their files, and the names of others."""
        return "\0".join(
            f"{name} {self._tree.entries[f'benchmarks/{name}/{BUNDLE_FILE}'].blob} {sorted(files)}"
            for name, files in sorted(self._bundles.items())
            if name in self._benchmarks
        )


def _file(location: Location) -> str:
    return "/".join(("submissions", *location, FILE_NAME))


def mark_solutions(
    tree: Tree, benchmarks: Mapping[str, Benchmark], submissions: Sequence[Submission]
) -> list[Submission]:
    solutions = {name: _contents(tree, item) for name, item in benchmarks.items()}
    return [
        replace(item, solution=solution)
        if (contents := solutions[item.benchmark]) and (solution := _same(tree, item, contents))
        else item
        for item in submissions
    ]


def _contents(tree: Tree, benchmark: Benchmark) -> dict[str, dict[str, str]]:
    """Solution -> path -> git's id of its content, of those that have files."""
    contents = {item.path: content_blobs(tree, f"{benchmark.path}/{item.path}")
                for item in benchmark.solutions if item.path}  # fmt: skip
    return {path: blobs for path, blobs in contents.items() if blobs}


def _same(tree: Tree, submission: Submission, contents: Mapping[str, Mapping[str, str]]) -> str:
    folder = tree.entries.folders.get(submission.path)
    for path, blobs in contents.items():
        if folder is not None and folder.may_hold(next(iter(blobs.values()))):
            submitted = content_blobs(tree, submission.path)
            if submitted == blobs:
                return path
    return ""


def content_blobs(tree: Tree, place: str) -> dict[str, str]:
    """Contents below a folder, or of a file, without what an entry has of its own."""
    if place in tree.entries:
        return {place.rpartition("/")[2]: tree.entries[place].blob}
    below = {path[len(place) + 1 :]: tree.entries[path].blob for path in tree.under(place)}
    return {
        path: blob for path, blob in below.items()
        if path != FILE_NAME and path.partition("/")[0] != SCORES
    }  # fmt: skip
