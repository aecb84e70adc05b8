"""What is computed once for a board, and forgotten with it."""

import functools
import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

from evaluator.core.leaderboard.published import PublicBoard

T = TypeVar("T")


class once_per_board(Generic[T]):  # noqa: N801 - a decorator
    """Keep what a function of a board returns, for as long as that very board lives.

    Boards hold mappings and have no hash, so it is the object that is asked about, not its value.
    """

    def __init__(self, compute: Callable[[PublicBoard], T]) -> None:
        self._compute = compute
        self._values: dict[int, T] = {}
        functools.update_wrapper(self, compute)

    def __call__(self, board: PublicBoard) -> T:
        if id(board) not in self._values:
            self.store(board, self._compute(board))
        return self._values[id(board)]

    def store(self, board: PublicBoard, value: T) -> None:
        """Store what another process has computed."""
        if id(board) not in self._values:
            weakref.finalize(board, self._values.pop, id(board), None)
        self._values[id(board)] = value
