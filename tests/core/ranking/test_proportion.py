"""The share of one row: limits in 0..1 that hold, whatever the samples are like."""

import numpy as np
import pytest
from scipy.stats import binomtest

from evaluator.core.ranking.proportion import proportion


@pytest.mark.parametrize(("passed", "count"), [(0, 20), (3, 20), (10, 20), (20, 20), (150, 164)])
def test_samples_that_pass_or_fail_have_the_exact_limits(passed: int, count: int) -> None:
    rates = (np.arange(count) < passed).astype(np.float64)
    value, low, high = proportion(rates, np.ones(count), None, count)
    exact = binomtest(passed, count).proportion_ci(method="exact")
    assert value == pytest.approx(passed / count)
    assert (low, high) == pytest.approx((exact.low, exact.high), abs=0.01)
    if passed in (0, count):
        assert (low, high) == pytest.approx((exact.low, exact.high))


def test_groups_count_as_what_they_are() -> None:
    """Samples that are all alike in each of twelve groups tell as much as twelve samples."""
    groups = np.arange(240) % 12
    rates = (groups < 5).astype(np.float64)
    value, low, high = proportion(rates, np.ones(240), groups, 240)
    _, alone_low, alone_high = proportion(rates[:12], np.ones(12), None, 12)
    assert value == pytest.approx(5 / 12)
    assert high - low == pytest.approx(alone_high - alone_low, rel=0.2)
    _, single_low, single_high = proportion(rates, np.ones(240), None, 240)
    assert high - low > 3 * (single_high - single_low)
    assert proportion(np.zeros(240), np.ones(240), groups, 240)[1:] == pytest.approx(
        (0, 1 - 0.025 ** (1 / 12))
    )


def test_weights_make_fewer_samples() -> None:
    rates = np.array([1.0, 0, 1, 0, 1, 0, 1, 0])
    even = proportion(rates, np.ones(8), None, 8)
    heavy = proportion(rates, np.array([9.0, 1, 1, 1, 1, 1, 1, 1]), None, 8)
    assert heavy[0] == pytest.approx(12 / 16)
    assert heavy[2] - heavy[1] > even[2] - even[1]
