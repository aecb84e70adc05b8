"""Ranks that a bundle's tolerance ties: how boards show them."""

import datetime as dt
from collections.abc import Iterator, Sequence

import numpy as np

from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.plugins.reproduce.tolerance import Tolerance, tolerances_of


def note(_boards: Sequence[PublicBoard], board: PublicBoard, _now: dt.datetime) -> str:
    """Say by how much runs may differ in what a board ranks by, and which ranks that ties."""
    tolerance = _tolerance(board)
    if tolerance is None:
        return ""
    tied = ", ".join(f"{first} to {last}" for first, last in _tied(board))
    which = f"Tied within that: ranks {tied}." if tied else "No ranks are tied within that."
    begin = f"Two runs may differ by {tolerance.absolute:g} in {_ranked_by(board).title}"
    return f"{begin}: {tolerance.why} {which}"


def tie_marks(board: PublicBoard) -> dict[str, tuple[str, str]]:
    """Mark the rows of ranks that are tied."""
    why = f"These ranks are no further apart in {_ranked_by(board).title} than two runs may be."
    return {
        row.submission.id: (f"tied: {first} to {last}", why)
        for first, last in _tied(board)
        for row in board.ranked if first <= (row.rank or 0) <= last
    }  # fmt: skip


def _ranked_by(board: PublicBoard) -> Column:
    return board.benchmark.leaderboard.ranked_by or board.benchmark.leaderboard.primary


def _tolerance(board: PublicBoard) -> Tolerance | None:
    """Of what ranks a board, if that is shown."""
    column = _ranked_by(board)
    shown = column in board.columns and board.ranked
    return tolerances_of(board.benchmark).get(column.key) if shown else None


def _tied(board: PublicBoard) -> Iterator[tuple[int, int]]:
    """Yield first and last ranks of neighbours that are as near as two runs of the first may be.

    Ranks that come from each task are tied if the values of each task are.
    """
    tolerance, key = _tolerance(board), _ranked_by(board).key
    if tolerance is None:
        return
    by_task = board.benchmark.leaderboard.ranked_by is not None
    columns = list(board.table.finished(key)) if by_task else [board.overall[key]]
    values = np.stack(columns, axis=1).tolist()
    ranks = [row.rank or 0 for row in board.ranked]
    first = 0
    for place in range(1, len(ranks) + 1):
        if place == len(ranks) or not all(map(tolerance.holds, values[first], values[place])):
            if ranks[first] != ranks[place - 1]:
                yield ranks[first], ranks[place - 1]
            first = place
