"""Friedman's and Nemenyi's tests, as in Demsar (2006), for papers.

They are in files, and no page has a second verdict.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

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
    rows = np.array([list(block.values()) for block in ranks.values()])
    n, k = rows.shape if len(rows) else (0, 0)
    if k < MIN_METHODS or n < 2:
        return None
    rows -= (k + 1) / 2
    spread = float((rows * rows).sum())  # 0 if all are equal on every block
    statistic = (k - 1) * float((rows.sum(axis=0) ** 2).sum()) / spread if spread else 0.0
    return Friedman(methods=k, blocks=n, statistic=statistic, p=_beyond(statistic, k - 1))


def _beyond(statistic: float, freedom: int) -> float:
    """Probability of a greater chi squared: a finite sum, as scipy.stats takes a second to load."""
    half, odd = statistic / 2, freedom % 2
    if half == 0:
        return 1.0
    powers = (odd / 2 + place for place in range(freedom // 2))
    terms = [math.exp(one * math.log(half) - half - math.lgamma(one + 1)) for one in powers]
    return min(1.0, math.fsum([odd * math.erfc(math.sqrt(half)), *terms]))


@lru_cache(maxsize=256)
def critical_difference(methods: int, blocks: int, alpha: float = ALPHA) -> float:
    """Q * sqrt(k (k + 1) / 6 n), where q is the studentised range over sqrt(2)."""
    from scipy.stats import studentized_range

    q = float(studentized_range.ppf(1 - alpha, methods, math.inf)) / math.sqrt(2)
    return q * _standard_error(methods, blocks)


def _standard_error(methods: int, blocks: int) -> float:
    return math.sqrt(methods * (methods + 1) / (6 * blocks))


def nemenyi(means: Mapping[str, float], blocks: int) -> Nemenyi:
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
