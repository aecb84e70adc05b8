"""How stable each rank is over all weightings of the tasks.

Weightings are drawn from a flat Dirichlet distribution, in which all of them are equally likely:
the gaps that random points leave between 0 and 1. The points come from Marsaglia's xorshift
generator of 128 bits (2003) with his own seeds, so that the same weightings are drawn everywhere;
``assets/ranking.js`` draws them, too.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluator.board.choice import TOLERANCE, Choice, Parts, make_parts, rank

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
    """Rank by so many weightings of those tasks that have a weight.

    Unlike in ``choice`` sums are rounded at each step, which is enough to tell rows apart.
    """
    ranks = rank(choice).ranks
    parts = make_parts(choice)
    rows = [row for row in parts.rows if ranks[row] is not None]
    height = len(ranks)
    low, high = np.full(height, np.nan), np.full(height, np.nan)
    first, same = np.full(height, np.nan), np.full(height, np.nan)
    if rows:
        kept = [position for position, row in enumerate(parts.rows) if ranks[row] is not None]
        columns = np.array(parts.columns, dtype=np.float64)[:, kept]
        present = np.array([ranks[row] for row in rows], dtype=np.float64)
        places = np.array(list(_all_places(columns, parts, choice, count)))
        low[rows], high[rows] = places.min(axis=0), places.max(axis=0)
        first[rows], same[rows] = (places == 1).mean(axis=0), (places == present).mean(axis=0)
    return Stability(weightings=count, low=low, high=high, first=first, same=same)


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


def _all_places(
    columns: Numbers, parts: Parts, choice: Choice, count: int
) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the rows' ranks by each weighting."""
    if choice.aggregation == "geometric_mean":
        columns = np.floor(columns * _STEPS + 0.5) / _STEPS
    order = np.argsort(columns.T, axis=1, kind="stable")
    ordered = np.take_along_axis(columns.T, order, axis=1)
    for weights in weightings(len(columns), count):
        if choice.aggregation == "median":
            values = _medians(ordered, np.array(weights)[order])
        else:
            values = np.zeros(columns.shape[1])
            for column, weight in zip(columns, weights, strict=True):
                values = values + weight * column
        keys = values if parts.ascending else -values
        yield np.searchsorted(np.sort(keys), keys, side="left") + 1


def _medians(ordered: Numbers, weights: Numbers) -> Numbers:
    """Weighted medians of rows whose values ascend; the weights of each come to 1."""
    sums = np.cumsum(weights, axis=1)
    slack = TOLERANCE / 2
    place = np.argmax(sums >= 0.5 - slack, axis=1)
    rows = np.arange(len(ordered))
    after = np.minimum(place + 1, ordered.shape[1] - 1)
    between = np.abs(sums[rows, place] - 0.5) <= slack
    own = ordered[rows, place]
    found: Numbers = np.where(between & (after > place), own / 2 + ordered[rows, after] / 2, own)
    return found
