"""Records as they stand in a tree: found by their paths, read when something asks for them.

Half a gigabyte of 200,000 records is never in memory at once: they are read in one exchange with
git, one after the other, and what is kept of each is its score key, or what it says.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec.structs import force_setattr

from evaluator.formats.bulk import without_collection
from evaluator.formats.cell import CellId
from evaluator.formats.record import Record, from_json, settled_key
from evaluator.planning.tree import Tree

_REPEATED = (
    "submission_tree", "commit", "submitted", "evaluator", "image", "image_used", "image_id",
    "queue", "cpu",
)  # fmt: skip
"""What many records say of where they come from in the same words."""


class RecordFiles(Mapping[CellId, bytes]):
    """The records of a tree, not yet checked: cell -> content.

    ``load`` what is looked up one by one, and ``stream`` what is looked at once.
    """

    def __init__(self, tree: Tree, paths: Mapping[CellId, str]) -> None:
        self._tree = tree
        self._paths = paths
        self._contents: dict[CellId, bytes] = {}
        self._keys: dict[CellId, str] = {}
        self._glanced: set[str] = set()
        self._records: dict[str, dict[CellId, Record]] = {}
        self._keeper = _Keeper()

    def __getitem__(self, cell: CellId) -> bytes:
        if cell not in self._contents:
            self.load([cell])
        return self._contents[cell]

    def __iter__(self) -> Iterator[CellId]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __contains__(self, cell: object) -> bool:
        return cell in self._paths

    def stream(self, cells: Iterable[CellId]) -> Iterator[tuple[CellId, bytes]]:
        """Yield the contents of those cells that have a record, and keep none of them.

        What is no plain file has no content.
        """
        wanted = [cell for cell in cells if cell in self._paths]
        if not self._contents:
            yield from zip(wanted, self._tree.stream([self._paths[c] for c in wanted]), strict=True)
            return
        asked = [cell for cell in wanted if cell not in self._contents]
        found = self._tree.stream([self._paths[cell] for cell in asked])
        for cell in wanted:
            yield cell, self._contents[cell] if cell in self._contents else next(found)

    def load(self, cells: Iterable[CellId]) -> None:
        """Keep the contents of some cells, to look them up."""
        self._contents.update(self.stream(cells))

    def with_contents(self, files: Mapping[CellId, bytes]) -> "RecordFiles":
        """Return the records with others added, or in their place."""
        paths = {**self._paths, **{cell: cell.record_path for cell in files}}
        made = RecordFiles(self._tree, paths)
        made._contents = {**self._contents, **files}
        made._keys = {cell: key for cell, key in self._keys.items() if cell not in files}
        made._glanced = set(self._glanced)
        for cell, content in files.items():
            key = settled_key(content)
            if key is not None:
                made._keys[cell] = key
        touched = {cell.benchmark for cell in files}
        made._records = {name: all_ for name, all_ in self._records.items() if name not in touched}
        return made

    def is_settled(self, cell: CellId, score_key: str) -> bool:
        """Whether a cell has a record in canonical form of that key, and no platform fault."""
        if cell.benchmark not in self._glanced:
            self._glance()
        return self._keys.get(cell) == score_key

    def _glance(self) -> None:
        """Find the score keys of all records that have not been read, at a microsecond each."""
        rest = [cell for cell in self._paths if cell.benchmark not in self._glanced]
        for cell, content in self.stream(rest):
            key = settled_key(content)
            if key is not None:
                self._keys[cell] = key
        self._glanced.update(cell.benchmark for cell in rest)

    def records(self, benchmark: str) -> dict[CellId, Record]:
        """All readable records of a benchmark."""
        self.read([benchmark])
        return self._records[benchmark]

    @without_collection()
    def read(self, benchmarks: Collection[str]) -> None:
        """Read the records of several benchmarks in one exchange with git."""
        missing = [name for name in benchmarks if name not in self._records]
        found: dict[str, dict[CellId, Record]] = {name: {} for name in missing}
        wanted = [cell for cell in self._paths if cell.benchmark in found] if missing else []
        keep = self._keeper.keep
        for cell, content in self.stream(wanted):
            try:
                record = from_json(content)
            except ValueError:
                continue
            keep(cell, record)
            found[cell.benchmark][cell] = record
            error = record.error
            if error is None or error.actor != "platform":
                self._keys[cell] = record.keys.score
        self._records |= found
        self._glanced.update(missing)


class _Keeper:
    """Lets records share what they say in the same words: a third of their memory is left."""

    def __init__(self) -> None:
        self._words: dict[str, str] = {}

    def keep(self, cell: CellId, record: Record) -> None:
        """Replace the words of a record that has just been read by those of earlier ones."""
        word = self._words.setdefault
        if record.cell == cell:
            force_setattr(record, "cell", cell)
        parts = record.keys.parts
        for name, value in parts.items():
            parts[name] = word(value, value)
        provenance = record.provenance
        for name in _REPEATED:
            value = getattr(provenance, name)
            if value is not None:
                force_setattr(provenance, name, word(value, value))
