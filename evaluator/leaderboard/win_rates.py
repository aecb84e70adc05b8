"""Win rates: how rows compare that have not all run on the same tasks.

On each task a row's share is how much of the others it beats there, a tie counting half; its win
rate is the mean over the tasks on which it has run. So a task that has not run yet costs nothing,
and neither does one that is hard for all. Each participant's rows together weigh as one opponent,
so that entering ten weak programs makes no win rate.
"""

import statistics
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True, kw_only=True)
class Contest:
    """What one row reached on one task."""

    row: str
    """Its submission's id."""
    participant: str
    value: float
    """Greater is better; minus infinity for a failure."""


@dataclass(frozen=True, kw_only=True)
class WinRate:
    """One row over all tasks."""

    rate: float
    """Between 0 and 1."""
    tasks: int
    """On how many it had an opponent."""


def win_rates(tasks: Iterable[Sequence[Contest]]) -> dict[str, WinRate]:
    """Return the win rate of each row that had an opponent on some task.

    ``tasks`` holds, for each task, the rows that have run there and count there.
    """
    found: dict[str, list[float]] = defaultdict(list)
    for contests in tasks:
        for row, share in shares(contests).items():
            found[row].append(share)
    return {
        row: WinRate(rate=statistics.fmean(values), tasks=len(values))
        for row, values in found.items()
    }


def shares(contests: Sequence[Contest]) -> dict[str, float]:
    """Return how much of the others each row beats on one task; none without others."""
    groups: dict[str, list[float]] = defaultdict(list)
    for one in contests:
        groups[one.participant].append(one.value)
    for values in groups.values():
        values.sort()
    beaten = _Weighted(groups)
    result: dict[str, float] = {}
    for one in contests:
        own = groups[one.participant]
        total = beaten.by(one.value) - _beaten(one.value, own) / len(own)
        opponents = float(len(groups) - 1)
        if len(own) > 1:  # its own others weigh as one more opponent; it does not meet itself
            total += (_beaten(one.value, own) - 0.5) / (len(own) - 1)
            opponents += 1
        if opponents:
            result[one.row] = total / opponents
    return result


def _beaten(value: float, ordered: Sequence[float]) -> float:
    """How many of ascending values are less, equal ones counting half."""
    return (bisect_left(ordered, value) + bisect_right(ordered, value)) / 2


class _Weighted:
    """All rows of a task, those of each participant weighing one together."""

    def __init__(self, groups: Mapping[str, Sequence[float]]) -> None:
        pairs = sorted((value, 1 / len(group)) for group in groups.values() for value in group)
        self._values = [value for value, _ in pairs]
        self._sums = [0.0, *accumulate(weight for _, weight in pairs)]

    def by(self, value: float) -> float:
        """Weight of what a value beats, equal ones counting half."""
        below = self._sums[bisect_left(self._values, value)]
        return (below + self._sums[bisect_right(self._values, value)]) / 2
