"""Which methods nobody betters in score and in time at once."""

from collections.abc import Mapping
from dataclasses import dataclass


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
    return tuple(
        Point(
            method=method, seconds=time, score=-loss,
            on_front=not any(
                other_time <= time and other_loss <= loss
                and (other_time < time or other_loss < loss)
                for other_time, other_loss, _ in both
            ),
        )
        for time, loss, method in both
    )  # fmt: skip
