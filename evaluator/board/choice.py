"""Rankings that a reader chooses: which tasks weigh how much, and how their values are joined.

``assets/ranking.js`` is the same in the browser, operation for operation; shared cases keep the two
equal.

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
  ranks, points and scales of the others.
- Equal values share the mean of their ranks on a task (or what ``ties`` says); at the end, equal
  rows share a place and the next is left out: 1, 1, 3.
- Weighted median: the least value at which the weights of it and of all lesser ones come to more
  than half; where they come to exactly half, the mean of that value and the next.
- Geometric mean: 0 where any value is 0; no value where any is negative. Logarithms differ between
  machines in their last digit, so two of them are equal within 1e-12 of their size.
- Normalised, where no row betters the baseline: the worst is -1; where all rows are equal, all are
  0. Without the baseline's value on a task there is no value at all.
- A result beyond the range of floating-point numbers is no value.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Aggregation = Literal["mean", "mean_rank", "median", "borda", "geometric_mean", "normalised"]
Ties = Literal["competition", "dense", "average"]
Values = Sequence[float | None]
NONE = math.nan
TOLERANCE = 1e-12
"""Relative difference within which geometric means are equal, and weights come to a half."""
_HUGE, _SHRINK = 2.0**1000, 2.0**-64


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


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Rows with their values and places."""

    values: tuple[float, ...]
    """By row; NaN for none."""
    ranks: tuple[int | None, ...]
    """By row, from 1; None where there is no value."""
    ascending: bool
    """Whether a lesser value is better."""

    @property
    def unranked(self) -> tuple[int, ...]:
        """Rows without a place."""
        return tuple(row for row, rank in enumerate(self.ranks) if rank is None)


@dataclass(frozen=True, kw_only=True)
class Parts:
    """A choice before its weights are used: what all weightings of it share."""

    tasks: tuple[int, ...]
    """Those with a weight."""
    weights: tuple[float, ...]
    """One for each of these, as ``relative`` returns them."""
    rows: tuple[int, ...]
    """Those with a value on all of these."""
    columns: tuple[tuple[float, ...], ...]
    """For each of the tasks, the parts of these rows."""
    ascending: bool


def rank(choice: Choice) -> Ranking:
    """Rank all rows by the tasks together."""
    parts = make_parts(choice)
    values = [NONE] * _height(choice.values)
    for position, row in enumerate(parts.rows):
        own = [column[position] for column in parts.columns]
        values[row] = _finite(_joined(own, parts.weights, choice.aggregation))
    near = choice.aggregation == "geometric_mean"
    ranks = places(_snapped(values) if near else values, parts.ascending)
    return Ranking(values=tuple(values), ranks=ranks, ascending=parts.ascending)


def rank_metrics(choices: Sequence[Choice], weights: Sequence[float]) -> Ranking:
    """Rank by several metrics, each aggregated over tasks by itself; one is as it is alone.

    So that units do not mix, rows are ranked by each metric among those that have all of them,
    equal ones sharing the mean of their ranks, and the value is the weighted mean of the ranks;
    where every metric is normalised, it is the weighted mean of the normalised values.
    """
    used, shares = relative(weights)
    found = [rank(choices[metric]) for metric in used]
    if len(found) == 1:
        return found[0]
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
    return Ranking(values=tuple(values), ranks=places(values, not scaled), ascending=not scaled)


def make_parts(choice: Choice) -> Parts:
    """Return each row's part on each task that has a weight."""
    tasks, weights = relative(choice.weights)
    columns = [choice.values[task] for task in tasks]
    rows = [
        row
        for row in range(_height(choice.values))
        if columns and all(is_value(column[row]) for column in columns)
    ]
    chosen = [[float(column[row] or 0.0) for row in rows] for column in columns]
    made: list[list[float]] = []
    for column, own in zip(columns, chosen, strict=True):
        if choice.aggregation == "mean_rank":
            made.append(task_ranks(own, choice.ascending, choice.ties))
        elif choice.aggregation == "borda":
            made.append(points(own, choice.ascending))
        elif choice.aggregation == "geometric_mean":
            made.append([_log(value) for value in own])
        elif choice.aggregation == "normalised":
            zero = None if choice.baseline is None else column[choice.baseline]
            made.append(_scaled(own, choice.ascending, zero, choice.baseline is not None))
        else:
            made.append(own)
    ascending = {"mean_rank": True, "borda": False, "normalised": False}
    return Parts(
        tasks=tasks,
        weights=weights,
        rows=tuple(rows),
        columns=tuple(map(tuple, made)),
        ascending=ascending.get(choice.aggregation, choice.ascending),
    )


def relative(weights: Sequence[float]) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return which weights are not 0, and these in proportion, the greatest about 1.

    They are divided by a power of two, which loses nothing; where all are equal they are 1.
    """
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights):
        raise ValueError("weights are finite numbers that are not negative")
    used = tuple(index for index, weight in enumerate(weights) if weight > 0)
    own = [weights[index] for index in used]
    greatest, scale = max(own, default=1.0), 1.0
    if all(weight == greatest for weight in own):
        scale = greatest
    while greatest / scale > 1 and scale < _HUGE:
        scale *= 2
    while greatest / scale <= 0.5:
        scale /= 2
    return used, tuple(weight / scale for weight in own)


def is_value(value: float | None) -> bool:
    """Whether it is a finite number."""
    return value is not None and math.isfinite(value)


def mean(own: Sequence[float], weights: Sequence[float]) -> float:
    """Weighted mean, from sums that are rounded once; weights are at most 1."""
    terms = [weight * value for weight, value in zip(weights, own, strict=True)]
    if not all(map(math.isfinite, terms)):  # logarithms of 0, or no number
        return math.nan if any(map(math.isnan, terms)) else -math.inf
    if max(map(abs, terms)) > _HUGE:
        return math.fsum(term * _SHRINK for term in terms) / math.fsum(weights) / _SHRINK
    return math.fsum(terms) / math.fsum(weights)


def median(own: Sequence[float], weights: Sequence[float]) -> float:
    """Weighted median, as the module defines it."""
    order = sorted(range(len(own)), key=own.__getitem__)
    half = math.fsum(weights) / 2
    below = 0.0
    for place, index in enumerate(order):
        below += weights[index]
        if abs(below - half) <= TOLERANCE * half and place + 1 < len(order):
            return own[index] / 2 + own[order[place + 1]] / 2
        if below > half:
            return own[index]
    return own[order[-1]]


def task_ranks(own: Sequence[float], ascending: bool, ties: Ties) -> list[float]:
    """Ranks of values on one task, from 1, the best."""
    ordered = sorted(own) if ascending else sorted(-value for value in own)
    keys = sorted(set(ordered)) if ties == "dense" else ordered
    result = []
    for value in own:
        key = value if ascending else -value
        above = bisect_left(keys, key)
        equal = bisect_right(keys, key) - above
        result.append(above + (equal + 1) / 2 if ties == "average" else above + 1.0)
    return result


def points(own: Sequence[float], ascending: bool) -> list[float]:
    """How many others each value beats on one task, a tie counting half."""
    return [len(own) - rank for rank in task_ranks(own, ascending, "average")]


def places(values: Sequence[float], ascending: bool) -> tuple[int | None, ...]:
    """Ranks of rows, from 1; None for NaN."""
    own = [value for value in values if not math.isnan(value)]
    found = iter(task_ranks(own, ascending, "competition"))
    return tuple(None if math.isnan(value) else int(next(found)) for value in values)


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


def _snapped(values: Sequence[float]) -> list[float]:
    """Put the least of those that are equal within the tolerance for all of them."""
    snapped: dict[float, float] = {}
    first = -math.inf
    for value in sorted(value for value in values if not math.isnan(value)):
        if value - first > TOLERANCE * abs(value):
            first = value
        snapped[value] = first
    return [value if math.isnan(value) else snapped[value] for value in values]
