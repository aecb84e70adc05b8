"""Is the lead real? What a board's page of that name shows, and its file."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import numpy as np

from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.core.leaderboard.tables import Cells, csv_parts
from evaluator.plugins.insight.statistics.intervals import MAX_DUELS, Intervals, intervals
from evaluator.plugins.insight.statistics.measured import Numbers
from evaluator.plugins.insight.statistics.stability import Stability, stability
from evaluator.plugins.insight.study_form import ComparisonData
from evaluator.site.boards.comparison import shown_number
from evaluator.site.boards.wording import percent
from evaluator.site.content.insight import Missing

MAX_LINES = 200
"""Rows that the page shows; the file has all."""
_SHADES = 7


class ConfidenceLine(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the board."""

    row: Row
    low: int
    """The best rank of its interval."""
    high: int
    group: int
    behind: float
    """How far it is behind the first row, in the column that ranks; NaN for none. Where ratios are
    compared, how many times its value is that of the first."""
    least: float
    """Limits of the true distance; NaN for none."""
    most: float

    def distance(self, decimals: int) -> str:
        """Write the distance with its limits, if there are some."""
        if math.isnan(self.behind):
            return "\u2013"
        if not math.isfinite(self.least + self.most):
            return shown_number(self.behind, decimals)
        behind, least, most = (
            shown_number(one, decimals) for one in (self.behind, self.least, self.most)
        )
        return f"{behind} ({least} to {most})"


@dataclass(frozen=True, kw_only=True)
class Confidence:
    """How far a board's order can be trusted."""

    intervals: Intervals
    lines: tuple[ConfidenceLine, ...]
    """In the order of the board."""
    stable: Stability | None
    """Over weightings of the tasks; None where there is one."""

    @property
    def named(self) -> tuple[Row, ...]:
        """Rows that are compared pair by pair."""
        return self.intervals.rows[:MAX_DUELS]


@once_per_board
def confidence(board: PublicBoard) -> Confidence | Missing:
    certain = intervals(board)
    if isinstance(certain, Missing):
        return certain
    distances = [certain.behind, *certain.limits]
    by_row = zip(
        certain.rows, certain.low.tolist(), certain.high.tolist(), certain.groups.tolist(),
        *(one.tolist() for one in (map(np.exp, distances) if certain.is_by_ratio else distances)),
        strict=True,
    )  # fmt: skip
    return Confidence(
        intervals=certain, stable=stability(board),
        lines=tuple(
            ConfidenceLine(
                row=row, low=low, high=high, group=group, behind=behind, least=least, most=most
            )
            for row, low, high, group, behind, least, most in by_row
        ),
    )  # fmt: skip


def basis(certainty: Confidence) -> Iterator[str]:
    certain = certainty.intervals
    pairs, units = certain.pairs, certain.noun
    if not certain.can_separate:
        yield f"{certain.units:,} {units} are too few for any difference to be significant."
        return
    turns = f"all {pairs.turns:,}" if pairs.is_exact else f"{pairs.turns:,} random"
    together = "" if pairs.two else ", of all pairs together"
    if len(pairs.shares) < certain.units:
        together += f", and those of every {len(pairs.shares):,}th of the {units} alike"
    yield (
        "If two rows are equally good, the sign of their difference is a coin toss on each of the "
        f"{units}. The signs are turned in {turns} ways{together}. A pair is "
        "significantly different if it is clearer than the clearest pair of 95% of these. So at "
        "most 5 of 100 boards on which all are equally good show a significant difference, however "
        f"many rows there are and however much each of the {units} counts."
    )
    yield (
        "A rank interval holds the ranks between the rows that are significantly better and those "
        "that are significantly worse. A group holds the rows from which its first row does not "
        "differ significantly. The limits of a distance hold 0 exactly where two rows do not "
        "differ significantly; on 95 of 100 boards all true distances are within."
    )
    yield (
        "A gap that would show is 1.5 half widths of these limits: four of five boards see it. "
        "The condition is that a difference of x is as likely as one of -x between equal programs. "
        "Rare failures of one program alone break it, and so do times that are not compared by "
        "ratio."
    )
    if certain.is_by_ratio:
        yield "Rows are compared by ratios, so a distance is how many times the first one's value."


def shade(share: float) -> str:
    """Class of a cell that shows a share: the greater the darker."""
    return f"heat-{round(share * (_SHADES - 1))}"


def confidence_csv(certainty: Confidence) -> str:
    rows, certain = [line.row for line in certainty.lines], certainty.intervals
    names = [f"wins_{row.submission.short_name}" for row in certainty.named]
    wins = np.full((len(rows), len(names)), np.nan)
    wins[: len(names)] = np.where(np.eye(len(names), dtype=np.bool_), np.nan, certain.wins)
    lines = certainty.lines
    columns: dict[str, Cells] = {
        "rank": [row.rank for row in rows],
        "participant": [row.submission.participant for row in rows],
        "submission": [row.submission.name for row in rows],
        "low": certain.low.tolist(),
        "high": certain.high.tolist(),
        "group": certain.groups.tolist(),
        "behind_first": np.array([line.behind for line in lines]),
        "behind_low": np.array([line.least for line in lines]),
        "behind_high": np.array([line.most for line in lines]),
        "p_first": np.where(np.arange(len(rows)) > 0, certain.p, np.nan),
    }
    if (stable := certainty.stable) is not None:
        columns |= {
            "weighted_best": stable.low.astype(np.int64).tolist(),
            "weighted_worst": stable.high.astype(np.int64).tolist(),
            "weighted_first": stable.first, "weighted_same": stable.same,
        }  # fmt: skip
    return "".join(csv_parts([*columns, *names], [*columns.values(), *wins.T]))


def share_text(share: float | None) -> str:
    return "" if share is None else percent(share)


def comparisons(certainty: Confidence) -> Iterator[ComparisonData]:
    """Yield each question with what tells any two rows apart, as *Compare* does in a browser."""
    for one in (certainty.intervals, *certainty.intervals.beside):
        pairs, two = one.pairs, one.pairs.two
        yield ComparisonData(
            about=one.about, noun=one.noun, units=one.units, tasks=one.tasks,
            turns=pairs.turns, critical=pairs.critical, lent=pairs.lent,
            by_ratio=one.is_by_ratio, scale=pairs.scale,
            rows=[row.submission.short_name for row in one.rows],
            tolerated=one.tolerated, shares=_short(pairs.shares),
            means=[*_short(pairs.means)], parts=[[*_short(parts)] for parts in pairs.parts.T],
            two=[two.p, two.distance, two.low, two.high] if two else None,
        )  # fmt: skip


def _short(numbers: Numbers) -> list[float]:
    """Numbers in twelve digits; the file has null for NaN, and for infinite ones."""
    return [float(f"{number:.12g}") for number in numbers.tolist()]
