"""Sums of numbers as large as floats can be; ordinary ones are as they were, to the last bit."""

import math
import statistics
import sys

import pytest

from evaluator.core.formats.sums import deviation, finite, mean, median, total

MAX = sys.float_info.max
ORDINARY = [0.1, 0.2, 0.3, -7.25, 1e16, 5e-324]


def test_ordinary_numbers() -> None:
    assert mean(ORDINARY) == statistics.fmean(ORDINARY)
    assert total(ORDINARY) == math.fsum(ORDINARY)
    assert deviation(ORDINARY) == statistics.stdev(ORDINARY)
    assert median(ORDINARY) == statistics.median(ORDINARY)


@pytest.mark.parametrize(
    ("values", "middle", "summed"),
    [
        ([1e308, 1e308], 1e308, MAX),
        ([-1e308, -1e308, -1e308], -1e308, -MAX),
        ([MAX, MAX, MAX], MAX, MAX),
        ([1e308, 1e308, -1e308], 1e308 / 3, 1e308),
        ([MAX, -MAX], 0.0, 0.0),
    ],
)
def test_numbers_at_the_ends(values: list[float], middle: float, summed: float) -> None:
    assert mean(values) == pytest.approx(middle, rel=1e-15)
    assert total(values) == pytest.approx(summed, rel=1e-15)
    assert math.isfinite(median(values))
    assert math.isfinite(deviation(values))


def test_a_spread_beyond_them_is_the_largest() -> None:
    assert deviation([MAX, -MAX]) == MAX
    assert median([MAX, MAX]) == MAX


def test_what_is_no_number_is_zero() -> None:
    assert (finite(math.inf), finite(-math.inf), finite(math.nan)) == (MAX, -MAX, 0.0)
