"""What a board shows beside its scores: times and dates, stated scores, and goals."""

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaluator.core.formats.columns import Column
from evaluator.core.formats.sums import mean
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.core.leaderboard.table import Floats

_NUMBER = re.compile(r"[+-]?\d*\.?(\d*)", re.ASCII)
_LEAST_DECIMALS = 2
"""A claim of ``1`` is not confirmed by 0.6, although it rounds to it."""
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
    """Those of a budget, and dates; none if only states are shown: times tell of data."""
    if board.phase.shows == "status":
        return ()
    columns: list[FactColumn] = []
    budget = board.phase.budget
    if budget is not None and all(budget.items_of(task.index) for task in board.tasks):
        columns.append(FactColumn(key="seconds_per_item", title="s per item"))
    elif budget is not None:
        columns.append(FactColumn(key="prediction_seconds", title=time_title(board)))
    if board.benchmark.dates:
        columns.append(FactColumn(key="submitted", title="Date"))
    return tuple(columns)


def fact(row: Row, column: FactColumn, board: PublicBoard) -> float | str | None:
    """Seconds of predictions or an ISO date; None if not measured."""
    if column.key == "submitted":
        return row.submitted[:10] or None
    seconds = mean_prediction_seconds(row, board)
    budget = board.phase.budget
    if column.key == "prediction_seconds" or budget is None or seconds is None:
        return seconds
    items = [budget.items_of(task.index) or 0 for task in board.tasks if task.slug in row.counted]
    return seconds * len(items) / sum(items)


def time_title(board: PublicBoard) -> str:
    return f"Prediction time{', mean of tasks' if len(board.tasks) > 1 else ''} (s)"


def mean_prediction_seconds(row: Row, board: PublicBoard) -> float | None:
    """The mean over the tasks that count for a row; None if one of them has none."""
    measured = prediction_seconds(board)[row.counted_places, row.place]
    return None if np.isnan(measured).any() or not measured.size else mean(measured.tolist())


@once_per_board
def prediction_seconds(board: PublicBoard) -> Floats:
    """Wall-clock time of the prediction step by task and row, mean over repeats; NaN for none."""
    seconds = board.table.by_repeat("ingestion")
    ran = ~np.isnan(board.table.by_repeat("repeat"))
    known = (ran & ~np.isnan(seconds)).sum(axis=-1)
    means = np.full(known.shape, np.nan)
    for place in zip(*np.nonzero((known > 0) & (known == ran.sum(axis=-1))), strict=True):
        means[place] = mean(seconds[place][ran[place]].tolist())
    return means


def fact_text(value: float | str | None) -> str:
    return f"{value:.3g}" if isinstance(value, float) else value or ""


@dataclass(frozen=True, kw_only=True)
class ClaimedValue:
    """An answer of the fact sheet that states the value of a column."""

    column: Column
    found: float | None
    """What the column holds; None where it holds nothing."""
    agrees: bool
    """Whether it is what the participant states, in as many decimals as they give."""


def check_claim(row: Row, question: str, board: PublicBoard) -> ClaimedValue | None:
    """Compare an answer with its column, but of what is reported: nothing was computed here."""
    answer = row.submission.fact_sheet.get(question)
    column = next((one for one in board.columns if one.claim == question), None)
    if column is None or answer is None or row.submission.reported or row.state != "finished":
        return None
    value = row.overall.get(column.key)
    return ClaimedValue(
        column=column, found=value, agrees=value is not None and _agrees(str(answer), value)
    )


def claim_mark(row: Row, question: str, board: PublicBoard) -> str:
    claim = check_claim(row, question, board)
    if claim is None or claim.agrees:
        return ""
    if claim.found is None:
        return " (not recomputed)"
    return f" (recomputed: {claim.found:.{claim.column.precision}f})"


def _agrees(answer: str, value: float) -> bool:
    match = _NUMBER.fullmatch(answer.strip())
    if match is None or not any(character.isdigit() for character in answer):
        return False
    decimals = max(len(match[1]) if "." in answer else 0, _LEAST_DECIMALS)
    # Either way of rounding a half is accepted.
    return abs(float(answer) - value) <= 0.5 / 10.0**decimals * (1 + 1e-9)


@dataclass(frozen=True, kw_only=True)
class GoalLine:
    """One goal on a board."""

    column: Column
    label: str
    value: float
    position: int
    """Number of rows that stand before it. Where the column does not rank, the line stands after
    all that have a rank."""
    reached: int
    """Number of ranked rows whose value is as good or better."""
    after_rank: int
    """Rank of the row before it; 0 where it stands first."""


def goal_lines(board: PublicBoard) -> tuple[GoalLine, ...]:
    placed = board.ranked
    lines = []
    for column in board.columns:
        goal = column.goal
        if goal is None:
            continue
        sign = 1 if column.sorting == "asc" else -1
        reached = sum(
            sign * row.overall[column.key] <= sign * goal.value
            for row in placed
            if column.key in row.overall
        )
        primary = column.key == board.benchmark.leaderboard.primary.key
        position = reached if primary else len(placed)
        lines.append(GoalLine(
            column=column, label=goal.label, value=goal.value, reached=reached,
            position=position, after_rank=placed[position - 1].rank or 0 if position else 0,
        ))  # fmt: skip
    return tuple(sorted(lines, key=lambda line: line.position))
