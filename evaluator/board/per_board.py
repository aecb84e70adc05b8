"""What is computed once for a board, and forgotten with it."""

import functools
import weakref
from collections.abc import Callable
from typing import TypeVar

from evaluator.board.leaderboard import Board

T = TypeVar("T")


def once_per_board(compute: Callable[[Board], T]) -> Callable[[Board], T]:
    """Keep what a function of a board returns, for as long as that very board lives.

    Boards hold mappings and have no hash, so it is the object that is asked about, not its value.
    """
    kept: dict[int, T] = {}

    @functools.wraps(compute)
    def once(board: Board) -> T:
        key = id(board)
        if key not in kept:
            kept[key] = compute(board)
            weakref.finalize(board, kept.pop, key, None)
        return kept[key]

    return once
