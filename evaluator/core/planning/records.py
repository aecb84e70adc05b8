"""Scores in a tree: one file for each submission and phase, read when it is asked for."""

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

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


class RecordFiles(Mapping[CellId, Record]):
    """The records of a tree by cell. What cannot be read is not there; ``validate`` reports it."""

    def __init__(
        self,
        tree: Tree,
        paths: Callable[[], Iterable[str]],
        contents: Mapping[CellId, Record] | None = None,
    ) -> None:
        """``paths`` are those below folders of scores; ``contents`` are in no tree yet."""
        self._tree = tree
        self._paths = paths
        self._contents = dict(contents or {})
        self._files: dict[Place, ScoresFile | None] = {}
        self._keys: dict[Place, Mapping[tuple[str, int | None], str]] = {}
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
                f"this version cannot read {path}: scores stand in one file per phase",
                hint="Name a later commit, or install pullbench as it was at that commit.",
            )

    @cached_property
    def _cells(self) -> Mapping[CellId, None]:
        self.read_keys(place.cell("") for place in self.places)
        cells = (place.cell(*name) for place in self.places for name in self._keys_of(place))
        return dict.fromkeys([*cells, *self._contents])

    def __getitem__(self, cell: CellId) -> Record:
        if cell in self._contents:
            return self._contents[cell]
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
        return isinstance(cell, CellId) and (
            cell in self._contents or (cell.task, cell.repeat) in self._keys_of(cell.place)
        )

    def stream(self, cells: Iterable[CellId]) -> Iterator[Record]:
        """Yield the records of those cells that have one, file by file."""
        by_place: dict[Place, set[CellId]] = {}
        for cell in cells:
            by_place.setdefault(cell.place, set()).add(cell)
        for place, wanted in by_place.items():
            yield from (record for record in self.records_at(place) if record.cell in wanted)

    def records_at(self, place: Place) -> list[Record]:
        file = self._file(place)
        added = {cell: one for cell, one in self._contents.items() if cell.place == place}
        read = records_of(file) if file else ()
        return [*(one for one in read if one.cell not in added), *added.values()]

    def files(self, places: Iterable[Place]) -> Iterator[ScoresFile | None]:
        """Yield the scores of submissions in phases as files; None where there are none.

        They are read some at a time, and none is kept.
        """
        wanted = list(places)
        added: dict[Place, list[Record]] = {}
        for cell, record in self._contents.items():
            added.setdefault(cell.place, []).append(record)
        read = self._streamed(wanted)
        for place in wanted:
            file = next(read)
            if place in added:
                file = merged(file, lines_of(added[place]))
            yield file

    def is_damaged(self, place: Place) -> bool:
        return place.cell("").scores_path in self._tree.entries and self._file(place) is None

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
        paths = [place.cell("").scores_path for place in places]
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

    def read_keys(self, cells: Iterable[CellId]) -> None:
        """Find the score keys of the files of some cells, all in one exchange with git."""
        places = [place for place in dict.fromkeys(cell.place for cell in cells)
                  if place not in self._keys]  # fmt: skip
        for place, file in zip(places, self._streamed(places), strict=True):
            self._keys[place] = _keys(file)

    def _keys_of(self, place: Place) -> Mapping[tuple[str, int | None], str]:
        if place not in self._keys:
            self._keys[place] = _keys(self._file(place))
        return self._keys[place]

    def with_contents(self, records: Mapping[CellId, Record]) -> "RecordFiles":
        later = RecordFiles(self._tree, self._paths, {**self._contents, **records})
        later._files, later._keys = dict(self._files), dict(self._keys)
        return later

    def is_settled(self, cell: CellId, score_key: str) -> bool:
        """Whether a cell has a record of that key, and no platform fault."""
        added = self._contents.get(cell)
        if added is not None:
            return added.keys.score == score_key and not added.is_platform_fault
        return self._keys_of(cell.place).get((cell.task, cell.repeat)) == score_key

    def records(self, benchmark: str) -> dict[CellId, Record]:
        """All readable records of a benchmark, whole; for boards rather read tables."""
        places = [place for place in self.places if place.benchmark == benchmark]
        return {record.cell: record for place in places for record in self.records_at(place)}

    def with_keys(self, score_keys: Collection[str]) -> list[CellId]:
        return [
            place.cell(*name)
            for place in self.places
            for name, key in self._keys_of(place).items()
            if key in score_keys
        ]

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


_AT_ONCE = 200
"""Files that are in memory at once; who asks for one cell of a file asks for the next."""


def read_scores(content: bytes, place: Place) -> ScoresFile:
    """Read the scores file of a submission and phase. Raises ValueError."""
    file = decode(content)
    named = Place(file.benchmark, file.participant, file.submission, file.phase)
    if named != place:
        raise ValueError(f"is the file of {'/'.join(named)}")
    return file


def _keys(file: ScoresFile | None) -> dict[tuple[str, int | None], str]:
    """Return the score key of each cell; empty where the platform failed, which settles none."""
    return {
        (line.task, line.repeat): ""
        if line.error is not None and line.error.actor == Actor.PLATFORM
        else line.key
        for line in (file.cells if file else ())
    }
