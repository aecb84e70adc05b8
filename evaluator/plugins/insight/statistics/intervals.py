"""How certain each rank is: which rows are apart, and rank intervals from that.

The one verdict of a board, by ``core.ranking.comparison``. What it is about depends on counts
alone: on tasks like these, if there are six, or else on these tasks and other runs, or other
samples, of them. Each question that can be asked has its own answer; decision 0023 says why.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.core.leaderboard.table import FAILED
from evaluator.core.ranking.comparison import (
    FEWEST,
    AllPairs,
    about_these_tasks,
    compare_all,
    join_groups,
)
from evaluator.core.ranking.ranks import is_equal
from evaluator.plugins.insight.statistics.measured import Counts, Flags, Measured, Numbers, measure
from evaluator.site.content.insight import SAMPLES, Missing, RankSpan

MAX_DUELS = 20
"""Rows whose wins over each other are shown: the first."""
MAX_COMPARED = 3000
"""Rows of a board beyond which none are compared: there are too many pairs."""
About = Literal["tasks", "runs", "samples"]


@dataclass(frozen=True, kw_only=True)
class Intervals:
    """The answer to one question about the rows that have a rank."""

    rows: tuple[Row, ...]
    """In the order of the board."""
    about: About
    """Tasks like these, or these tasks and other runs, or other samples, of them."""
    units: int
    """Tasks, runs or samples that are compared; of those in groups, the groups."""
    noun: str
    """What these are, in the plural."""
    low: Counts
    """By row: one more than the rows that are better for certain."""
    high: Counts
    """The rank it has if all rows that are not worse for certain are better."""
    groups: Counts
    """From 1: each row is in the first group from whose first row it is not apart."""
    better: Flags
    """Whether a row (line) is better for certain than another (column)."""
    wins: Numbers
    """Of the first rows: the share of tasks, runs or samples on which a row (line) beats another
    (column), a tie counting half; NaN if they share none."""
    p: Numbers
    """Of the first row and each: how often chance makes any pair of the board so clear."""
    behind: Numbers
    """By row: how much worse it is than the first, in the column that ranks, or its logarithm."""
    limits: tuple[Numbers, Numbers]
    """Of ``behind``: on 95 of 100 boards all true distances are within. NaN for none."""
    pairs: AllPairs = field(repr=False)
    tasks: int
    failed: int
    """Results of these rows that failed."""
    is_by_ratio: bool
    tolerated: float
    """By how much two runs of the same row may differ."""
    beside: "tuple[Intervals, ...]" = ()
    """Answers to the other questions that can be asked."""

    @property
    def can_separate(self) -> bool:
        """Whether there are enough units to tell rows apart."""
        return self.pairs.can_separate

    @cached_property
    def same(self) -> list[int]:
        """Places of rows that may be as good as a leader, without those that share its rank."""
        return [
            place for place, row in enumerate(self.rows)
            if row.rank != 1 and not self.better[self.leaders, place].all()
        ]  # fmt: skip

    @cached_property
    def ahead(self) -> list[int]:
        """Places of these that are better than the first in what is compared."""
        return [place for place in self.same if self.limits[1][place] < 0]

    @cached_property
    def leaders(self) -> list[int]:
        return [place for place, row in enumerate(self.rows) if row.rank == 1]

    def leader_against(self, place: int) -> int:
        """The first leader that is not better than this row for certain, or else the first.

        Leaders share a value, and may differ in how evenly they reach it.
        """
        return next((one for one in self.leaders if not self.better[one, place]), 0)


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """Units for one question."""

    about: About
    noun: str
    values: Numbers
    """By unit and row."""
    shares: Numbers
    singly: Numbers
    """By task, run or sample, which may be more than the units, and row."""


@once_per_board
def intervals(board: PublicBoard) -> Intervals | Missing:
    """Compare the rows of a published board, or say why nothing can be concluded that way."""
    measured = measure(board)
    if isinstance(measured, Missing):
        return measured
    if len(measured.rows) < 2:
        return Missing("One row has a rank; there is nothing to compare it with.")
    if len(measured.rows) > MAX_COMPARED:
        return Missing(f"More than {MAX_COMPARED:,} rows are not compared with each other.")
    asked = [one for one in _questions(board, measured) if len(one.values) > 1]
    if not asked:
        return Missing("There is one task, which was run once.")
    able = [one for one in asked if len(one.values) >= FEWEST] or asked[:1]
    first, *others = (_intervals(board, measured, one) for one in able)
    return replace(first, beside=tuple(others))


def _questions(board: PublicBoard, measured: Measured) -> Iterator[_Asked]:
    noun = board.benchmark.task_noun
    singly, weights = measured.on_tasks_alone(), measured.weights.astype(np.float64)
    values, shares = singly, weights
    if any(measured.groups):
        names = [group or f"\n{place}" for place, group in enumerate(measured.groups)]
        group_of = np.unique(np.array(names), return_inverse=True)[1]
        values, shares = join_groups(singly, weights, group_of)
    nouns = "families" if len(values) < len(singly) else f"{noun}s"
    yield _Asked(about="tasks", noun=nouns, values=values, shares=shares, singly=singly)
    if len(measured.task_of) > measured.tasks:
        runs, shares = measured.on_runs()
        values = about_these_tasks(runs, shares, measured.task_of)
        yield _Asked(about="runs", noun="repeats", values=values, shares=shares, singly=runs)
    read = (samples_of(board) for samples_of in SAMPLES.values())
    samples = next(filter(None, read), None)
    if samples is not None:
        values, shares, task_of = samples.values, samples.shares, samples.task_of
        if samples.group_of.max() < len(values) - 1:
            values, shares = join_groups(values, shares, samples.group_of)
            task_of = task_of[np.unique(samples.group_of, return_index=True)[1]]
        values = about_these_tasks(values, shares, task_of)
        yield _Asked(
            about="samples", noun=samples.noun, values=values, shares=shares, singly=samples.values
        )


def rank_spans(board: PublicBoard) -> Mapping[str, RankSpan]:
    """Submission's id -> what is known of its rank; empty if units are too few to tell."""
    certain = intervals(board)
    if isinstance(certain, Missing) or not certain.can_separate:
        return {}
    low, high = certain.limits
    worse, better = high - certain.behind, certain.behind - low
    has_margin = np.isfinite(worse + better) & (np.arange(len(worse)) > 0) & ~certain.is_by_ratio
    numbers = zip(
        certain.rows, certain.low.tolist(), certain.high.tolist(), certain.groups.tolist(),
        has_margin.tolist(), worse.tolist(), better.tolist(), strict=True,
    )  # fmt: skip
    return {
        row.submission.id: (best, worst, group, (down, up) if has else None)
        for row, best, worst, group, has, down, up in numbers
    }


def _intervals(board: PublicBoard, measured: Measured, asked: _Asked) -> Intervals:
    ids = [row.submission.id for row in measured.rows]
    pairs = compare_all(asked.values, asked.shares, ids)
    ranks = np.array([row.rank for row in measured.rows])
    tolerated = _tolerated(board, measured)
    better = is_better(pairs, ranks, tolerated)
    low, high = certain_intervals(better, ranks)
    p, behind, *limits = pairs.against(0)
    states = board.table.states[: len(board.tasks), [row.place for row in measured.rows]]
    return Intervals(
        rows=measured.rows, about=asked.about, units=len(asked.values), noun=asked.noun,
        low=low, high=np.minimum(high, ranks.max()) if measured.dense else high,
        groups=_groups(better), better=better, wins=_wins(asked.singly[:, :MAX_DUELS]),
        p=p, behind=behind, limits=(limits[0], limits[1]), pairs=pairs,
        tasks=measured.tasks, failed=int(np.count_nonzero(states == FAILED)),
        is_by_ratio=measured.is_by_ratio and asked.about != "samples", tolerated=tolerated,
    )  # fmt: skip


def is_better(pairs: AllPairs, ranks: Counts | Sequence[int], by: float = 0) -> Flags:
    """Which rows are better for certain, by more than ``by``, and by the board's own order."""
    order = np.asarray(ranks)
    better = np.zeros((len(order), len(order)), np.bool_)
    for row, rank in enumerate(order.tolist() if pairs.can_separate else ()):
        better[row] = (pairs.against(row)[2] > by) & (rank < order)
    return better


def _tolerated(board: PublicBoard, measured: Measured) -> float:
    rules = board.benchmark.leaderboard
    tolerance = board.benchmark.of_plugins.get("tolerance", {}).get(rules.primary.key)
    if tolerance is None or rules.ranked_by or rules.primary.ranks or measured.is_by_ratio:
        return 0.0
    return float(tolerance.absolute)


def certain_intervals(better: Flags, ranks: Counts) -> tuple[Counts, Counts]:
    """Best and worst rank by row, from who is better for certain."""
    low = np.minimum(1 + better.sum(axis=0), ranks)
    return low, np.maximum(len(better) - better.sum(axis=1), ranks)


def _groups(better: Flags) -> Counts:
    """Put each row into the first group from whose first it is not apart, or begin the next."""
    groups = np.zeros(len(better), dtype=np.int64)
    for first in range(len(better)):
        if not groups[first]:
            near = np.flatnonzero(~better[first, first:]) + first
            groups[near[groups[near] == 0]] = groups.max() + 1
    return groups


def _wins(values: Numbers) -> Numbers:
    won = np.zeros((values.shape[1], values.shape[1]))
    for row, own in enumerate(values.T):
        tied, known = is_equal(own[:, None], values), ~(np.isnan(values) | np.isnan(own)[:, None])
        points = ((own[:, None] > values) & ~tied).sum(axis=0) + tied.sum(axis=0) / 2
        with np.errstate(invalid="ignore"):
            won[row] = points / known.sum(axis=0)
    return won
