"""One submission beside another on the same board, as pages state it without scripts."""

from dataclasses import dataclass
from typing import Literal

from evaluator.formats.columns import Column
from evaluator.formats.sums import finite
from evaluator.leaderboard.board import Board, Row

MAX_STATIC_ROWS = 1000
"""Rows of a board up to which other pages state ranks on it and compare with its leader; beyond,
each record would change them all, so browsers look these up."""
_LONG = 1e15
Mark = Literal["better", "worse", "equal"]


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How far one value is from another's, in the column's own unit."""

    value: float
    mark: Mark
    """For the first, whichever way the column is read."""


def states_ranks(board: Board) -> bool:
    """Whether pages beside the board state ranks on it."""
    return len(board.rows) <= MAX_STATIC_ROWS


def shown_primary(board: Board) -> Column | None:
    """Return the column that ranks, where the board shows it."""
    if board.benchmark.leaderboard.hidden:
        return None
    return next((c for c in board.columns if c == board.benchmark.leaderboard.primary), None)


def board_folder(current: Board, board: Board) -> str:
    """Folder of a board's own files, from the site's root; ``current`` is its benchmark's."""
    base = board.benchmark.path
    return base if board.phase == current.phase else f"{base}/phases/{board.phase.slug}"


def rival(row: Row, board: Board) -> Row | None:
    """Whom a row is compared with by default: the leader; the leader with who comes next.

    None where nothing may be compared, or the board is so large that browsers do it.
    """
    if board.benchmark.leaderboard.hidden or not board.columns or not states_ranks(board):
        return None
    first = (other for other in board.rows[:2] if other.submission.id != row.submission.id)
    return next(first, None)


def shown_number(value: float, precision: int) -> str:
    """Return a value as pages show it; one that would take a hundred digits, in short."""
    return f"{value:.3e}" if abs(value) >= _LONG else f"{value:.{precision}f}"


def difference(column: Column, own: float | None, other: float | None) -> Difference | None:
    """Return own minus other; None where either is missing."""
    if own is None or other is None:
        return None
    value = finite(own - other)
    gain = value if column.sorting == "desc" else -value
    return Difference(value=value, mark="equal" if not gain else "better" if gain > 0 else "worse")
