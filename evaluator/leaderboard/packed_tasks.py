"""Results of a row as they go from process to process and are kept: unpacked when asked for."""

from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from functools import cached_property

import msgspec
from msgspec.structs import force_setattr

from evaluator.formats.cell import CellId
from evaluator.formats.outline import NO_CELL, Outline, outline
from evaluator.formats.record import CellError, Record
from evaluator.leaderboard.cells import State, TaskResult
from evaluator.leaderboard.summaries import Summary


class _Result(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One of them; records tell no cells but their repeats, for the rest is told by the row."""

    state: State
    values: dict[str, float]
    deviations: dict[str, float]
    error: CellError | None
    repeats: list[int | None]
    records: list[Outline]
    at_once: bool


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[_Result]).decode


class PackedResults(Mapping[str, TaskResult]):
    """Results by slug."""

    def __init__(self, packed: memoryview, slugs: Sequence[str], cell: CellId) -> None:
        """``cell`` is any of the row's; of ``slugs`` there is one for each result."""
        self._packed = packed
        self._slugs = slugs
        self._cell = cell

    def __getitem__(self, slug: str) -> TaskResult:
        return self._results[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self._slugs)

    def __len__(self) -> int:
        return len(self._slugs)

    def items(self) -> ItemsView[str, TaskResult]:
        """Return them as a dictionary does, which is faster."""
        return self._results.items()

    def values(self) -> ValuesView[TaskResult]:
        """Return them as a dictionary does, which is faster."""
        return self._results.values()

    @cached_property
    def _results(self) -> dict[str, TaskResult]:
        found = _decode(self._packed)
        return {
            slug: self._unpacked(slug, one) for slug, one in zip(self._slugs, found, strict=True)
        }

    def _unpacked(self, slug: str, one: _Result) -> TaskResult:
        for record, repeat in zip(one.records, one.repeats, strict=True):
            cell = msgspec.structs.replace(self._cell, task=slug, repeat=repeat)
            force_setattr(record, "cell", cell)
        return TaskResult(
            state=one.state, values=one.values, deviations=one.deviations, error=one.error,
            records=tuple(one.records), at_once=one.at_once,
        )  # fmt: skip


class PackedTasks(PackedResults):
    """Results of a row by task slug, with what is made of them."""

    def __init__(
        self,
        packed: memoryview,
        slugs: Sequence[str],
        cell: CellId,
        *,
        summary: Summary,
        data: memoryview,
    ) -> None:
        """Take also what the row's own functions make of the results."""
        super().__init__(packed, slugs, cell)
        self.summary = summary
        self.data = data
        """JSON of what ``api/v1`` says of them; empty where something in them is hidden."""


def pack_results(results: Mapping[str, TaskResult]) -> bytes:
    """Pack what boards need of results. Raises UnicodeEncodeError for text that no file holds."""
    return _encode(
        [
            _Result(
                one.state, dict(one.values), dict(one.deviations), one.error,
                [record.cell.repeat for record in one.records],
                [_without_cell(record) for record in one.records], one.at_once,
            )
            for one in results.values()
        ]
    )  # fmt: skip


def _without_cell(record: Record | Outline) -> Outline:
    found = outline(record) if isinstance(record, Record) else record
    return msgspec.structs.replace(found, cell=NO_CELL)
