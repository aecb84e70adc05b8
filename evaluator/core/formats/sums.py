"""Means, sums and spreads of any finite numbers: scores may be as large as a float can be.

Where the usual sums hold, values are theirs to the last bit. Where these overflow, numbers are made
smaller by a power of two first; what is beyond the largest float then is the largest float, so that
it can be ranked, written and read.
"""

import math
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

_SHRINK = 2.0**-64
"""Enough for as many numbers as fit into memory; what it takes from small ones does not count
beside those that overflow."""
_LARGEST = sys.float_info.max


def finite(value: float) -> float:
    """The nearest finite number; 0 for what is none."""
    return 0.0 if math.isnan(value) else max(-_LARGEST, min(_LARGEST, value))


def total(values: Iterable[float]) -> float:
    """Sum, rounded once."""
    return _scaled(math.fsum, list(values))


def _scaled(joined: Callable[[list[float]], float], numbers: list[float]) -> float:
    try:
        return joined(numbers)
    except OverflowError:
        return finite(joined([value * _SHRINK for value in numbers]) / _SHRINK)


def mean(values: Iterable[float], weights: Sequence[float] = ()) -> float:
    """Mean of at least one number, all weighing the same where there are no weights."""
    numbers = list(values)
    return _weighted(numbers, weights) if len(set(weights)) > 1 else _scaled(fmean, numbers)


def _weighted(numbers: Sequence[float], weights: Sequence[float]) -> float:
    # At most 1, by a power of two: this loses nothing, and products stay in range.
    scale = 2.0 ** math.ceil(math.log2(max(weights)))
    shares = [weight / scale for weight in weights]
    terms = [share * number for share, number in zip(shares, numbers, strict=True)]
    return _scaled(lambda terms: math.fsum(terms) / math.fsum(shares), terms)


def deviation(values: Iterable[float]) -> float:
    return _scaled(statistics.stdev, list(values))


def median(values: Iterable[float]) -> float:
    numbers = list(values)
    return (statistics.median_low(numbers) / 2 + statistics.median_high(numbers) / 2
            if math.isinf(middle := statistics.median(numbers)) else middle)  # fmt: skip
