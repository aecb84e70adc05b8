"""Rankings that a reader chooses, written a second time: what the tests hold the others to.

``assets/ranking.js`` is the same in the browser, operation for operation; by a board's own metric,
aggregation and rules its own ranks come out.

A *part* is what one row gets on one task, and its value is made of its parts, by their weights:

=================  ===============================================  ==================  ==========
aggregation        part                                             value               better
=================  ===============================================  ==================  ==========
``mean``           the value                                        weighted mean       as values
``median``         the value                                        weighted median     as values
``geometric_mean`` its logarithm                                    exp(weighted mean)  as values
``mean_rank``      the rank on the task, from 1                     weighted mean       less
``borda``          how many rows it beats there, ties half          weighted mean       more
``normalised``     0 for the baseline (without one: for the worst)  weighted mean       more
                   and 1 for the best row of the task
=================  ===============================================  ==================  ==========

- Only weights' proportions count. A task of weight 0 is left out altogether.
- A row without a finite value on a task that is not left out has no place, and takes no part in the
  ranks, points and scales of the others; ``missing`` is what boards of mean ranks do instead.
- Equal values share the mean of their ranks on a task (or what ``ties`` says); at the end, rows
  that nothing tells apart share a place and the next is left out: 1, 1, 3.
- Weighted median: the least value at which the weights of it and of all lesser ones come to more
  than half; where they come to exactly half, the mean of that value and the next.
- Geometric mean: 0 where any value is 0; no value where any is negative.
- Two values are equal if they differ by at most 2^-40 of the greater, everywhere.
- Normalised, where no row betters the baseline: the worst is -1; where all rows are equal, all are
  0. Without the baseline's value on a task there is no value at all.
- A result beyond the range of floating-point numbers is no value.
"""

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evaluator.plugins.insight.statistics.stability import weightings
from tests.core.leaderboard.oracle_arithmetic import (
    Ties,
    is_value,
    levelled,
    mean,
    median,
    relative,
    rounded,
    task_ranks,
    with_missing,
)

Aggregation = Literal["mean", "mean_rank", "median", "borda", "geometric_mean", "normalised"]
Missing = Literal["last", "last+1", "worst", "midrank"]
Values = Sequence[float | None]
NONE = math.nan


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a reader ranks by."""

    values: Sequence[Values]
    """One sequence for each task, of one value for each row; None and NaN are no value."""
    weights: Sequence[float]
    """One for each task; finite and not negative, or ranking raises ``ValueError``."""
    ascending: bool
    """Whether less is better."""
    aggregation: Aggregation = "mean"
    baseline: int | None = None
    """Row that is 0 with ``normalised``; without one, the worst row of each task is."""
    ties: Ties = "average"
    """Rank of equal values on one task: 1, 1, 3 or 1, 1, 2 or 1.5, 1.5, 3."""
    missing: Missing | None = None
    """With ``mean_rank``, the rank of a row without a value on a task: that of the last value, one
    after it, or the number of rows. None gives such a row no place."""
    decimals: int | None = None
    """Values are rounded to so many before they are compared; None does not."""
    uncounted: Sequence[Container[int]] = ()
    """For each task, rows for which it does not count, such as those of who brought its data."""
    breakers: Sequence[tuple[Values, bool]] = ()
    """What tells equal rows apart, one after the other: values by row, and whether less is better.
    Rows without one stand last."""
    dense: bool = False
    """Whether no place is left out after rows that share one: 1, 1, 2."""
    placed: Sequence[int] | None = None
    """Rows that get a place; the others make ranks on tasks. None: all."""


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Rows with their values and places."""

    values: tuple[float, ...]
    """By row; NaN for none."""
    ranks: tuple[int | None, ...]
    """By row, from 1; None where there is no value."""
    ascending: bool
    """Whether a lesser value is better."""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """A choice before its weights are used: what all weightings of it share."""

    tasks: tuple[int, ...]
    """Those with a weight."""
    weights: tuple[float, ...]
    """One for each of these, as ``relative`` returns them."""
    rows: tuple[int, ...]
    """Those with a value on all of these."""
    columns: tuple[tuple[float | None, ...], ...]
    """For each of the tasks, the parts of these rows; None where the task does not count."""
    ascending: bool


def rank(choice: Choice) -> Ranking:
    """Rank all rows by the tasks together."""
    parts = make_parts(choice)
    values = [NONE] * _height(choice.values)
    for position, row in enumerate(parts.rows):
        pairs = [
            (part, weight)
            for column, weight in zip(parts.columns, parts.weights, strict=True)
            if (part := column[position]) is not None
        ]
        own, weights = zip(*pairs, strict=True)
        values[row] = _finite(_joined(own, weights, choice.aggregation))
    return Ranking(
        values=tuple(values),
        ranks=places(values, parts.ascending, choice),
        ascending=parts.ascending,
    )


def rank_metrics(choices: Sequence[Choice], weights: Sequence[float]) -> Ranking:
    """Rank by several metrics, each aggregated over tasks by itself; one is as it is alone.

    So that units do not mix, rows are ranked by each metric among those that have all of them,
    equal ones sharing the mean of their ranks, and the value is the weighted mean of the ranks;
    where every metric is normalised, it is the weighted mean of the normalised values. What tells
    equal rows apart, and which rows have places, is what the first metric says.
    """
    used, shares = relative(weights)
    if len(used) == 1:
        return rank(choices[used[0]])
    found = [rank(replace(choices[metric], breakers=(), placed=None)) for metric in used]
    height = max((_height(one.values) for one in choices), default=0)
    rows = [
        row for row in range(height) if found and all(one.ranks[row] is not None for one in found)
    ]
    scaled = all(choices[metric].aggregation == "normalised" for metric in used)
    columns = [
        [one.values[row] for row in rows]
        if scaled
        else task_ranks([one.ranks[row] or 0 for row in rows], True, "average")
        for one in found
    ]
    values = [NONE] * height
    for position, row in enumerate(rows):
        values[row] = _finite(mean([column[position] for column in columns], shares))
    if not used:
        return Ranking(values=tuple(values), ranks=(None,) * height, ascending=not scaled)
    rule = replace(choices[used[0]], aggregation="mean")
    return Ranking(
        values=tuple(values), ranks=places(values, not scaled, rule), ascending=not scaled
    )


@dataclass(frozen=True, kw_only=True)
class Stability:
    """Ranks over random weightings of the tasks, by row; NaN for rows without a rank."""

    low: list[float]
    high: list[float]
    first: list[float]
    same: list[float]


def stability(choices: Sequence[Choice], weights: Sequence[float], count: int) -> Stability:
    """Rank by so many weightings of those tasks that have a weight, one after the other."""
    used, _ = relative(choices[0].weights)
    every = []
    for drawn in weightings(len(used), count):
        of_tasks = [0.0] * len(choices[0].weights)
        for task, weight in zip(used, drawn, strict=False):  # without any, nothing
            of_tasks[task] = weight
        every.append(rank_metrics([replace(c, weights=of_tasks) for c in choices], weights).ranks)
    found = Stability(low=[], high=[], first=[], same=[])
    for row, present in enumerate(rank_metrics(choices, weights).ranks):
        own = [place for ranks in every if (place := ranks[row]) is not None]
        is_ranked = present is not None and len(own) == count
        found.low.append(min(own) if is_ranked else NONE)
        found.high.append(max(own) if is_ranked else NONE)
        found.first.append(own.count(1) / count if is_ranked else NONE)
        found.same.append(own.count(present or 0) / count if is_ranked else NONE)
    return found


def make_parts(choice: Choice) -> Parts:
    """Return each row's part on each task that has a weight."""
    tasks, weights = relative(choice.weights)
    height = _height(choice.values)
    columns = [choice.values[task] for task in tasks]
    left_out = [choice.uncounted[task] if choice.uncounted else () for task in tasks]
    # What is missing somewhere has a rank there, and all who have a value make the others' ranks.
    missing = choice.missing if choice.aggregation == "mean_rank" else None

    def has_place(row: int) -> bool:
        known = [
            is_value(column[row])
            for column, without in zip(columns, left_out, strict=True)
            if row not in without
        ]
        return bool(known) and (any(known) if missing else all(known))

    rows = [row for row in range(height) if has_place(row)]
    made: list[tuple[float | None, ...]] = []
    for column, without in zip(columns, left_out, strict=True):
        some = [
            row
            for row in (range(height) if missing else rows)
            if row not in without and is_value(column[row])
        ]
        own = _parts([float(column[row] or 0.0) for row in some], column, choice)
        found: dict[int, float | None] = dict(zip(some, own, strict=True))
        if missing:
            given = with_missing([found.get(row) for row in range(height)], missing)
            found = dict(enumerate(given))
        made.append(tuple(None if row in without else found[row] for row in rows))
    ascending = {"mean_rank": True, "borda": False, "normalised": False}
    return Parts(
        tasks=tasks,
        weights=weights,
        rows=tuple(rows),
        columns=tuple(made),
        ascending=ascending.get(choice.aggregation, choice.ascending),
    )


def _parts(own: Sequence[float], column: Values, choice: Choice) -> Sequence[float]:
    """Return the parts on one task of rows with these values."""
    if choice.aggregation in ("mean_rank", "borda"):
        own = [rounded(value, choice.decimals) for value in own]
    if choice.aggregation == "mean_rank":
        return task_ranks(own, choice.ascending, choice.ties)
    if choice.aggregation == "borda":
        return points(own, choice.ascending)
    if choice.aggregation == "geometric_mean":
        return [_log(value) for value in own]
    if choice.aggregation == "normalised":
        zero = None if choice.baseline is None else column[choice.baseline]
        return _scaled(own, choice.ascending, zero, choice.baseline is not None)
    return own


def points(own: Sequence[float], ascending: bool) -> list[float]:
    """How many others each value beats on one task, a tie counting half."""
    return [len(own) - rank for rank in task_ranks(own, ascending, "average")]


def places(values: Sequence[float], ascending: bool, choice: Choice) -> tuple[int | None, ...]:
    """Ranks of rows, from 1, by the rules of a choice; None for NaN."""
    keys = _keys(values, ascending, choice)
    order = sorted(keys, key=keys.__getitem__)
    found: list[int | None] = [None] * len(values)
    place = 0
    for above, row in enumerate(order):
        if not above or keys[row] != keys[order[above - 1]]:
            place = place + 1 if choice.dense else above + 1
        found[row] = place
    return tuple(found)


def _keys(values: Sequence[float], ascending: bool, choice: Choice) -> dict[int, tuple[float, ...]]:
    """Row -> what it is sorted by, the best least; rows without a place are left out."""
    columns = [(values, ascending), *choice.breakers]
    signed = [
        levelled([_signed(value, less, choice.decimals) for value in column])
        for column, less in columns
    ]
    rows: Iterable[int] = range(len(values)) if choice.placed is None else choice.placed
    return {
        row: tuple(column[row] for column in signed) for row in rows if not math.isnan(values[row])
    }


def _signed(value: float | None, ascending: bool, decimals: int | None) -> float:
    if value is None or math.isnan(value):
        return math.inf
    return rounded(value, decimals) * (1 if ascending else -1)


def _height(values: Sequence[Values]) -> int:
    return len(values[0]) if values else 0


def _joined(own: Sequence[float], weights: Sequence[float], aggregation: Aggregation) -> float:
    if aggregation == "median":
        return median(own, weights)
    value = mean(own, weights)
    if aggregation != "geometric_mean":
        return value
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def _finite(value: float) -> float:
    return value if math.isfinite(value) else NONE


def _log(value: float) -> float:
    if value > 0:
        return math.log(value)
    return -math.inf if value == 0 else math.nan


def _scaled(
    own: Sequence[float], ascending: bool, zero: float | None, has_baseline: bool
) -> list[float]:
    """Parts of ``normalised`` on one task; halves keep differences in range."""
    if not own or (has_baseline and not is_value(zero)):
        return [NONE] * len(own)
    sign = -0.5 if ascending else 0.5
    best, worst = max(sign * value for value in own), min(sign * value for value in own)
    base = worst if zero is None else sign * zero
    span = best - base if best > base else base - worst
    if span <= 0:
        return [0.0] * len(own)
    return [(sign * value - base) / span for value in own]
