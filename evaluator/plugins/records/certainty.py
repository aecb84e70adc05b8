"""How certain it is that an entry beats another by more than a margin: one-sided p-values.

Over repeats: Welch's t-test on each task, combined over tasks as the board combines values; the
standard error comes from the repeats of each task, with Satterthwaite's degrees of freedom. So it
says whether the programs differ on these very tasks. Over tasks: the paired t-test.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaluator.core.leaderboard.table import Floats
from evaluator.plugins.records.keys import MIN_REPEATS, MIN_TASKS


@dataclass(frozen=True, kw_only=True)
class Certainty:
    """A p-value, and what varied."""

    p: float
    basis: Literal["repeats", "tasks"]


def certainty(new: Floats, old: Floats, weights: Floats, by: float) -> Certainty | None:
    """Return how likely such a lead of ``new`` is if it were truly ``by``, or None.

    ``new`` and ``old`` are (task, repeat), NaN for none, more is better; ``weights`` are those of
    the tasks. There is none without enough repeats of each task of both, or enough tasks.
    """
    shares = weights / weights.sum()
    counts = np.stack([(~np.isnan(each)).sum(axis=1) for each in (new, old)])
    if not counts.size or not counts.all():
        return None
    means = np.stack([np.nanmean(each, axis=1) for each in (new, old)])
    leads = means[0] - means[1]
    lead = float(shares @ leads)
    if (counts >= MIN_REPEATS).all():
        spread = np.stack([np.nanvar(each, axis=1, ddof=1) for each in (new, old)])
        parts = shares**2 * spread / counts
        freedom = parts.sum() ** 2 / (parts**2 / (counts - 1)).sum() if parts.any() else np.inf
        return Certainty(p=_p(lead - by, parts.sum(), freedom), basis="repeats")
    if len(leads) >= MIN_TASKS:
        unbiased = len(leads) / (len(leads) - 1)
        variance = unbiased * (shares**2 @ (leads - lead) ** 2)
        return Certainty(p=_p(lead - by, variance, len(leads) - 1), basis="tasks")
    return None


def _p(excess: float, variance: float, freedom: float) -> float:
    if variance <= 0:
        return 0.0 if excess > 0 else 1.0
    from scipy.special import stdtr  # scipy.stats takes half a second to load

    return float(stdtr(freedom, -excess / np.sqrt(variance)))
