"""The numbers of a board as arrays, read once for all that shows, ranks or writes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from evaluator.formats.columns import Column
from evaluator.formats.phases import Task
from evaluator.leaderboard.board import Board, Row
from evaluator.leaderboard.per_board import once_per_board
from evaluator.leaderboard.summaries import STATES as STATES
from evaluator.leaderboard.summaries import Summary

Floats = npt.NDArray[np.float64]
Number = TypeVar("Number", np.float64, np.int8)


@dataclass(frozen=True, kw_only=True)
class Arrays:
    """Values by row; NaN for none."""

    rows: Sequence[Row]
    """Those of the board, then those that it does not list."""
    tasks: Sequence[Task]
    columns: Sequence[Column]
    task_columns: Sequence[Column]

    def read(self) -> None:
        """Read all kinds now, while the results are at hand."""
        _ = self.overall, self.states, self.scores, self.deviations, self.seconds, self.memory

    @cached_property
    def overall(self) -> Mapping[str, Floats]:
        """Column key -> values over all tasks."""
        return {
            column.key: np.array([row.overall.get(column.key) for row in self.rows], np.float64)
            for column in self.columns
        }

    @cached_property
    def states(self) -> npt.NDArray[np.int8]:
        """Places among STATES by task and row."""
        found = np.frombuffer(b"".join(one.states for one in self._summaries), np.int8)
        return self._by_task(found)

    @cached_property
    def scores(self) -> Mapping[str, Floats]:
        """Key of a column of single tasks -> values by task and row, of what finished."""
        return {column.key: self.finished(column.key) for column in self.task_columns}

    @cached_property
    def deviations(self) -> Mapping[str, Floats]:
        """Column key -> deviations over repeats by task and row, of columns that have any."""
        known = {key for one in self._summaries for key in one.deviations}
        return {
            column.key: self._of_key(column.key, "deviations")
            for column in self.task_columns
            if column.key in known
        }

    @cached_property
    def seconds(self) -> Floats:
        """Wall-clock seconds of all steps and repeats, by task and row."""
        return self._joined([one.seconds for one in self._summaries])

    @cached_property
    def memory(self) -> Floats:
        """Bytes of the largest step, by task and row."""
        return self._joined([one.memory for one in self._summaries])

    def finished(self, key: str) -> Floats:
        """Return the values of any column by task and row, of what finished."""
        return np.where(self.states == 0, self._of_key(key, "values"), np.nan)

    @cached_property
    def _summaries(self) -> Sequence[Summary]:
        return [row.summary for row in self.rows]

    def _of_key(self, key: str, kind: Literal["values", "deviations"]) -> Floats:
        none = np.full(len(self.tasks), np.nan).tobytes()
        found = [getattr(one, kind).get(key, none) for one in self._summaries]
        return self._joined(found)

    def _joined(self, numbers: Sequence[bytes]) -> Floats:
        return self._by_task(np.frombuffer(b"".join(numbers), np.float64))

    def _by_task(self, numbers: npt.NDArray[Number]) -> npt.NDArray[Number]:
        found = numbers.reshape(len(self.rows), len(self.tasks))
        return np.ascontiguousarray(found.T)


@once_per_board
def arrays(board: Board) -> Arrays:
    """Return the numbers of a board, each kind read when it is first asked for."""
    # Not of the board itself, which would then never be forgotten.
    return Arrays(
        rows=(*board.rows, *board.unlisted),
        tasks=board.tasks,
        columns=board.columns,
        task_columns=board.task_columns,
    )
