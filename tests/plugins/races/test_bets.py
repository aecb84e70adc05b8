"""The rule by which a race is decided: exact values, exact counts, and its table of cases."""

import itertools
import math
from statistics import fmean, median

import numpy as np
import pytest

from evaluator.plugins.races.bets import interval, p_value, verdict, wealth

INF = math.inf
LEADS = [0.03, 0.02, 0.025, -0.01, 0.04, 0.03, 0.02, 0.035, 0.03, 0.025]


def test_exact_values() -> None:
    expected = [1.755928, 2.970116, 5.335350, 0.904093, 1.627902, 2.790719, 4.355454, 7.869845,
                13.983922, 24.377345]  # fmt: skip
    assert list(wealth(LEADS, -math.log(0.99))) == pytest.approx(expected, abs=1e-6)
    assert list(wealth(LEADS))[-1] == pytest.approx(61.873026, abs=1e-6)
    assert list(wealth([0.03, 0.02, -INF, 0.03, 0.02])) == pytest.approx(
        [1.755928, 3.042251, 0.304225, 0.545797, 0.968199], abs=1e-6
    )
    low, high = interval(LEADS)
    assert (math.exp(-high), math.exp(-low)) == pytest.approx((0.96536, 0.99676), abs=2e-5)
    assert p_value(LEADS, 0) == pytest.approx(1 / 61.873026)
    assert p_value([-0.1], 0) == p_value([], 0) == 1
    assert interval([0.01] * 4) == (-INF, INF)


@pytest.mark.parametrize(("p", "pairs"), [(0.05, 6), (0.01, 8), (0.001, 12), (0.00025, 14)])
def test_fewest_pairs_of_equal_leads(p: float, pairs: int) -> None:
    assert verdict([0.02] * (pairs - 1), margin=0, p=p, cap=30) == ""
    assert verdict([0.02] * pairs, margin=0, p=p, cap=30) == "record"


@pytest.mark.parametrize(
    ("sizes", "at_100", "at_20"),
    [
        ([1] * 14, 80, 391),
        pytest.param(range(1, 15), 96, 651, marks=pytest.mark.slow),
        pytest.param(range(14, 0, -1), 76, 352, marks=pytest.mark.slow),
        pytest.param([2**k for k in range(14)], 101, 670, marks=pytest.mark.slow),
        ([1] * 6 + [69] + [1] * 7, 94, 385),
        pytest.param(([1, 1.5, 2] * 5)[:14], 84, 412, marks=pytest.mark.slow),
    ],
)
def test_of_all_patterns_of_signs_few_reach_a_record(
    sizes: list[float], at_100: int, at_20: int
) -> None:
    """The proof without chance: 16,384 patterns, of which 163 and 819 may reach 100 and 20."""
    patterns = [
        list(wealth([s * x for s, x in zip(signs, sizes, strict=True)]))
        for signs in itertools.product((1, -1), repeat=14)
    ]
    assert fmean(path[-1] for path in patterns) == pytest.approx(1, abs=1e-12)
    assert sum(max(path) >= 100 for path in patterns) == at_100 <= 163
    assert sum(max(path) >= 20 for path in patterns) == at_20 <= 819


def drawn(case: str, lead: float, sd: float, races: int = 5000, pairs: int = 30) -> np.ndarray:
    """Leads above the margin; all three draws are made in every case."""
    rng = np.random.default_rng(20261127)
    x = lead + sd * rng.standard_normal((races, pairs))
    first = rng.random((races, pairs)) < 0.5  # the challenger ran first
    hit = rng.random((races, pairs, 2)) < 0.02  # a run takes twice as long
    if case == "order":
        x = x + np.where(first, 0.003, -0.003)
    if case == "outliers":
        x = x + np.log(2) * (hit[..., 0].astype(float) - hit[..., 1])
    if case == "burst":
        x = lead + (x - lead) * np.where(np.arange(pairs) < pairs // 2, 1, 10)
    return x


@pytest.mark.parametrize(
    ("case", "by", "faster", "sd", "records", "pairs", "pairs_of_records"),
    [
        ("plain", 0, 0, 0.01, 32, 9.50, 12),
        pytest.param("order", 0, 0, 0.0005, 28, 9.97, 8, marks=pytest.mark.slow),
        ("outliers", 0, 0, 0.01, 35, 9.43, 11),
        pytest.param("burst", 0, 0, 0.003, 32, 9.45, 12, marks=pytest.mark.slow),
        pytest.param("plain", 0.01, 0.02, 0.01, 4712, 14.62, 13, marks=pytest.mark.slow),
        pytest.param("outliers", 0.01, 0.03, 0.01, 4978, 9.80, 9, marks=pytest.mark.slow),
        pytest.param("plain", 0.01, 0.01, 0.01, 32, 9.50, 12, marks=pytest.mark.slow),
        pytest.param("plain", 0.01, 0, 0.01, 0, 5.30, 0, marks=pytest.mark.slow),
        pytest.param("order", 0, 0, 0.003, 28, 9.54, 13, marks=pytest.mark.slow),
        pytest.param("plain", 0.01, 0.03, 0.01, 5000, 8.86, 9, marks=pytest.mark.slow),
        pytest.param("order", 0.01, 0.03, 0.003, 5000, 8.01, 8, marks=pytest.mark.slow),
        pytest.param("plain", 0.01, 0.1, 0.03, 5000, 8.16, 8, marks=pytest.mark.slow),
        pytest.param("plain", 0, 0.03, 0.03, 4712, 14.62, 13, marks=pytest.mark.slow),
        pytest.param("plain", 0.005, 0.01, 0.003, 4999, 9.66, 9, marks=pytest.mark.slow),
    ],
)
def test_cases(
    case: str, by: float, faster: float, sd: float, records: int, pairs: float,
    pairs_of_records: int,
) -> None:  # fmt: skip
    lead = -math.log(1 - faster) + math.log(1 - by)
    ends: list[tuple[str, int]] = []
    for leads in drawn(case, lead, sd).tolist():
        number, said = 0, ""
        while not said:
            number += 1
            said = verdict(leads[:number], margin=0.0, p=0.01, cap=30)
        ends.append((said, number))
    found = [number for said, number in ends if said == "record"]
    assert len(found) == records
    assert fmean(number for _, number in ends) == pytest.approx(pairs, abs=0.005)
    assert (median(found) if found else 0) == pairs_of_records
