"""Rows of a board that pullbench evaluated, for formats that know no board."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from evaluator.core.formats.columns import Column
from evaluator.core.formats.record import Record
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard


@dataclass(frozen=True, kw_only=True)
class EvaluatedRow:
    """A row whose values come from records."""

    row: Row
    records: tuple[Record, ...]
    columns: tuple[Column, ...]
    """Those that have a value over all tasks."""

    @property
    def name(self) -> str:
        return f"{self.row.submission.participant}/{self.row.submission.name}"

    @property
    def end(self) -> dt.datetime:
        """When the last cell ended."""
        return max(dt.datetime.fromisoformat(one.provenance.finished) for one in self.records)


def evaluated_rows(board: PublicBoard) -> Iterator[EvaluatedRow]:
    """Yield rows with values, but none that others state: these have no records.

    Columns made from ranks are left out: a row that comes later changes their values.
    """
    columns = [column for column in board.columns if not column.is_relative]
    for row in board.rows:
        shown = tuple(column for column in columns if column.key in row.overall)
        records = tuple(
            one for slug in row.task_slugs if shown and slug in row.counted
            for one in row.tasks[slug].records
        )  # fmt: skip
        if records and row.counts:
            yield EvaluatedRow(row=row, records=records, columns=shown)
