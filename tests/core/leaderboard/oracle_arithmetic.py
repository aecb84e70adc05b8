"""Weighted means and medians, ranks of values, and what counts as equal, for ``oracle``.

``assets/arithmetic.js`` is the same in the browser, operation for operation.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Literal

Ties = Literal["competition", "dense", "average"]
TOLERANCE = 1e-12
"""Relative difference within which weights come to a half."""
NEAR = 2.0**-40
"""Relative difference within which values are equal."""
_HUGE, _SHRINK = 2.0**1000, 2.0**-64


def relative(weights: Sequence[float]) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return which weights are not 0, and these in proportion, the greatest about 1.

    They are divided by a power of two, which loses nothing; where all are equal they are 1.
    """
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights):
        raise ValueError("weights are finite numbers that are not negative")
    used = tuple(index for index, weight in enumerate(weights) if weight > 0)
    own = [weights[index] for index in used]
    greatest, scale = max(own, default=1.0), 1.0
    if all(weight == greatest for weight in own):
        scale = greatest
    while greatest / scale > 1 and scale < _HUGE:
        scale *= 2
    while greatest / scale <= 0.5:
        scale /= 2
    return used, tuple(weight / scale for weight in own)


def is_value(value: float | None) -> bool:
    """Whether it is a finite number."""
    return value is not None and math.isfinite(value)


def mean(own: Sequence[float], weights: Sequence[float]) -> float:
    """Weighted mean, from sums that are rounded once; weights are at most 1."""
    terms = [weight * value for weight, value in zip(weights, own, strict=True)]
    if not all(map(math.isfinite, terms)):  # logarithms of 0, or no number
        return math.nan if any(map(math.isnan, terms)) else -math.inf
    if max(map(abs, terms)) > _HUGE:
        return math.fsum(term * _SHRINK for term in terms) / math.fsum(weights) / _SHRINK
    return math.fsum(terms) / math.fsum(weights)


def median(own: Sequence[float], weights: Sequence[float]) -> float:
    """Weighted median, as the module defines it."""
    order = sorted(range(len(own)), key=own.__getitem__)
    half = math.fsum(weights) / 2
    below = 0.0
    for place, index in enumerate(order):
        below += weights[index]
        if abs(below - half) <= TOLERANCE * half and place + 1 < len(order):
            return own[index] / 2 + own[order[place + 1]] / 2
        if below > half:
            return own[index]
    return own[order[-1]]


def task_ranks(own: Sequence[float], ascending: bool, ties: Ties) -> list[float]:
    """Ranks of values on one task, from 1, the best."""
    level = levelled(own if ascending else [-value for value in own])
    keys = sorted(set(level)) if ties == "dense" else sorted(level)
    result = []
    for key in level:
        above = bisect_left(keys, key)
        equal = bisect_right(keys, key) - above
        result.append(above + (equal + 1) / 2 if ties == "average" else above + 1.0)
    return result


def with_missing(
    ranks: Sequence[float | None], missing: Literal["last", "last+1", "worst", "midrank"]
) -> list[float]:
    """Give a rank to those without one: as the bundle says which."""
    left = range(sum(rank is not None for rank in ranks) + 1, len(ranks) + 1)
    last = max((rank for rank in ranks if rank is not None), default=0.0)
    given = {
        "last": max(last, 1.0), "last+1": last + 1, "worst": float(len(ranks)),
        "midrank": sum(left) / max(len(left), 1),
    }[missing]  # fmt: skip
    return [given if rank is None else rank for rank in ranks]


def rounded(value: float, decimals: int | None) -> float:
    """Round as boards do before they compare: scaled, halves to even; None does not."""
    if decimals is None:
        return value
    scaled = value * float(10**decimals)
    return round(scaled) / float(10**decimals) if math.isfinite(scaled) else value


def levelled(values: Sequence[float]) -> list[float]:
    """Put the least of those that count as equal for all of them."""
    least: dict[float, float] = {}
    before = -math.inf
    for value in sorted(value for value in values if not math.isnan(value)):
        near = value == before or (
            math.isfinite(value - before) and value - before <= NEAR * max(abs(value), abs(before))
        )
        least[value] = least[before] if near and before in least else value
        before = value
    return [value if math.isnan(value) else least[value] for value in values]
