"""The best method against each other one, as the field tests it: Wilcoxon with Holm, and Bayes.

Demsar (2006) compares two methods over data sets by Wilcoxon's signed-rank test; Holm (1979)
corrects for the number of comparisons. Benavoli et al. (2017) ask instead how probable it is that
a method is better: the Bayesian signed-rank test, with differences below 0.1 % as equal. These
numbers stand beside the verdict of the board and make none.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluator.core.statistics.measured import Numbers
from evaluator.plugins.insight.statistics.duels import TOLERANCE
from evaluator.plugins.insight.statistics.outcomes import Table

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
    """Probability that the best is better on another block, by more than 0.1 %."""
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
    """Two-sided p by column; zeros are split between both signs, as Demsar does."""
    from scipy.stats import wilcoxon  # takes a second to load

    return np.array(
        [
            wilcoxon(own, zero_method="zsplit").pvalue if own.any() else 1.0
            for own in differences.T  # one by one: exact wherever there are no ties
        ]
    )


def _holm(p: Numbers) -> Numbers:
    order = np.argsort(p, kind="stable")
    corrected = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    result = np.empty_like(p)
    result[order] = np.minimum(corrected, 1.0)
    return result


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
