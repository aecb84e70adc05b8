"""How stable each rank is over all weightings of the tasks.

Weightings are drawn from a flat Dirichlet distribution, in which all of them are equally likely:
the gaps that random points leave between 0 and 1. The points come from Marsaglia's xorshift
generator of 128 bits (2003) with his own seeds, so that the same weightings are drawn everywhere;
``assets/stability.js`` draws them, too.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evaluator.leaderboard.weighted import TOLERANCE, relative
from evaluator.statistics.weightings import Choice, Parts, make_parts, rank_metrics, tie_order

Numbers = npt.NDArray[np.float64]
WEIGHTINGS = 1000
_CELLS = 20_000_000
"""Of all weightings together; boards beyond that are asked about fewer weightings."""
_FEWEST = 50
_STEPS = 2.0**40
"""Logarithms are rounded to a part of so many: machines differ in their last digits."""


@dataclass(frozen=True, kw_only=True)
class Stability:
    """What becomes of each row's rank; NaN in the place of rows without one."""

    weightings: int
    """How many were drawn."""
    low: Numbers
    """The best rank."""
    high: Numbers
    """The worst rank."""
    first: Numbers
    """Share of the weightings in which it has rank 1, between 0 and 1."""
    same: Numbers
    """Share in which it has the rank that it has by the weights of the choice."""


def enough(rows: int, tasks: int) -> int:
    """Return how many weightings a board of this size is asked about: 1,000 or, if large, fewer."""
    return max(_FEWEST, min(WEIGHTINGS, _CELLS // max(rows * tasks, 1)))


def stability(choice: Choice, count: int) -> Stability:
    """Rank by so many random weightings of those tasks that have a weight."""
    return stability_of_metrics([choice], [1], count)


def stability_of_metrics(
    choices: Sequence[Choice], weights: Sequence[float], count: int
) -> Stability:
    """Rank by metrics, joined as ``rank_metrics`` joins them, by random weightings of tasks.

    All have the same tasks. Unlike in ``choice`` sums are rounded at each step, which is enough to
    tell rows apart, and geometric means are not rounded to decimals.
    """
    used, shares = relative(weights)
    metrics = [choices[metric] for metric in used]
    ranks = rank_metrics(choices, weights).ranks
    low, high, first, same = (np.full(len(ranks), np.nan) for _ in range(4))
    rows = [row for row, place in enumerate(ranks) if place is not None]
    if rows:
        # Those that get no place themselves make the ranks of others.
        valued = [replace(one, placed=None, breakers=()) for one in metrics]
        all_rows = [row for row, at in enumerate(rank_metrics(valued, shares).ranks) if at]
        placed = np.searchsorted(all_rows, rows)
        ties = np.array(tie_order(rows, metrics[0]))
        values = _joined(metrics, shares, all_rows, count)
        places = np.array([_places(one[placed], ties, metrics[0]) for one in values])
        present = np.array([ranks[row] for row in rows], dtype=np.float64)
        low[rows], high[rows] = places.min(axis=0), places.max(axis=0)
        first[rows], same[rows] = (places == 1).mean(axis=0), (places == present).mean(axis=0)
    return Stability(weightings=count, low=low, high=high, first=first, same=same)


def _joined(
    metrics: Sequence[Choice], shares: Sequence[float], rows: Sequence[int], count: int
) -> Iterator[Numbers]:
    """Yield what rows are compared by, less being better, by each weighting."""
    parts = [make_parts(one) for one in metrics]
    signs = [1.0 if one.ascending else -1.0 for one in parts]
    each = zip(
        *(_values(own, one, rows, count) for own, one in zip(parts, metrics, strict=True)),
        strict=True,
    )
    scaled = all(one.aggregation == "normalised" for one in metrics)
    for found in each:
        keys = [
            _last(sign * _rounded(values, one))
            for sign, values, one in zip(signs, found, metrics, strict=True)
        ]
        if len(metrics) == 1:
            yield keys[0]
            continue
        joined = np.zeros(len(rows))
        for share, values, own in zip(shares, found, keys, strict=True):
            joined = joined + share * (values if scaled else _average_ranks(own))
        joined = joined / math.fsum(shares)
        rule = replace(metrics[0], aggregation="mean")
        yield _last((-1.0 if scaled else 1.0) * _rounded(joined, rule))


def _last(keys: Numbers) -> Numbers:
    """Put rows last that have no value, as where all tasks that count for them have no weight."""
    found: Numbers = np.where(np.isnan(keys), np.inf, keys)
    return found


def _rounded(values: Numbers, choice: Choice) -> Numbers:
    if choice.decimals is None or choice.aggregation == "geometric_mean":
        return values
    scale = 10.0**choice.decimals
    with np.errstate(over="ignore"):
        scaled = values * scale
    found: Numbers = np.where(np.isfinite(scaled), np.rint(scaled) / scale, values)
    return found


def _average_ranks(keys: Numbers) -> Numbers:
    ordered = np.sort(keys)
    above = np.searchsorted(ordered, keys, side="left")
    return (above + np.searchsorted(ordered, keys, side="right") + 1) / 2


def _places(keys: Numbers, ties: npt.NDArray[np.int64], choice: Choice) -> npt.NDArray[np.int64]:
    """Ranks by a key, and among equal ones by ``ties``; less is better."""
    order = np.lexsort((ties, keys))
    own, tied = keys[order], ties[order]
    begins = np.append(True, (own[1:] != own[:-1]) | (tied[1:] != tied[:-1]))
    if choice.dense:
        ranks = np.cumsum(begins)
    else:
        ranks = np.maximum.accumulate(np.where(begins, np.arange(1, len(own) + 1), 0))
    places = np.empty(len(keys), dtype=np.int64)
    places[order] = ranks
    return places


def weightings(tasks: int, count: int) -> Iterator[list[float]]:
    """Yield weights of so many tasks; each list sums to 1."""
    state = [123456789, 362436069, 521288629, 88675123]
    for _ in range(count):
        points = sorted(_next(state) / 2**32 for _ in range(tasks - 1))
        yield [after - before for before, after in zip([0.0, *points], [*points, 1.0], strict=True)]


def _next(state: list[int]) -> int:
    mixed = (state[0] ^ (state[0] << 11)) & 0xFFFFFFFF
    last = state[3]
    state[:] = [*state[1:], last ^ (last >> 19) ^ mixed ^ (mixed >> 8)]
    return state[3]


def _values(parts: Parts, choice: Choice, rows: Sequence[int], count: int) -> Iterator[Numbers]:
    """Yield the rows' values by each weighting; of geometric means, their logarithms.

    The weights of a row are those of the tasks that count for it.
    """
    positions = np.searchsorted(parts.rows, rows)
    columns = np.array(parts.columns, dtype=np.float64)[:, positions]
    if choice.aggregation == "geometric_mean":
        columns = np.floor(columns * _STEPS + 0.5) / _STEPS
    counts = ~np.isnan(columns)
    is_whole = bool(counts.all())
    order = np.argsort(columns.T, axis=1, kind="stable")  # what does not count stands last
    ordered = np.take_along_axis(columns.T, order, axis=1)
    for weights in weightings(len(columns), count):
        if choice.aggregation == "median":
            own = np.where(np.isnan(ordered), 0.0, np.array(weights)[order])
            yield _medians(ordered, own, is_whole=is_whole)
            continue
        values, total = np.zeros((2, columns.shape[1]))
        for column, counted, weight in zip(columns, counts, weights, strict=True):
            values = values + np.where(counted, weight * column, 0.0)
            total = total + weight * counted
        with np.errstate(invalid="ignore"):
            yield values if is_whole else values / total


def _medians(ordered: Numbers, weights: Numbers, *, is_whole: bool) -> Numbers:
    """Weighted medians of rows whose values ascend, NaN being none at the end.

    Of a whole table the weights of each row come to 1.
    """
    sums = np.cumsum(weights, axis=1)
    half = np.full(len(sums), 0.5) if is_whole else sums[:, -1] / 2
    slack = TOLERANCE * half
    place = np.argmax(sums >= (half - slack)[:, None], axis=1)
    rows = np.arange(len(ordered))
    after = np.minimum(place + 1, np.count_nonzero(~np.isnan(ordered), axis=1) - 1)
    between = np.abs(sums[rows, place] - half) <= slack
    own = ordered[rows, place]
    found: Numbers = np.where(between & (after > place), own / 2 + ordered[rows, after] / 2, own)
    return found
