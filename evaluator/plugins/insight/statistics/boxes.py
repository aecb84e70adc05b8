"""Summaries of values: box plots, and Pareto fronts, whose points no other beats in both values."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evaluator.core.ranking.ranks import levelled

LOW, HIGH = -2.0, 1.0
"""AMLB's figures show scaled scores from here to there, and count what lies below."""
ROOM = 0.5
"""How far above HIGH values are shown where methods surpass the reference by which they are
scaled."""


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Some values, in numbers."""

    count: int
    least: float
    low: float
    """Least value that is no further from the box than 1.5 times its height."""
    q1: float
    median: float
    q3: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Box(Spread):
    """One method's values."""

    outliers: tuple[float, ...]
    """Beyond the whiskers, ascending."""
    below: int
    """Of all values, those below LOW."""
    above: int
    """Of all values, those above the upper end of the picture."""


def make_box(values: Sequence[float], upper: float = HIGH + ROOM) -> Box:
    """Summarise values, one at least, by linear quantiles."""
    ordered = sorted(values)
    q1, median, q3 = (_quantile(ordered, share) for share in (0.25, 0.5, 0.75))
    reach = 1.5 * (q3 - q1)
    first, end = bisect_left(ordered, q1 - reach), bisect_right(ordered, q3 + reach)
    return Box(
        count=len(ordered), least=ordered[0],
        low=ordered[first], q1=q1, median=median, q3=q3, high=ordered[end - 1],
        outliers=(*ordered[:first], *ordered[end:]),
        below=bisect_left(ordered, LOW),
        above=len(ordered) - bisect_right(ordered, upper),
    )  # fmt: skip


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    # Halves: the difference of two finite numbers need not be finite.
    low, high = ordered[below] / 2, ordered[above] / 2
    return 2 * (low + (place - below) * (high - low))


def pareto_front(points: Iterable[tuple[float, float]], *, lower_is_better: bool) -> set[int]:
    """Places that none betters in both; equal points share it. As fast as sorting."""
    sign = 1 if lower_is_better else -1
    both = levelled(np.array(list(points), dtype=np.float64).reshape(-1, 2).T)
    order = sorted(
        (effort, sign * loss, place) for place, (effort, loss) in enumerate(both.T.tolist())
    )
    front: set[int] = set()
    least, best = float("nan"), float("inf")
    for effort, loss, place in order:
        if loss < best:
            least, best = effort, loss
        elif loss != best or effort != least:
            continue
        front.add(place)
    return front
