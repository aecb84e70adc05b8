"""Scores in a tree: one file for each submission and phase, read when it is asked for."""

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from evaluator.core.errors import Actor, UsageError
from evaluator.core.formats.cell import CellId, Place, cell_of_part, place_of
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import (
    Logs,
    decode_logs,
    lines_of,
    record_of,
    records_of,
    with_logs,
)
from evaluator.core.formats.scores_file import ScoresFile, decode, merged
from evaluator.core.git.tree import Tree

ScoreKeys = Mapping[tuple[str, int | None], str]
"""Task and repeat -> score key; of a record that is a platform's fault, which settles nothing,
empty."""


class _Outline(NamedTuple):
    keys: ScoreKeys
    submissions: Collection[str]
    """Digests of the contents that were evaluated."""


class RecordFiles(Mapping[CellId, Record]):
    """The records of a tree by cell. What cannot be read is not there; ``validate`` reports it."""

    def __init__(self, tree: Tree, paths: Callable[[], Iterable[str]]) -> None:
        """``paths`` are those below folders of scores."""
        self._tree = tree
        self._paths = paths
        self._contents: Mapping[CellId, Record] = {}
        self._later: Mapping[str, bytes] = {}
        self._files: dict[Place, ScoresFile | None] = {}
        self._outlines: dict[Place, _Outline] = {}
        self._logs: dict[Place, dict[str, Logs]] = {}
        self.faults: dict[str, str] = {}
        """Path of a file that was read and is no scores file -> why."""

    @cached_property
    def places(self) -> Collection[Place]:
        named = (place_of(path) for path in self._paths())
        return dict.fromkeys(
            [*(place for place in named if place), *(cell.place for cell in self._contents)]
        )

    def check_form(self) -> None:
        """Raise UsageError where scores are of the time before scores files, one file per cell."""
        path = next(filter(cell_of_part, self._paths()), None)
        if path is not None and not self.places:
            raise UsageError(
                f"this version cannot read {path}: scores are in one file for each phase",
                hint="Name a later commit, or install pullbench as it was at that commit.",
            )

    @cached_property
    def _cells(self) -> Mapping[CellId, None]:
        self.read_keys(self.places)
        return dict.fromkeys(
            place.cell(*name) for place in self.places for name in self.score_keys(place)
        )

    @cached_property
    def _added(self) -> Mapping[Place, Sequence[Record]]:
        added: dict[Place, list[Record]] = {}
        for cell, record in self._contents.items():
            added.setdefault(cell.place, []).append(record)
        return added

    def __getitem__(self, cell: CellId) -> Record:
        if cell in self._contents:
            return self._contents[cell]
        if cell not in self:
            raise KeyError(cell)
        file = self._file(cell.place)
        line = file.line(cell.task, cell.repeat) if file else None
        if file is None or line is None:
            raise KeyError(cell)
        return record_of(file, line)

    def __iter__(self) -> Iterator[CellId]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __contains__(self, cell: object) -> bool:
        return isinstance(cell, CellId) and (cell.task, cell.repeat) in self.score_keys(cell.place)

    def stream(self, cells: Iterable[CellId]) -> Iterator[Record]:
        by_place: dict[Place, set[CellId]] = {}
        for cell in cells:
            by_place.setdefault(cell.place, set()).add(cell)
        for place, wanted in by_place.items():
            yield from (record for record in self.records_at(place) if record.cell in wanted)

    def records_at(self, place: Place) -> list[Record]:
        file = self._file(place)
        read = records_of(file) if file else ()
        return [
            *(one for one in read if one.cell not in self._contents), *self._added.get(place, ())
        ]  # fmt: skip

    def files(self, places: Iterable[Place]) -> Iterator[ScoresFile | None]:
        """Yield the scores of submissions in phases, or None, some at a time; none is kept."""
        wanted = list(places)
        for place, file in zip(wanted, self._streamed(wanted), strict=True):
            added = self._added.get(place)
            yield merged(file, lines_of(added)) if added else file

    def is_damaged(self, place: Place) -> bool:
        self.score_keys(place)
        return place.scores_path in self.faults

    def file(self, place: Place) -> ScoresFile | None:
        return next(self.files([place]))

    def _file(self, place: Place) -> ScoresFile | None:
        if place not in self._files:
            if len(self._files) >= _AT_ONCE:
                self._files.clear()
            self._files[place] = next(self._streamed([place]))
        return self._files[place]

    def _streamed(self, places: Sequence[Place]) -> Iterator[ScoresFile | None]:
        """Yield the files of a tree, None where there is none that can be read, and keep none."""
        paths = [place.scores_path for place in places]
        there = [path for path in paths if path in self._tree.entries]
        # One that git cannot read is none: its cells are evaluated again.
        contents = self._tree.stream(there, broken=b"")
        for place, path in zip(places, paths, strict=True):
            file = None
            if path in self._tree.entries:
                try:
                    file = read_scores(next(contents), place)
                except ValueError as error:
                    self.faults[path] = str(error)
            yield file

    def read_keys(self, places: Iterable[Place]) -> None:
        wanted = [place for place in dict.fromkeys(places) if place not in self._outlines]
        for place, file in zip(wanted, self._streamed(wanted), strict=True):
            self._outlines[place] = _outline_of(file)

    def score_keys(self, place: Place) -> ScoreKeys:
        return self._outline(place).keys

    def has_content(self, place: Place, digest: str) -> bool:
        """Whether some cell there was evaluated with these files of the submission."""
        return digest in self._outline(place).submissions

    def _outline(self, place: Place) -> _Outline:
        if place not in self._outlines:
            self._outlines[place] = _outline_of(self._file(place))
        return self._outlines[place]

    def is_settled(self, cell: CellId, score_key: str) -> bool:
        return self.score_keys(cell.place).get((cell.task, cell.repeat)) == score_key

    def attachments(self, paths: Iterable[str]) -> dict[str, bytes]:
        paths = [*paths]
        later = {path: self._later[path] for path in paths if path in self._later}
        return {**self._tree.read(paths), **later}

    def with_contents(
        self, records: Mapping[CellId, Record], files: Mapping[str, bytes]
    ) -> "RecordFiles":
        """These with records that are in no tree yet, in place of those of their cells."""
        self.read_keys(cell.place for cell in records)
        later = RecordFiles(self._tree, self._paths)
        later._contents = {**self._contents, **records}
        later._later = {**self._later, **files}
        later._files, later._outlines = dict(self._files), dict(self._outlines)
        later.faults = self.faults
        for cell, one in records.items():
            key = "" if one.is_platform_fault else one.keys.score
            keys, submissions = later._outlines[cell.place]
            later._outlines[cell.place] = _Outline(
                {**keys, (cell.task, cell.repeat): key},
                {*submissions, one.keys.parts.get("submission", "")},
            )
        return later

    def records(self, benchmark: str) -> dict[CellId, Record]:
        """All readable records of a benchmark, whole, whose others are evaluated again.

        For boards rather read tables.
        """
        places = [place for place in self.places if place.benchmark == benchmark]
        return {record.cell: record for place in places for record in self.records_at(place)}

    def sealed(self) -> Iterator[Record]:
        for file in self._streamed(list(self.places)):
            if file is not None:
                yield from (record_of(file, one) for one in file.cells if one.sealed is not None)

    def logs(self, place: Place) -> dict[str, Logs]:
        if place not in self._logs:
            path = place.cell("").logs_path
            content = self._tree.read([path]).get(path)
            self._logs.clear()
            self._logs[place] = {}
            with contextlib.suppress(ValueError):
                self._logs[place] = {} if content is None else decode_logs(content)
        return self._logs[place]

    def with_logs(self, cell: CellId) -> Record | None:
        record = self.get(cell)
        return record and with_logs(record, self.logs(cell.place).get(cell.file_stem, {}))

    def at_with_logs(self, place: Place) -> list[Record]:
        logs = self.logs(place)
        return [with_logs(one, logs.get(one.cell.file_stem, {})) for one in self.records_at(place)]


_AT_ONCE = 200
"""Files that are in memory at once; who asks for one cell of a file asks for the next."""


def read_scores(content: bytes, place: Place) -> ScoresFile:
    file = decode(content)
    named = Place(file.benchmark, file.participant, file.submission, file.phase)
    if named != place:
        raise ValueError(f"is the file of {'/'.join(named)}")
    return file


def _outline_of(file: ScoresFile | None) -> _Outline:
    lines = file.cells if file else ()
    keys = {
        (line.task, line.repeat): ""
        if line.error is not None and line.error.actor == Actor.PLATFORM
        else line.key
        for line in lines
    }
    used = {line.run for line in lines}
    return _Outline(keys, {file.runs[name].submission for name in used} if file else ())
