"""How stable each rank is over all weightings of the tasks.

Weightings are drawn from a flat Dirichlet distribution, in which all of them are equally likely:
the gaps that random points leave between 0 and 1. The points come from Marsaglia's xorshift
generator of 128 bits (2003) with his own seeds, so that the same weightings are drawn everywhere;
``assets/stability.js`` draws them, too.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.plugins.insight.statistics.measured import Numbers, measure
from evaluator.site.content.insight import Missing

WEIGHTINGS = 1000
_CELLS = 20_000_000
"""Of all weightings together; boards beyond that are asked about fewer weightings."""
_FEWEST = 50


@dataclass(frozen=True, kw_only=True)
class Stability:
    """What becomes of the rank of each row that has one, in the order of the board."""

    weightings: int
    """How many were drawn."""
    low: Numbers
    """The best rank."""
    high: Numbers
    """The worst rank."""
    first: Numbers
    """Share of the weightings in which it has rank 1, between 0 and 1."""
    same: Numbers
    """Share in which it has the rank that it has on the board."""


@once_per_board
def stability(board: PublicBoard) -> Stability | None:
    """Rank a board by random weightings of its tasks, by its rules; None where there is one."""
    measured = measure(board)
    if isinstance(measured, Missing) or measured.tasks < 2 or len(measured.rows) < 2:
        return None
    count = enough(measured.values.shape[-1], measured.tasks)
    weights = np.array(list(weightings(measured.tasks, count)))
    ranked = measured.ranks(measured.by_tasks(weights))
    return Stability(
        weightings=len(ranked),
        low=ranked.min(axis=0),
        high=ranked.max(axis=0),
        first=(ranked == 1).mean(axis=0),
        same=(ranked == np.array([row.rank for row in measured.rows])).mean(axis=0),
    )


def enough(rows: int, tasks: int) -> int:
    return max(_FEWEST, min(WEIGHTINGS, _CELLS // max(rows * tasks, 1)))


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
