"""Columns that a reader may add to a board: what the predictions of each row took."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import Floats
from evaluator.site.leaderboard.usage import Prices, Usage, predictions, run_cost, run_seconds

_MIB = 2**20


@dataclass(frozen=True, kw_only=True)
class ResourceColumn:
    """One such column; less is better."""

    key: Literal["time", "memory", "cost"]
    title: str
    """With its unit."""
    superlative: str
    """What the row with the least of it is."""
    values: Floats
    """One for each row, the listed ones first; NaN where it is not known."""


def resource_columns(board: PublicBoard, prices: Prices) -> tuple[ResourceColumn, ...]:
    """Return the columns of which at least one row has a value; times of a run are means."""
    if board.phase.shows == "status":
        return ()
    return tuple(one for one in _columns(board, prices) if not np.isnan(one.values).all())


def _columns(board: PublicBoard, prices: Prices) -> Iterator[ResourceColumn]:
    used = predictions(board)
    rows = [used[row.place] for row in (*board.rows, *board.unlisted)]

    def times(one: Usage) -> float:
        return round(run_seconds(one), 3)

    yield ResourceColumn(
        key="time", title="Time (s)", superlative="Fastest",
        values=_floats([times(one) if one else None for one in rows]),
    )  # fmt: skip
    yield ResourceColumn(
        key="memory", title="Memory (MiB)", superlative="Smallest",
        values=_floats([one.memory / _MIB if one and one.memory else None for one in rows]),
    )  # fmt: skip
    yield ResourceColumn(
        key="cost", title=f"Cost ({prices.currency})", superlative="Cheapest",
        values=_floats([run_cost(one, prices) if one else None for one in rows]),
    )  # fmt: skip


def _floats(values: Sequence[float | None]) -> Floats:
    return np.array(values, dtype=np.float64)


def near_column(board: PublicBoard) -> Column | None:
    """Return the column by which rows are said to be near the best; None where none has values.

    It is the one whose values make the ranks: a hundredth of a mean rank says nothing.
    """
    rules = board.benchmark.leaderboard
    for column in (rules.ranked_by, rules.primary):
        if (
            column in board.columns
            and not column.ranks
            and not np.isnan(board.overall[column.key]).all()
        ):
            return column
    return None
