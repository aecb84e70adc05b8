"""The share of one row, such as an accuracy or pass@k, with its 95% interval in 0..1.

That of Clopper and Pearson for as many samples as the spread between groups says there are.
"""

from math import comb

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_OUTSIDE = 0.025
"""Part of the 95% that is left out on each side."""
_FEW = 2
"""Groups' worth of passes (or failures) below which the spread between groups tells nothing."""


def proportion(
    rates: Floats, weights: Floats, group_of: npt.NDArray[np.intp] | None, most: float
) -> tuple[float, float, float]:
    """The weighted mean of ``rates`` (by sample, in 0..1) and its limits.

    Samples of one group err together; without groups each sample is its own. ``most`` is how many
    outcomes there are at most: samples, or their runs where a rate is the share that passed.
    """
    shares = weights / weights.sum()
    value = float(min(max(shares @ rates, 0.0), 1.0))
    places = np.arange(len(rates)) if group_of is None else group_of
    of_group = np.bincount(places, shares)
    of_group = of_group[of_group > 0]
    groups = 1 / float(of_group @ of_group)
    count = _effective(rates - value, shares, places, value, groups, len(rates), most)
    if min(value, 1 - value) * groups < _FEW:
        count = groups if group_of is not None else min(count, groups)
    return value, *_limits(value * count, (1 - value) * count)


def pass_chances(runs: int, k: int, *, every: bool) -> Floats:
    """The chance that one of ``k`` runs passes, or every one, by how many of ``runs`` did.

    These estimates have no bias; NaN for fewer runs than ``k``.
    """
    all_ways = comb(runs, k) or np.nan
    ways = (comb(c, k) if every else comb(runs, k) - comb(runs - c, k) for c in range(runs + 1))
    return np.array([one / all_ways for one in ways])


def _effective(
    errors: Floats, shares: Floats, places: npt.NDArray[np.intp], value: float, groups: float,
    samples: int, most: float,
) -> float:  # fmt: skip
    """Of how many independent outcomes the mean varies as much."""
    if groups <= _FEW or not 0 < value < 1:
        return groups
    from scipy.special import stdtrit  # hardly any command asks for it

    sums, of_group = np.bincount(places, shares * errors), np.bincount(places, shares)
    spread = float((sums[of_group > 0] ** 2 / (1 - of_group[of_group > 0])).sum())
    few = stdtrit(samples - 1, 1 - _OUTSIDE) / stdtrit(groups - 1, 1 - _OUTSIDE)
    return float(min(value * (1 - value) * few**2 / spread, most)) if spread > 0 else most


def _limits(passed: float, failed: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    near = 1e-9  # sums of rates that are all 0, or 1
    low = betaincinv(passed, failed + 1, _OUTSIDE) if passed > near else 0.0
    high = betaincinv(passed + 1, failed, 1 - _OUTSIDE) if failed > near else 1.0
    return float(low), float(high)
