"""Records as they stand in a tree: found by their paths, read when something asks for them.

Half a gigabyte of 200,000 records is never in memory at once: they are read one after the other,
and what is kept of each is its score key.
"""

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import TypeVar

from evaluator.formats.bulk import without_collection
from evaluator.formats.cell import CellId, cell_of_path
from evaluator.formats.record import Record
from evaluator.formats.record_json import from_json, settled_key
from evaluator.git.tree import Tree

Kept = TypeVar("Kept")


class RecordFiles(Mapping[CellId, bytes]):
    """The records of a tree, not yet checked: cell -> content.

    ``load`` what is looked up one by one, and ``stream`` what is looked at once.
    """

    def __init__(
        self,
        tree: Tree,
        paths: Callable[[], Iterable[str]],
        contents: Mapping[CellId, bytes] | None = None,
    ) -> None:
        """``paths`` are those below folders of scores; ``contents`` are in no tree yet."""
        self._tree = tree
        self._paths = paths
        self._contents = dict(contents or {})
        self._keys: dict[CellId, str] = {}
        self._glanced: set[str] = set()
        self._looked_at: set[CellId] = set()
        self._records: dict[str, dict[CellId, Record]] = {}

    @cached_property
    def _cells(self) -> Mapping[CellId, None]:
        """All of them; who names the cells that he wants can do without, where they are many."""
        words: dict[str, str] = {}  # 200,000 cells are named by few words
        found = (cell_of_path(path, words) for path in self._paths())
        return {**dict.fromkeys(cell for cell in found if cell), **dict.fromkeys(self._contents)}

    def __getitem__(self, cell: CellId) -> bytes:
        if cell not in self._contents:
            self.load([cell])
        return self._contents[cell]

    def __iter__(self) -> Iterator[CellId]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __contains__(self, cell: object) -> bool:
        return isinstance(cell, CellId) and (
            cell in self._contents or cell.record_path in self._tree.entries
        )

    def stream(self, cells: Iterable[CellId]) -> Iterator[tuple[CellId, bytes]]:
        """Yield the contents of those cells that have a record, and keep none of them.

        What is no plain file has no content.
        """
        entries, kept = self._tree.entries, self._contents
        wanted = [
            (cell, path) for cell in cells if (path := cell.record_path) in entries or cell in kept
        ]
        # A damaged one is no record: its cell is evaluated again.
        found = self._tree.stream([path for cell, path in wanted if cell not in kept], broken=b"")
        for cell, _ in wanted:
            yield cell, kept[cell] if cell in kept else next(found)

    def load(self, cells: Iterable[CellId]) -> None:
        """Keep the contents of some cells, to look them up."""
        self._contents.update(self.stream(cells))

    def with_contents(self, files: Mapping[CellId, bytes]) -> "RecordFiles":
        """Return the records with others added, or in their place."""
        made = RecordFiles(self._tree, self._paths, {**self._contents, **files})
        made._keys = {cell: key for cell, key in self._keys.items() if cell not in files}
        made._glanced = set(self._glanced)
        for cell, content in files.items():
            key = settled_key(content)
            if key is not None:
                made._keys[cell] = key
        touched = {cell.benchmark for cell in files}
        made._records = _without(self._records, touched)
        return made

    def is_settled(self, cell: CellId, score_key: str) -> bool:
        """Whether a cell has a record in canonical form of that key, and no platform fault."""
        if cell not in self._looked_at and cell.benchmark not in self._glanced:
            self.glance()
        return self._keys.get(cell) == score_key

    def with_keys(self, score_keys: Collection[str]) -> list[CellId]:
        """Return the cells whose record in canonical form is of one of some keys."""
        self.glance()
        return [cell for cell, key in self._keys.items() if key in score_keys]

    def glance(self) -> None:
        """Find the score keys of all records that have not been read, at a microsecond each."""
        rest = [cell for cell in self if cell.benchmark not in self._glanced]
        self._learn(rest)
        self._glanced.update(cell.benchmark for cell in rest)

    def look(self, cells: Iterable[CellId]) -> None:
        """Find the score keys of some records; so nobody has to glance at all for them."""
        wanted = list(cells)
        self._learn(wanted)
        self._looked_at.update(wanted)

    def _learn(self, cells: Iterable[CellId]) -> None:
        for cell, content in self.stream(cells):
            key = settled_key(content)
            if key is not None:
                self._keys[cell] = key

    @without_collection()
    def records(self, benchmark: str) -> dict[CellId, Record]:
        """All readable records of a benchmark, whole; for boards rather take a survey."""
        if benchmark not in self._records:
            wanted = [cell for cell in self if cell.benchmark == benchmark]
            found: dict[CellId, Record] = {}
            for cell, content in self.stream(wanted):
                with contextlib.suppress(ValueError):
                    found[cell] = from_json(content)
            self._records[benchmark] = found
        return self._records[benchmark]

    def reader(self) -> Callable[[CellId], Record | None]:
        """Return what reads single records, and keeps no more than that takes."""
        return partial(_read_record, self._tree, dict(self._contents))


def _read_record(tree: Tree, contents: Mapping[CellId, bytes], cell: CellId) -> Record | None:
    content = contents.get(cell)
    if content is None:
        path = cell.record_path
        entry = tree.entries.get(path)
        if entry and (entry.is_regular or path in tree.dirty):
            content = tree.content(path, entry.blob)
    try:
        return None if content is None else from_json(content)
    except ValueError:
        return None


def _without(kept: Mapping[str, Kept], touched: Collection[str]) -> dict[str, Kept]:
    return {name: found for name, found in kept.items() if name not in touched}
