"""How certain each rank is: which rows are separated from which, and rank intervals from that.

The one verdict of a board. Rows are compared by what they get on each task (their value, rank or
share of wins, as the board ranks) or, with one task, in each of its repeats. If these are too few,
they are compared on samples of the tasks. Repeats and samples say nothing of other tasks.
``sign_flips`` has the tests, decision 0023 the reasons.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.core.plugins import load_all
from evaluator.core.ranking.ranks import is_equal
from evaluator.plugins.insight.statistics.measured import Counts, Flags, Measured, Numbers, measure
from evaluator.plugins.insight.statistics.sign_flips import (
    ALPHA,
    MAX_COMPARED,
    Pairs,
    compare_pairs,
)
from evaluator.site.insight import Blocks, RankSpan

MAX_DUELS = 20
"""Rows whose wins over each other are shown: the first."""


@dataclass(frozen=True, kw_only=True)
class Intervals:
    """What the tests say of the rows that have a rank."""

    rows: tuple[Row, ...]
    """In the order of the board."""
    low: Counts
    """By row: one more than the rows that are better for certain; 0 beyond the rows compared."""
    high: Counts
    """The rank it has if all rows that are not worse for certain are better; 0 as above."""
    groups: Counts
    """From 1: each row is in the first group from whose first row it is not separated; 0 as above.
    """
    better: Flags
    """Of the first rows (line) and all (column): whether the line is better for certain."""
    wins: Numbers
    """Of the first rows: the share of tasks on which a row (line) beats another (column), a tie
    counting half; NaN if they share none."""
    p: Numbers
    """Of the first row and each: how often chance separates any pair of the board so clearly."""
    behind: Numbers
    """By row: how much worse it is than the first, in the column that ranks."""
    pairs: Pairs = field(repr=False)
    tasks: int
    repeats: int
    blocks: Blocks | None = None
    """Of the tasks, if these and their repeats are too few."""

    @cached_property
    def margin(self) -> Numbers:
        """By row: 95 of 100 boards have all true distances within this of ``behind``; or NaN."""
        first = self.pairs.margin(1)[0]
        return np.where(np.isfinite(first), first, np.nan)

    @property
    def can_separate(self) -> bool:
        """Whether there are enough tasks (or repeats) to separate rows."""
        return self.pairs.can_separate

    @property
    def units(self) -> int:
        """Tasks or, where there is one, its repeats; or else samples, or groups of these."""
        if self.blocks:
            return self.blocks.count
        return self.tasks if self.tasks > 1 else self.repeats

    def noun(self, task_noun: str) -> str:
        """Return what these units are, in the plural."""
        if self.blocks:
            return self.blocks.noun
        return f"{task_noun}s" if self.tasks > 1 else "repeats"


@once_per_board
def intervals(board: PublicBoard) -> Intervals | str:
    """Compare the rows of a published board, or say why nothing can be concluded that way."""
    measured = measure(board)
    if isinstance(measured, str):
        return measured
    if len(measured.rows) < 2:
        return "One row has a rank; there is nothing to compare it with."
    has_units = measured.tasks > 1 or measured.repeats > 1
    certain = _intervals(measured) if has_units else "There is one task, which was run once."
    if isinstance(certain, Intervals) and certain.can_separate:
        return certain
    read = (samples(board) for samples in load_all("samples"))
    blocks: Blocks | None = next(filter(None, read), None)
    return _intervals(measured, blocks) if blocks else certain


def intervals_of(board: PublicBoard) -> Mapping[str, tuple[int, int, int]]:
    """Submission's id -> best and worst rank of its interval, and its group; empty without any."""
    certain = intervals(board)
    if isinstance(certain, str):
        return {}
    numbers = zip(certain.low.tolist(), certain.high.tolist(), certain.groups.tolist(), strict=True)
    return {
        row.submission.id: span
        for row, span in zip(certain.rows[:MAX_COMPARED], numbers, strict=False)
    }


def rank_spans(board: PublicBoard) -> Mapping[str, RankSpan]:
    """Return the same with margins of values; empty if tasks are too few to tell."""
    certain = intervals(board)
    if isinstance(certain, str) or not certain.can_separate:
        return {}
    spans = zip(intervals_of(board).items(), certain.margin.tolist(), strict=False)
    return {name: (*span, None if np.isnan(one) else one or None) for (name, span), one in spans}


def _intervals(measured: Measured, blocks: Blocks | None = None) -> Intervals:
    values = blocks.values if blocks else measured.by_units()
    pairs = compare_pairs(values)
    ranks = np.array([row.rank for row in measured.rows])
    better = is_better(pairs, ranks)
    low, high = certain_intervals(better, ranks)
    return Intervals(
        rows=measured.rows,
        low=low,
        high=np.minimum(high, ranks.max()) if measured.dense else high,
        groups=_groups(better),
        better=better,
        wins=_wins(values[:, :MAX_DUELS]),
        p=pairs.p[0],
        behind=pairs.difference[0],
        pairs=pairs,
        tasks=measured.tasks,
        repeats=measured.repeats,
        blocks=blocks,
    )


def is_better(pairs: Pairs, ranks: Counts) -> Flags:
    """Which rows are better for certain: the tests say so, and so does the board's own order."""
    ahead = ranks[: len(pairs.p), None] < ranks
    return np.asarray((pairs.p <= ALPHA) & ahead & (pairs.difference > 0))


def certain_intervals(better: Flags, ranks: Counts) -> tuple[Counts, Counts]:
    """Best and worst rank by row, from who is better for certain."""
    lines, rows = better.shape
    low, high = np.zeros((2, rows), dtype=np.int64)
    low[:lines] = np.minimum(1 + better[:, :lines].sum(axis=0), ranks[:lines])
    high[:lines] = np.maximum(rows - better.sum(axis=1), ranks[:lines])
    return low, high


def _groups(better: Flags) -> Counts:
    """Put each row into the first group from whose first it is not separated, or begin the next."""
    lines, rows = better.shape
    groups = np.zeros(rows, dtype=np.int64)
    for first in range(lines):
        if not groups[first]:
            near = np.flatnonzero(~better[first, first:lines]) + first
            groups[near[groups[near] == 0]] = groups.max() + 1
    return groups


def _wins(values: Numbers) -> Numbers:
    one, other = values[:, :, None], values[:, None, :]
    tied = is_equal(one, other)
    known = ~np.isnan(one) & ~np.isnan(other)
    won = np.where(tied, 0.5, (one > other) & ~tied)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, won, 0.0).sum(axis=0) / known.sum(axis=0))
