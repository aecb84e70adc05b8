"""How much of the others each row beats, of many tasks or samples at once."""

from collections.abc import Sequence

import numpy as np

from evaluator.core.ranking.ranks import Floats, ranks


def shares(values: Floats, participants: Sequence[str]) -> Floats:
    """Return how much of the others each row beats, by sample; a greater value is better.

    NaN is a row that does not take part, and a share where there is nobody else.
    """
    _, group_of = np.unique(np.array(participants, dtype=np.str_), return_inverse=True)
    rows = np.argsort(group_of, kind="stable")  # those of one participant side by side
    sizes = np.bincount(group_of)
    starts = np.cumsum(sizes) - sizes
    group_of = group_of[rows]
    values = values[:, rows]
    here = ~np.isnan(values)
    by_group = np.add.reduceat(here.astype(np.float64), starts, axis=1)
    count = np.maximum(by_group, 1.0)[:, group_of]
    below = np.full(values.shape, 0.5)  # of a participant's rows, an equal one counting half
    for group in np.flatnonzero(sizes > 1).tolist():
        members = slice(starts[group], starts[group] + sizes[group])
        below[:, members] = ranks(values[:, members], "average") - 0.5
    beaten = _weight_below(values, np.where(here, 1 / count, 0.0)) - below / count
    # A participant's other rows weigh as one more opponent; a row does not meet itself.
    beaten += np.where(count > 1, (below - 0.5) / np.maximum(count - 1, 1.0), 0.0)
    opponents = (by_group > 0).sum(axis=1, keepdims=True) - 1.0 + (count > 1)
    result = np.full(values.shape, np.nan)
    result[:, rows] = np.divide(
        beaten, opponents, out=np.full(values.shape, np.nan), where=here & (opponents > 0)
    )
    return result


def _weight_below(values: Floats, weights: Floats) -> Floats:
    """Weight of the rows with a lesser value, equal ones and the row itself counting half."""
    order = np.lexsort((weights, values), axis=1)  # NaN stands last, and has no weight
    sums = np.zeros((len(values), values.shape[1] + 1))
    np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1, out=sums[:, 1:])
    first = np.nan_to_num(ranks(values), nan=1.0)
    last = np.nan_to_num(2 * ranks(values, "average") - first, nan=1.0)
    below = np.take_along_axis(sums, first.astype(np.int64) - 1, axis=1)
    return np.asarray((below + np.take_along_axis(sums, last.astype(np.int64), axis=1)) / 2)
