"""Is the lead real? What a board's page of that name shows, and its file."""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import numpy as np

from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.core.leaderboard.tables import Cells, csv_parts
from evaluator.plugins.insight.statistics.intervals import MAX_DUELS, Intervals, intervals
from evaluator.plugins.insight.statistics.measured import Counts, Numbers
from evaluator.plugins.insight.statistics.sign_flips import ALPHA, MAX_COMPARED
from evaluator.plugins.insight.statistics.stability import stability
from evaluator.site.leaderboard.wording import percent

MAX_LINES = 200
"""Rows that the page shows; the file has all."""
_SHADES = 7


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the board."""

    row: Row
    low: int
    """The best rank of its interval; 0 where it is not compared with all others."""
    high: int
    group: int
    behind: float
    """How far it is behind the first row, in the column that ranks; NaN for none."""
    margin: float
    """How far the true distance may be from that; NaN for none."""
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


@once_per_board
def confidence(board: PublicBoard) -> Confidence | str:
    certain = intervals(board)
    if isinstance(certain, str):
        return certain
    stable = stability(board)
    by_row: dict[str, Counts | Numbers] = {
        "low": certain.low,
        "high": certain.high,
        "group": certain.groups,
        "behind": certain.behind,
        "margin": certain.margin,
    }
    if stable is not None:
        best, worst = stable.low.astype(np.int64), stable.high.astype(np.int64)
        by_row |= {"best": best, "worst": worst, "first": stable.first, "same": stable.same}
    numbers = zip(*(one.tolist() for one in by_row.values()), strict=True)
    lines = tuple(
        Line(row=row, **dict(zip(by_row, own, strict=True)))
        for row, own in zip(certain.rows, numbers, strict=True)
    )
    return Confidence(
        intervals=certain, lines=lines, weightings=0 if stable is None else stable.weightings
    )


def basis(certainty: Confidence, board: PublicBoard) -> Iterator[str]:
    certain = certainty.intervals
    units = certain.noun(board.benchmark.task_noun)
    pairs = certain.pairs
    flips = f"all {pairs.flips:,}" if pairs.is_exact else f"{pairs.flips:,} random"
    yield (
        "If two rows are equally good, the sign of their difference is a coin toss on each of the "
        f"{units}. The signs are flipped in {flips} ways. A difference is significant if at most "
        f"{percent(ALPHA)} of the flips make any pair of the board differ so clearly. So at most 5 "
        "of 100 boards on which all are equally good show a significant difference."
    )
    if not certain.can_separate:
        yield f"{certain.units:,} {units} are too few for any difference to be significant."
        return
    yield (
        "A rank interval begins after the rows that are significantly better and ends before those "
        "that are significantly worse. A group holds the rows from which its first row does not "
        "differ significantly. The distances to the first row are all within their margins on 95 "
        "of 100 boards."
    )
    if len(certain.rows) > MAX_COMPARED:
        yield f"The first {MAX_COMPARED} rows are compared with all others."
    if certainty.weightings:
        yield (
            f"Over weightings: the ranks by {certainty.weightings:,} random weightings of the "
            f"{units}, all of which are equally likely."
        )


def shade(share: float) -> str:
    """Class of a cell that shows a share: the greater the darker."""
    return f"heat-{round(share * (_SHADES - 1))}"


def confidence_csv(certainty: Confidence) -> str:
    rows, certain = [line.row for line in certainty.lines], certainty.intervals
    names = [f"wins_{row.submission.participant}/{row.submission.name}" for row in certainty.named]
    wins = np.full((len(rows), len(names)), np.nan)
    wins[: len(names)] = np.where(np.eye(len(names), dtype=np.bool_), np.nan, certain.wins)
    lines = certainty.lines
    columns: dict[str, Cells] = {
        "rank": [row.rank for row in rows],
        "participant": [row.submission.participant for row in rows],
        "submission": [row.submission.name for row in rows],
        "low": [line.low or None for line in lines],
        "high": [line.high or None for line in lines],
        "group": [line.group or None for line in lines],
        "behind_first": certain.behind,
        "margin": certain.margin,
        "p_first": np.where(np.arange(len(rows)) > 0, certain.p, np.nan),
        "weighted_best": [line.best for line in lines],
        "weighted_worst": [line.worst for line in lines],
        "weighted_first": np.array([line.first for line in lines], dtype=np.float64),
        "weighted_same": np.array([line.same for line in lines], dtype=np.float64),
    }
    return "".join(csv_parts([*columns, *names], [*columns.values(), *wins.T]))


def share_text(share: float | None) -> str:
    return "" if share is None else percent(share)
