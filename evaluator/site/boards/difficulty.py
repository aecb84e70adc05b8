"""What is missing on each task, in two parts: what nobody reaches, and what methods gain.

As in the paper on Codabench (section on AutoGraph): intrinsic difficulty is 1 - best, modelling
difficulty is best - baseline. For errors, where lower is better, both are turned round.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.core.formats.columns import Column
from evaluator.core.formats.phases import Task
from evaluator.core.formats.sums import finite
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard


@dataclass(frozen=True, kw_only=True)
class TaskDifficulty:
    """One task by one column. Neither part is negative."""

    task: Task
    baseline: float
    best: float
    """Best value of all submissions, the baseline among them."""
    modelling: float
    """How far the best is from the baseline."""
    perfect: float
    """The value that cannot be bettered."""
    intrinsic: float
    """How far the best is from that."""


@dataclass(frozen=True, kw_only=True)
class ColumnDifficulty:
    """All tasks by one column."""

    column: Column
    tasks: tuple[TaskDifficulty, ...]
    """In the order of the board; those on which the baseline has finished."""

    def longest(self, one: TaskDifficulty) -> float:
        """What a full bar is: the most that is missing on a task, or on this one."""
        compared = self.tasks if self.column.mean else (one,)
        return max(finite(item.modelling + item.intrinsic) for item in compared)

    @property
    def perfect(self) -> frozenset[float]:
        return frozenset(item.perfect for item in self.tasks)


def difficulties(board: PublicBoard) -> tuple[ColumnDifficulty, ...]:
    """Compute the parts for shown columns, unless a value is better than the perfect one."""
    if board.benchmark.leaderboard.hidden:
        return ()
    every = (*board.rows, *board.unlisted)
    named = f"{board.benchmark.name}/{board.benchmark.baseline}"
    baseline = next((row for row in every if row.submission.id == named), None)
    rows = [row for row in every if row.counts or row is baseline]
    if baseline is None:
        return ()
    written = board.benchmark.leaderboard.score_keys
    by_column = (
        _column(board, rows, baseline, column) for column in board.columns if column.key in written
    )
    return tuple(item for item in by_column if item is not None and item.tasks)


def _column(
    board: PublicBoard, rows: Sequence[Row], baseline: Row, column: Column
) -> ColumnDifficulty | None:
    sign = 1 if column.sorting == "desc" else -1
    tasks: list[TaskDifficulty] = []
    for task in board.tasks:
        start = _value(baseline, task, column)
        values = [value for row in rows if (value := _value(row, task, column)) is not None]
        if start is None:
            continue
        best = max(values) if sign > 0 else min(values)
        perfect = task.extension.perfect.get(column.key, column.perfect)
        intrinsic = finite(sign * (perfect - best))
        if intrinsic < 0:
            return None
        tasks.append(
            TaskDifficulty(
                task=task, baseline=start, best=best, perfect=perfect,
                modelling=finite(sign * (best - start)), intrinsic=intrinsic,
            )
        )  # fmt: skip
    return ColumnDifficulty(column=column, tasks=tuple(tasks))


def _value(row: Row, task: Task, column: Column) -> float | None:
    result = row.tasks[task.slug]
    return result.values.get(column.key) if result.state == "finished" else None
