"""Shares of win rates as arrays: what ``win_rates.shares`` gives of one task, of many at once."""

from collections.abc import Sequence

import numpy as np

from evaluator.leaderboard.rankdata import rankdata
from evaluator.statistics.score_matrix import Counts, Numbers

FAILED = np.finfo(np.float64).max / 2
"""Stands for what is worse than any value; of infinity no mean of repeats can be made."""


class Opponents:
    """Rows of a board by their participants, each of whom is one opponent."""

    def __init__(self, participants: Sequence[str]) -> None:
        _, group_of = np.unique(np.array(participants), return_inverse=True)
        self._order = np.argsort(group_of, kind="stable")
        """Rows of one participant side by side."""
        sizes = np.bincount(group_of)
        self._starts: Counts = np.cumsum(sizes) - sizes
        self._group_of = group_of[self._order]
        self._several = [
            slice(start, start + size)
            for start, size in zip(self._starts.tolist(), sizes.tolist(), strict=True)
            if size > 1
        ]

    def shares(self, values: Numbers) -> Numbers:
        """Return how much of the others each row beats, by sample; a greater value is better.

        NaN is a row that does not take part, and a share where there is nobody else.
        """
        values = values[:, self._order]
        here = ~np.isnan(values)
        keys = np.where(here, values, np.inf)  # beyond all, and of no weight
        own = np.add.reduceat(here.astype(np.float64), self._starts, axis=1)[:, self._group_of]
        weights = np.where(here, 1 / np.maximum(own, 1.0), 0.0)
        beaten = _weight_below(keys, weights) - 0.5 / np.maximum(own, 1.0)
        opponents = np.add.reduceat(weights, self._starts, axis=1).sum(axis=1, keepdims=True) - 1
        opponents = np.broadcast_to(np.rint(opponents), values.shape).copy()
        for group in self._several:
            # Its own others weigh as one more opponent; it does not meet itself.
            others = rankdata(keys[:, group], axis=1) - 1
            count = np.maximum(own[:, group], 1.0)
            beaten[:, group] -= others / count
            beaten[:, group] += np.where(count > 1, others / np.maximum(count - 1, 1.0), 0.0)
            opponents[:, group] += count > 1
        shares = np.full(values.shape, np.nan)
        np.divide(beaten, opponents, out=shares, where=here & (opponents > 0))
        result = np.empty_like(shares)
        result[:, self._order] = shares
        return result


def _weight_below(keys: Numbers, weights: Numbers) -> Numbers:
    """Weight of the rows with a lesser key, equal ones and the row itself counting half."""
    order = np.argsort(keys, axis=1, kind="stable")
    sums = np.zeros((len(keys), keys.shape[1] + 1))
    np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1, out=sums[:, 1:])
    first = rankdata(keys, method="min", axis=1).astype(np.int64) - 1
    last = rankdata(keys, method="max", axis=1).astype(np.int64)
    below = np.take_along_axis(sums, first, axis=1) + np.take_along_axis(sums, last, axis=1)
    return np.asarray(below / 2)
