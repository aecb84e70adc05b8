"""Columns of a board that are no scores: how long predictions took, and when a submission came."""

from dataclasses import dataclass
from typing import Literal

from evaluator.core.formats.sums import mean, total
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard

FactKey = Literal["seconds_per_item", "prediction_seconds", "submitted"]


@dataclass(frozen=True, kw_only=True)
class FactColumn:
    """One such column."""

    key: FactKey
    title: str

    @property
    def is_number(self) -> bool:
        return self.key != "submitted"


def fact_columns(board: PublicBoard) -> tuple[FactColumn, ...]:
    """Return the columns that a board has: those of a budget, and dates where they are asked for.

    A phase that shows only whether a submission ran has none: times may tell of the data.
    """
    if board.phase.shows == "status":
        return ()
    columns: list[FactColumn] = []
    budget = board.phase.budget
    if budget is not None and all(budget.items_of(task.index) for task in board.tasks):
        columns.append(FactColumn(key="seconds_per_item", title="s per item"))
    elif budget is not None:
        columns.append(FactColumn(key="prediction_seconds", title="s for predictions"))
    if board.benchmark.dates:
        columns.append(FactColumn(key="submitted", title="Date"))
    return tuple(columns)


def fact(row: Row, column: FactColumn, board: PublicBoard) -> float | str | None:
    """Return a value: seconds over all tasks and repeats on average, or an ISO date.

    None where there is none: nothing was measured of results that were submitted as such.
    """
    if column.key == "submitted":
        return row.submitted[:10] or None
    task_seconds = [_seconds(row, task.slug) for task in board.tasks]
    measured = [seconds for seconds in task_seconds if seconds is not None]
    if len(measured) < len(task_seconds):
        return None
    taken_in_all = total(measured)
    budget = board.phase.budget
    if column.key == "prediction_seconds" or budget is None:
        return taken_in_all
    return taken_in_all / sum(budget.items_of(task.index) or 0 for task in board.tasks)


def fact_text(value: float | str | None) -> str:
    return f"{value:.3g}" if isinstance(value, float) else value or ""


def _seconds(row: Row, task: str) -> float | None:
    """Mean wall-clock seconds of the prediction step over repeats; None where one has none."""
    steps = [record.step("ingestion") for record in row.tasks[task].records]
    seconds = [step.wall_seconds for step in steps if step is not None]
    return mean(seconds) if seconds and len(seconds) == len(steps) else None
