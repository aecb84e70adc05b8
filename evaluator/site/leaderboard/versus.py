"""What pages beside a board state of it without scripts."""

from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.published import PublicBoard

MAX_STATIC_ROWS = 1000
"""Rows of a board up to which other pages state ranks on it and its best values; beyond,
each record would change them all, so browsers look these up."""
_LONG = 1e15


def states_ranks(board: PublicBoard) -> bool:
    """Whether pages beside the board state ranks on it."""
    return len(board.rows) <= MAX_STATIC_ROWS


def shown_primary(board: PublicBoard) -> Column | None:
    if board.benchmark.leaderboard.hidden:
        return None
    return next((c for c in board.columns if c == board.benchmark.leaderboard.primary), None)


def board_folder(current: PublicBoard, board: PublicBoard) -> str:
    """Folder of a board's own files, from the site's root; ``current`` is its benchmark's."""
    base = board.benchmark.path
    return base if board.phase == current.phase else f"{base}/phases/{board.phase.slug}"


def shown_number(value: float, precision: int) -> str:
    """Return a value as pages show it; one that would take a hundred digits, in short."""
    return f"{value:.3e}" if abs(value) >= _LONG else f"{value:.{precision}f}"
