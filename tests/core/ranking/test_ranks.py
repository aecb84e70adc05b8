"""Ranks, ties, missing values and rounding, against SciPy and by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from evaluator.core.ranking import ranks as module
from evaluator.core.ranking.ranks import ranks, rounded, with_missing
from evaluator.core.ranking.rule import Missing, Ties

NONE = math.nan
METHODS: dict[Ties, str] = {"competition": "min", "dense": "dense", "average": "average"}
numbers = st.sampled_from([0.0, -0.0, 1.0, 1.5, math.inf, -1e308])


@given(
    st.integers(1, 12).flatmap(
        lambda wide: st.lists(st.lists(numbers, min_size=wide, max_size=wide), min_size=1)
    )
)
def test_ranks_are_scipys(values: list[list[float]]) -> None:
    keys = np.array(values)
    for ties, method in METHODS.items():
        expected = rankdata(keys, method=method, axis=1)
        assert ranks(keys, ties).tolist() == expected.tolist()
        assert ranks(-keys, ties, ascending=False).tolist() == expected.tolist()


def test_many_are_ranked_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = np.random.RandomState(1).randint(0, 9, size=(3, 7, 11)).astype(np.float64)
    whole = ranks(keys, "average")
    monkeypatch.setattr(module, "_BLOCK", 25)
    assert ranks(keys, "average").tolist() == whole.tolist()
    assert ranks(np.empty((2, 0))).shape == (2, 0)


@pytest.mark.parametrize(
    ("ties", "expected"),
    [("competition", [1, 1, 3]), ("dense", [1, 1, 2]), ("average", [1.5, 1.5, 3])],
)
def test_what_has_no_value_has_no_rank(ties: Ties, expected: list[float]) -> None:
    found = ranks(np.array([2.0, NONE, 2.0, 1.0]), ties, ascending=False).tolist()
    assert math.isnan(found.pop(1))
    assert found == expected


@pytest.mark.parametrize(
    ("missing", "rank", "alone"),
    [("last", 2, 1), ("last+1", 3, 1), ("worst", 4, 4), ("midrank", 3.5, 2.5)],
)
def test_what_stands_for_a_missing_value(missing: Missing, rank: float, alone: float) -> None:
    found = with_missing(np.array([[1, NONE, 2, NONE], [NONE] * 4]), missing)
    assert found[0].tolist() == [1, rank, 2, rank]
    assert found[1].tolist() == [alone] * 4


@given(st.floats(allow_nan=False), st.integers(0, 15))
def test_halves_are_rounded_to_even(value: float, decimals: int) -> None:
    scaled = value * 10**decimals
    expected = round(scaled) / 10**decimals if math.isfinite(scaled) else value
    assert rounded(np.array([value]), decimals)[0] == expected
    assert rounded(np.array([0.125, 0.375, 2.5]), 2).tolist() == [0.12, 0.38, 2.5]
