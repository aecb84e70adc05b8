"""A row of a published board with its records whole: what its own page shows."""

from collections.abc import Callable
from dataclasses import replace

from msgspec import structs

from evaluator.formats.cell import CellId
from evaluator.formats.outline import AnyRecord
from evaluator.formats.record import Record
from evaluator.leaderboard.board import Board, Row
from evaluator.leaderboard.cells import TaskResult
from evaluator.leaderboard.published import Publisher


def with_whole_records(row: Row, board: Board, record: Callable[[CellId], Record | None]) -> Row:
    """Return a row whose records have logs and machines, and nothing that may not be said.

    ``record`` reads one; where it has none the outline stays.
    """
    publisher = Publisher(board.benchmark)

    def whole(one: AnyRecord) -> AnyRecord:
        found = record(one.cell)
        return one if found is None else publisher.record(found)

    def with_records(result: TaskResult) -> TaskResult:
        return structs.replace(result, records=tuple(map(whole, result.records)))

    return replace(
        row,
        tasks={slug: with_records(result) for slug, result in row.tasks.items()},
        variants={slug: with_records(result) for slug, result in row.variants.items()},
    )
