"""Ranks and shares of wins along an array: which values are equal, what a missing one is worth.

Two values are equal if they differ by at most 2^-40 of the greater: sums in another order, or on
another machine, differ by less, and no score differs by so little. Everything that compares values
uses this rule: ``is_equal``, or plain comparisons after ``levelled``. ``assets/arithmetic.js`` has
it for the browser.

Own code rather than ``scipy.stats.rankdata``, which takes longer to import than most commands to
run, and all memory at once; a test holds the two equal.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from evaluator.core.ranking.rule import Missing, Ties

Floats = npt.NDArray[np.float64]

NEAR = 2.0**-40
_BLOCK = 2**18
"""Values that are ranked at once."""


def is_equal(one: Floats | float, other: Floats | float) -> npt.NDArray[np.bool_]:
    """Whether values count as equal, one by one; NaN equals nothing."""
    one, other = np.asarray(one), np.asarray(other)
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(one - other) <= NEAR * np.maximum(np.abs(one), np.abs(other))
    return np.asarray((one == other) | (near & np.isfinite(one) & np.isfinite(other)))


def levelled(values: Floats) -> Floats:
    """Give values that count as equal along the last axis the least of them, to be compared."""
    order = np.argsort(values, axis=-1)
    ordered = np.take_along_axis(values, order, axis=-1)
    places = np.arange(values.shape[-1])
    same = is_equal(ordered[..., 1:], ordered[..., :-1])
    begins = np.concatenate([np.ones_like(same[..., :1], shape=(*same.shape[:-1], 1)), ~same], -1)
    first = np.maximum.accumulate(np.where(begins, places, 0), axis=-1)
    result = np.empty(values.shape)
    np.put_along_axis(result, order, np.take_along_axis(ordered, first, axis=-1), axis=-1)
    return result


def ranks(values: Floats, ties: Ties = "competition", *, ascending: bool = True) -> Floats:
    """Ranks from 1 along the last axis, the best first; NaN for NaN.

    ``ascending`` is whether less is better. ``ties``: equal values get 1, 1, 3 (``competition``),
    1, 1, 2 (``dense``) or 1.5, 1.5, 3 (``average``).
    """
    result = np.empty(values.shape)
    width = max(values.shape[-1], 1)
    lines, ranked = values.reshape(-1, width), result.reshape(-1, width)
    height = max(1, _BLOCK // width)
    for start in range(0, len(lines), height):
        some = slice(start, start + height)
        ranked[some] = _ranks(lines[some] if ascending else -lines[some], ties)
    return result


def _ranks(keys: Floats, ties: Ties) -> Floats:
    order = np.argsort(keys, axis=1)  # NaN stands last, and each by itself
    ordered = np.take_along_axis(keys, order, axis=1)
    begins = np.ones(keys.shape, dtype=np.bool_)
    np.logical_not(is_equal(ordered[:, 1:], ordered[:, :-1]), out=begins[:, 1:])
    places = np.arange(keys.shape[1])
    if ties == "dense":
        ranked = np.cumsum(begins, axis=1).astype(np.float64)
    else:
        ranked = np.maximum.accumulate(np.where(begins, places, 0), axis=1) + 1.0
    if ties == "average":
        ends = np.ones(keys.shape, dtype=np.bool_)
        ends[:, :-1] = begins[:, 1:]
        last = np.where(ends, places, keys.shape[1])[:, ::-1]
        ranked = (ranked + np.minimum.accumulate(last, axis=1)[:, ::-1] + 1) / 2
    result = np.empty(keys.shape)
    np.put_along_axis(result, order, ranked, axis=1)
    result[np.isnan(keys)] = np.nan
    return result


def with_missing(ranked: Floats, missing: Missing) -> Floats:
    """Give a rank to what has none, along the last axis.

    ``last``: that of the last value; ``last+1``: one more; ``worst``: the number of all;
    ``midrank``: the mean of the ranks that are left, as if they all tied behind every value.
    """
    absent = np.isnan(ranked).sum(axis=-1, keepdims=True)
    last = np.max(np.where(np.isnan(ranked), 0.0, ranked), axis=-1, initial=0.0, keepdims=True)
    given = {
        "last": np.maximum(last, 1.0),
        "last+1": last + 1,
        "worst": np.full_like(last, ranked.shape[-1]),
        "midrank": ranked.shape[-1] - (absent - 1) / 2,
    }[missing]
    return np.where(np.isnan(ranked), given, ranked)


def rounded(values: Floats, decimals: int | None) -> Floats:
    """Round before values are compared, as OGB's boards do; None does not.

    They are scaled, so that the half of a decimal is the half of a whole, which goes to the even
    one. What is too large to be scaled has no decimals.
    """
    if decimals is None:
        return values
    scale = float(10**decimals)
    with np.errstate(over="ignore"):
        scaled = values * scale
    return np.where(np.isfinite(scaled), np.rint(scaled) / scale, values)


def shares(values: Floats, participants: Sequence[str]) -> Floats:
    """How much of the others each row beats, by sample; NaN for none, and of nobody."""
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
