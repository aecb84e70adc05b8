"""Submissions of a tree, read from their files by all cores, or from a cache."""

import contextlib
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec

from evaluator.core.errors import Actor, Problem, nearest, some_of
from evaluator.core.formats.bundle import FILE_NAME as BUNDLE_FILE
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cache import Cache
from evaluator.core.formats.file_digests import cache_key, digest_of_programs
from evaluator.core.formats.names import name_problem
from evaluator.core.formats.submission import FILE_NAME, Submission, parse_submission
from evaluator.core.git.listing import Folder
from evaluator.core.git.tree import Tree
from evaluator.core.processes import Tasks

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

    def read(self, locations: Mapping[Location, Folder]) -> tuple[list[Submission], list[Problem]]:
        """Return the submissions that can be used, by path, and what is wrong with them."""
        ordered = sorted(locations)
        readings = self._readings(ordered, locations)
        return (
            [reading.submission for reading in readings if reading.submission is not None],
            [problem for reading in readings for problem in reading.problems],
        )

    def _readings(
        self, ordered: Sequence[Location], locations: Mapping[Location, Folder]
    ) -> list[_Reading]:
        """Return what each submission.yaml says, from the cache where it holds that."""
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
        self, ordered: Sequence[Location], locations: Mapping[Location, Folder]
    ) -> list[_Reading]:
        def read(part: Sequence[Location]) -> list[_Reading]:
            return self._read_anew({location: locations[location] for location in part})

        def encoded(part: Sequence[Location]) -> bytes:
            return _encode(read(part))

        if len(ordered) <= FEW:
            return read(ordered)
        size = max(FEW, -(-len(ordered) // (os.cpu_count() or 1)))
        parts = [ordered[start : start + size] for start in range(0, len(ordered), size)]
        tasks = Tasks([partial(encoded, part) for part in parts], processes=len(parts))
        with contextlib.suppress(UnicodeEncodeError):  # nor goes such text to another process
            return [reading for part in tasks.results() for reading in _READINGS.decode(part)]
        return read(ordered)

    def _read_anew(self, locations: Mapping[Location, Folder]) -> list[_Reading]:
        faults = {
            location: self._faults(location, folder) for location, folder in locations.items()
        }
        usable = [location for location, problems in faults.items() if problems is None]
        # A cached reading is keyed by git's id, so that it would outlive the damage.
        broken = None if self._cache else _DAMAGED
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


def _unknown_benchmark(file: str, name: str, names: Collection[str]) -> Problem:
    return Problem(
        file=file,
        message=f"is for the benchmark '{name}', which is not there or cannot be read",
        hint=nearest(name, names, f"Benchmarks are: {some_of(sorted(names)) or 'none'}."),
        actor=Actor.PARTICIPANT,
    )


def _damaged(file: str) -> Problem:
    return Problem(
        file=file, message="cannot be read from git, whose object is damaged",
        hint="`git fsck` names it; fetch it again from a clone that has it.", actor=Actor.PLATFORM,
    )  # fmt: skip
