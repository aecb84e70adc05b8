"""The numbers of a board as arrays, read once for all that shows, ranks or writes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evaluator.board.leaderboard import Board, Row
from evaluator.board.per_board import once_per_board
from evaluator.board.results import State, TaskResult
from evaluator.formats.columns import Column
from evaluator.formats.phases import Task

Floats = npt.NDArray[np.float64]
STATES: tuple[State, ...] = ("finished", "failed", "stale", "missing")
"""In the order of their numbers; that of what finished is 0."""
_CODES = {state: code for code, state in enumerate(STATES)}
_NONE: dict[str, float] = {}


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
        found = np.array([_CODES[one.state] for one in self._results], dtype=np.int8)
        return found.reshape(len(self.rows), len(self.tasks)).T

    @cached_property
    def scores(self) -> Mapping[str, Floats]:
        """Key of a column of single tasks -> values by task and row, of what finished."""
        values = [one.values if one.state == "finished" else _NONE for one in self._results]
        return {
            column.key: self._by_task([one.get(column.key) for one in values])
            for column in self.task_columns
        }

    @cached_property
    def deviations(self) -> Mapping[str, Floats]:
        """Column key -> deviations over repeats by task and row, of columns that have any."""
        known = {key for one in self._results for key in one.deviations}
        return {
            column.key: self._by_task([one.deviations.get(column.key) for one in self._results])
            for column in self.task_columns
            if column.key in known
        }

    @cached_property
    def seconds(self) -> Floats:
        """Wall-clock seconds of all steps and repeats, by task and row."""
        return self._by_task([one.seconds for one in self._results])

    @cached_property
    def memory(self) -> Floats:
        """Bytes of the largest step, by task and row."""
        return self._by_task([one.peak_memory for one in self._results])

    @cached_property
    def _results(self) -> Sequence[TaskResult]:
        """Row by row, as they lie in memory: the other way round it takes twice as long."""
        slugs = [task.slug for task in self.tasks]
        return [row.tasks[slug] for row in self.rows for slug in slugs]

    def _by_task(self, values: Sequence[float | None]) -> Floats:
        found = np.array(values, dtype=np.float64).reshape(len(self.rows), len(self.tasks))
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
