"""Pareto fronts: points that no other one beats in both values at once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from evaluator.core.ranking.ranks import levelled


@dataclass(frozen=True, kw_only=True)
class Point:
    """One method."""

    method: str
    seconds: float
    """Median over tasks and folds."""
    score: float
    """Median of scaled scores over blocks."""
    on_front: bool
    """Whether no other is as good in both and better in one."""


def pareto(scores: Mapping[str, float], seconds: Mapping[str, float]) -> tuple[Point, ...]:
    """Find the front of the methods that have both, the fastest first."""
    both = sorted((seconds[m], -scores[m], m) for m in scores if m in seconds)
    front = pareto_front(((time, loss) for time, loss, _ in both), lower_is_better=True)
    return tuple(
        Point(method=method, seconds=time, score=-loss, on_front=place in front)
        for place, (time, loss, method) in enumerate(both)
    )


def pareto_front(points: Iterable[tuple[float, float]], *, lower_is_better: bool) -> set[int]:
    """Return the places of the points (effort, score) on the front; less effort is better.

    A point is on it where no other is as good in both and better in one; equal points share it.
    Takes as long as sorting.
    """
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
