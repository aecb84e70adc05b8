"""Is the lead real? What a board's page of that name shows, and its file."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from evaluator.leaderboard.board import Board, Row
from evaluator.leaderboard.csv_lines import Column, csv_parts
from evaluator.leaderboard.per_board import once_per_board
from evaluator.leaderboard.wording import percent
from evaluator.statistics.intervals import ENOUGH, MAX_DUELS, Intervals, intervals
from evaluator.statistics.score_matrix import Counts, Numbers
from evaluator.statistics.stability import Stability, stability

MAX_LINES = 200
"""Rows that the page shows; the file has all."""
_SHADES = 7


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the board."""

    row: Row
    low: int
    """The best rank of its interval."""
    high: int
    group: int
    best: int | None = None
    """Its best rank by any of the weightings; None where there is one task."""
    worst: int | None = None
    first: float | None = None
    """Share of the weightings by which it is first."""
    same: float | None = None
    """Share by which it has the rank that it has."""


@dataclass(frozen=True, kw_only=True)
class Confidence:
    """How far a board's order can be trusted."""

    intervals: Intervals
    lines: tuple[Line, ...]
    """In the order of the board."""
    weightings: int
    """How many were drawn; 0 where there is one task."""

    @property
    def named(self) -> tuple[Row, ...]:
        """Rows that are compared pair by pair."""
        return self.intervals.rows[:MAX_DUELS]


Resampled = tuple[Intervals | str, Stability | None]
"""What takes long to compute, as numbers; rows are left to who knows the board."""


def resample(board: Board) -> Resampled:
    """Compute what is known of a published board's order, so that another process can have it."""
    drawn = intervals(board)
    return drawn if isinstance(drawn, str) else replace(drawn, rows=()), stability(board)


def set_resampled(board: Board, resampled: Resampled) -> None:
    """Use what another process has computed of this board."""
    drawn, stable = resampled
    if not isinstance(drawn, str):
        intervals.store(board, replace(drawn, rows=board.ranked))
        stability.store(board, stable)


@once_per_board
def confidence(board: Board) -> Confidence | str:
    """Return what is known of a published board's order, or why nothing is."""
    drawn = intervals(board)
    if isinstance(drawn, str):
        return drawn
    stable = stability(board)
    by_row: dict[str, Counts | Numbers] = {
        "low": drawn.low,
        "high": drawn.high,
        "group": drawn.groups,
    }
    if stable is not None:
        best, worst = stable.low.astype(np.int64), stable.high.astype(np.int64)
        by_row |= {"best": best, "worst": worst, "first": stable.first, "same": stable.same}
    numbers = zip(*(one.tolist() for one in by_row.values()), strict=True)
    lines = tuple(
        Line(row=row, **dict(zip(by_row, own, strict=True)))
        for row, own in zip(drawn.rows, numbers, strict=True)
    )
    return Confidence(
        intervals=drawn, lines=lines, weightings=0 if stable is None else stable.weightings
    )


def basis(certainty: Confidence, board: Board) -> Iterator[str]:
    """Yield how the page's numbers are made."""
    drawn = certainty.intervals
    unit = board.benchmark.task_noun
    what = f"{drawn.tasks} {unit}s" if drawn.tasks > 1 else f"the {drawn.repeats} repeats"
    within = (
        f", and the {drawn.repeats} repeats of each drawn {unit},"
        if drawn.tasks > 1 and drawn.repeats > 1
        else ""
    )
    yield (
        f"The {what}{within} are drawn again {drawn.draws:,} times, with replacement and the same "
        "for all rows, and ranked by the rules of the board. 95 of 100 ranks that a row then has "
        "are in its interval."
    )
    yield (
        "Two rows are told apart where one beats the other in at least 97.5 % of the draws; rows "
        "of a group are not told apart from its first."
    )
    if not drawn.can_separate:
        yield (
            f"Below {ENOUGH} {unit}s{' or repeats' if drawn.tasks == 1 else ''} nothing is told "
            "apart, and the intervals are rough."
        )
    if certainty.weightings:
        yield (
            f"Over weightings: the ranks by {certainty.weightings:,} random weightings of the "
            f"{unit}s, all of which are equally likely."
        )


def shade(share: float) -> str:
    """Class of a cell that shows a share: the greater the darker."""
    return f"heat-{round(share * (_SHADES - 1))}"


def confidence_csv(certainty: Confidence) -> str:
    """Return all rows as CSV, shares between 0 and 1."""
    rows, drawn = [line.row for line in certainty.lines], certainty.intervals
    names = [f"beats_{row.submission.participant}/{row.submission.name}" for row in certainty.named]
    beats = np.full((len(rows), len(names)), np.nan)
    beats[: len(names)] = np.where(np.eye(len(names), dtype=np.bool_), np.nan, drawn.beats)
    lines = certainty.lines
    columns: dict[str, Column] = {
        "rank": [row.rank for row in rows],
        "participant": [row.submission.participant for row in rows],
        "submission": [row.submission.name for row in rows],
        "low": [line.low for line in lines],
        "high": [line.high for line in lines],
        "group": [line.group for line in lines],
        "weighted_best": [line.best for line in lines],
        "weighted_worst": [line.worst for line in lines],
        "weighted_first": np.array([line.first for line in lines], dtype=np.float64),
        "weighted_same": np.array([line.same for line in lines], dtype=np.float64),
    }
    return "".join(csv_parts([*columns, *names], [*columns.values(), *beats.T]))


def share_text(share: float | None) -> str:
    """Write a share as a reader reads it."""
    return "" if share is None else percent(share)
