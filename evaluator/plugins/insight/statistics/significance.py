"""Whether methods differ at all (Friedman), and which of them do (Nemenyi).

As in Demsar (2006). The verdict of a board is not made here, but in ``intervals``.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

ALPHA = 0.05
MIN_METHODS = 3


@dataclass(frozen=True, kw_only=True)
class Friedman:
    """Friedman's test of the ranks of k methods on n blocks."""

    methods: int
    blocks: int
    statistic: float
    """Chi squared with k - 1 degrees of freedom, corrected for ties."""
    p: float

    @property
    def differs(self) -> bool:
        return self.p < ALPHA


@dataclass(frozen=True, kw_only=True)
class Nemenyi:
    """Nemenyi's test of all pairs, for use after Friedman's."""

    critical_difference: float
    """Of mean ranks, at ALPHA."""
    p: Mapping[tuple[str, str], float]
    """(the better, the worse) -> p value."""
    groups: tuple[tuple[str, ...], ...]
    """Longest runs of methods closer than that, the best first; none of one method."""


def friedman(ranks: Mapping[str, Mapping[str, float]]) -> Friedman | None:
    """Test ranks by block; None with fewer than three methods or two blocks."""
    from scipy.special import chdtrc  # scipy.stats takes a second to load

    rows = [list(block.values()) for block in ranks.values()]
    n, k = len(rows), len(rows[0]) if rows else 0
    if k < MIN_METHODS or n < 2:
        return None
    sums = [math.fsum(row[j] for row in rows) for j in range(k)]
    ties = sum(_ties(row) for row in rows)
    correction = 1 - ties / (n * k * (k * k - 1))
    if correction <= 0:  # all are equal on every block
        return Friedman(methods=k, blocks=n, statistic=0.0, p=1.0)
    raw = 12 / (n * k * (k + 1)) * math.fsum(s * s for s in sums) - 3 * n * (k + 1)
    statistic = max(raw, 0.0) / correction
    return Friedman(methods=k, blocks=n, statistic=statistic, p=float(chdtrc(k - 1, statistic)))


def _ties(row: list[float]) -> int:
    return sum(row.count(value) ** 3 - row.count(value) for value in set(row))


@lru_cache(maxsize=256)
def critical_difference(methods: int, blocks: int, alpha: float = ALPHA) -> float:
    """Return q * sqrt(k (k + 1) / 6 n), where q is the studentised range over sqrt(2)."""
    from scipy.stats import studentized_range

    q = float(studentized_range.ppf(1 - alpha, methods, math.inf)) / math.sqrt(2)
    return q * _standard_error(methods, blocks)


def _standard_error(methods: int, blocks: int) -> float:
    return math.sqrt(methods * (methods + 1) / (6 * blocks))


def nemenyi(means: Mapping[str, float], blocks: int) -> Nemenyi:
    """Compare all pairs of methods by their mean ranks, which are given the best first."""
    from scipy.stats import studentized_range

    names = list(means)
    difference = critical_difference(len(names), blocks)
    error = _standard_error(len(names), blocks)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    gaps = [(means[b] - means[a]) / error * math.sqrt(2) for a, b in pairs]
    probabilities = studentized_range.sf(gaps, len(names), math.inf)
    return Nemenyi(
        critical_difference=difference,
        p={pair: min(float(p), 1.0) for pair, p in zip(pairs, probabilities, strict=True)},
        groups=_groups(means, difference),
    )


def _groups(means: Mapping[str, float], difference: float) -> tuple[tuple[str, ...], ...]:
    names = list(means)
    groups: list[tuple[str, ...]] = []
    reached = 0
    for start, first in enumerate(names):
        end = start
        while end < len(names) and means[names[end]] - means[first] < difference:
            end += 1
        if end > reached and end - start > 1:
            groups.append(tuple(names[start:end]))
        reached = max(reached, end)
    return tuple(groups)
