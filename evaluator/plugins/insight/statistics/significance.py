"""Other tests, for papers: they are in files, and no page has a second verdict.

Friedman and Nemenyi as in Demsar (2006), who compares two methods by Wilcoxon's signed-rank test;
Holm (1979) corrects for the number of comparisons. Benavoli et al. (2017) ask how probable it is
that a method is better: the Bayesian signed-rank test, with differences below 0.1% as equal.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from evaluator.plugins.insight.statistics.duels import TOLERANCE
from evaluator.plugins.insight.statistics.measured import Numbers
from evaluator.plugins.insight.statistics.outcomes import Table

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


_SAMPLES, _SEED = 2000, 8
_PRIOR = 0.5
"""Weight of one difference of zero that nobody measured, as of half a block."""


@dataclass(frozen=True, kw_only=True)
class AgainstBest:
    """The method with the best mean rank against another."""

    method: str
    wilcoxon_p: float
    """Corrected by Holm for all methods of the study."""
    better: float
    """Probability that the best is better on another block, by more than 0.1%."""
    equal: float
    worse: float


def against_best(table: Table, methods: Sequence[str]) -> tuple[AgainstBest, ...]:
    """Compare the first method with each other. An absent value loses to any other."""
    values = np.array(
        [[block[method] for method in methods] for block in table.values()], dtype=np.float64
    )
    differences = _relative(values[:, :1], values[:, 1:])
    p = _holm(_wilcoxon(differences))
    shares = _signed_ranks(differences)
    return tuple(
        AgainstBest(method=method, wilcoxon_p=own, better=better, equal=equal, worse=worse)
        for method, own, (better, equal, worse) in zip(
            methods[1:], p.tolist(), shares.tolist(), strict=True
        )
    )


def _relative(best: Numbers, others: Numbers) -> Numbers:
    """Differences as shares of the greater value in size; those from absent values are 2."""
    size = np.maximum(np.abs(best), np.abs(others))
    with np.errstate(invalid="ignore"):
        share = best / np.where(size > 0, size, 1.0) - others / np.where(size > 0, size, 1.0)
    one, other = np.isnan(best), np.isnan(others)
    return np.select([one & other, one, other], [0.0, -2.0, 2.0], share)


def _wilcoxon(differences: Numbers) -> Numbers:
    """Two-sided p by column; zeros are split between both signs, as Demsar does.

    Own code, since every build would load ``scipy.stats``. As there, p is exact up to 50 blocks
    without ties, and up to 13 with ties; beyond it is normal, corrected for ties.
    """
    return np.array([_signed_rank_p(own) if own.any() else 1.0 for own in differences.T])


def _signed_rank_p(differences: Numbers) -> float:
    count = len(differences)
    _, places, ties = np.unique(np.abs(differences), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(ties) - (ties - 1) / 2)[places]
    positive, zero = differences > 0, differences == 0
    if count > (13 if zero.any() or (ties > 1).any() else 50):
        squares = count * (count + 1) * (2 * count + 1) - (ties**3 - ties).sum() / 2
        excess = ranks[positive].sum() + ranks[zero].sum() / 2 - count * (count + 1) / 4
        return math.erfc(abs(excess) / math.sqrt(squares / 12))
    ways = np.array([1.0])  # by twice the sum of ranks: ranks of ties are halves
    for double in (2 * ranks[~zero]).astype(np.int64).tolist():
        ways = np.pad(ways, (0, double)) + np.pad(ways, (double, 0))
    place = int(2 * ranks[positive].sum())
    return float(min(2 * min(ways[: place + 1].sum(), ways[place:].sum()) / ways.sum(), 1.0))


def _holm(p: Numbers) -> Numbers:
    order = np.argsort(p, kind="stable")
    corrected = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.asarray(np.minimum(corrected, 1.0)[np.argsort(order)])


def _signed_ranks(differences: Numbers) -> Numbers:
    """Probabilities of better, equal and worse by column."""
    blocks, count = differences.shape
    shape = np.array([_PRIOR, *np.ones(blocks)])
    weights = np.random.RandomState(_SEED).dirichlet(shape, size=_SAMPLES)
    result = np.zeros((count, 3))
    for column, own in enumerate(differences.T):
        pairs = np.add.outer([0.0, *own], [0.0, *own])
        better = ((weights @ (pairs > 2 * TOLERANCE)) * weights).sum(axis=1)
        worse = ((weights @ (pairs < -2 * TOLERANCE)) * weights).sum(axis=1)
        winner = np.argmax([better, 1 - better - worse, worse], axis=0)
        result[column] = np.bincount(winner, minlength=3) / _SAMPLES
    return result
