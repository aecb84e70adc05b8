"""The one comparison: by brute force, against known tests, and by simulation."""

import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest, bootstrap, permutation_test, t

from evaluator.core.ranking.comparison import (
    ALPHA,
    _signs,
    about_these_tasks,
    compare_all,
    compare_two,
    join_groups,
    least_detectable,
    least_p,
    units_needed,
)
from tests.core.ranking.claims import FILE, Claim, Floats, claims, table

COUNTS = json.loads(FILE.read_text())
PAGE = Path(__file__).parents[3] / "site/contributors/simulations.md"


def random_board(source: np.random.Generator) -> tuple[Floats, Floats]:
    """Return values and shares of any kind: few units or many, ties, gaps, weights."""
    units, rows = source.integers(2, 25), source.integers(2, 9)
    values = source.normal(size=(units, rows)) + source.choice([0, 0.5, 1]) * np.arange(rows)
    if source.random() < 0.3:
        values = np.round(values)
    if source.random() < 0.3:
        values[source.random(values.shape) < 0.15] = np.nan
    shares = source.choice([1, 1, 5, 10], size=units) if source.random() < 0.5 else np.ones(units)
    return values, shares.astype(np.float64)


@pytest.mark.parametrize("claim", list(claims()), ids=lambda claim: claim.name)
def test_what_is_promised_holds_in_simulations(claim: Claim) -> None:
    counts = COUNTS[claim.name]
    assert claim.holds(counts["many"], claim.many), counts
    assert claim.count(claim.few) == counts["few"], "not the program that made the file"


@pytest.mark.slow
@pytest.mark.parametrize(
    "claim",
    # Boards of equal rows take minutes each; their small simulations are above.
    [one for one in claims() if "equal rows" not in one.name],
    ids=lambda claim: claim.name,
)
def test_the_large_simulations_come_out_the_same(claim: Claim) -> None:
    assert claim.count(claim.many) == COUNTS[claim.name]["many"]


def test_the_table_is_on_the_page_that_explains_it() -> None:
    _, _, rest = PAGE.read_text().partition("<!-- claims -->\n")
    assert rest.partition("<!-- /claims -->")[0].strip() == table(COUNTS).strip()


@pytest.mark.parametrize("boards", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_two_rows_are_apart_exactly_if_the_limits_leave_out_zero(boards: int) -> None:
    source = np.random.default_rng(1)
    for _ in range(boards):
        values, shares = random_board(source)
        pairs = compare_all(values, shares)
        for row in range(values.shape[1]):
            p, distance, low, high = pairs.against(row)
            outside = (low > 0) | (high < 0)
            assert ((p <= ALPHA) == outside).all()
            apart = np.flatnonzero(outside)
            assert ((low[apart] <= distance[apart]) & (distance[apart] <= high[apart])).all()


def length(z: Floats, lent: float) -> Floats:
    """Of a pair or, in columns, of pairs: at most half of the squares is lent."""
    squares = (z * z).sum(axis=0)
    return np.asarray(np.sqrt(squares + np.minimum(squares / 2, lent)))


def test_p_of_a_board_is_by_brute_force_that_of_the_clearest_pairs() -> None:
    source = np.random.default_rng(2)
    for _ in range(20):
        values, shares = source.normal(size=(7, 4)), source.choice([1.0, 3.0], 7)
        shares /= shares.sum()
        z = {
            (i, j): shares * (values[:, i] - values[:, j])
            for i, j in itertools.combinations(range(4), 2)
        }
        spread = [np.abs(z[i, i + 1]) for i in range(3)]
        lent = 0.5 * np.median([((one - one.mean()) ** 2).sum() for one in spread])
        turns = np.array(list(itertools.product([1, -1], repeat=7)))
        both = []
        for parts in (z, {pair: one - shares * one.sum() for pair, one in z.items()}):
            clear = [np.abs(turns @ one) / length(one, lent) for one in parts.values()]
            both.append(np.sort(np.max(clear, axis=0)))
        tops = np.maximum(*both)
        pairs = compare_all(values, shares)
        for (i, j), one in z.items():
            expected = np.mean(tops >= abs(one.sum()) / length(one, lent) - 1e-6)
            assert pairs.against(i)[0][j] == pytest.approx(expected)
            assert pairs.against(i)[1][j] == pytest.approx(one.sum())


@pytest.mark.parametrize(("units", "rows"), [(6, 3), (8, 300), (13, 60), (20, 100), (1100, 30)])
def test_the_clearest_pair_of_each_turn_is_found_however_few_pairs_are_turned(
    units: int, rows: int
) -> None:
    source = np.random.default_rng(units)
    values = source.normal(size=(units, rows)) + np.arange(rows) * source.choice([0, 0.1])
    if units < 1000:  # else a row that lacks a unit is compared with none
        values[source.random(values.shape) < 0.05] = np.nan
    pairs = compare_all(values, np.ones(units))
    assert pairs.turns == {6: 32, 8: 128, 13: 4096, 20: 4000, 1100: 4000}[units]
    turns = _signs(min(units, 1000))
    tops = np.zeros((2, len(turns)))
    for place, parts in enumerate((pairs.parts, pairs.parts - pairs.shares[:, None] * pairs.means)):
        for one in range(rows - 1):
            z = np.nan_to_num(parts[:, [one]] - parts[:, one + 1 :])
            z /= length(z, pairs.lent)
            tops[place] = np.maximum(tops[place], np.abs(turns @ z).max(axis=1))
    assert pairs.tops == pytest.approx(np.max(np.sort(tops, axis=1), axis=0), abs=1e-5)


def test_boards_of_many_rows_are_turned_less_often() -> None:
    """All ways for few units; where products would take long at least 200."""
    source = np.random.default_rng(6)
    for units, rows, turns in ((20, 400, 1562), (50, 700, 204), (1100, 200, 621)):
        assert compare_all(source.normal(size=(units, rows)), np.ones(units)).turns == turns


def test_two_rows_are_compared_by_scipys_sign_test() -> None:
    source = np.random.default_rng(3)
    for _ in range(20):
        d = source.normal(0.3, 1, 9)
        two = compare_two(d, np.ones(9))
        for p, way in ((two.p, "two-sided"), (two.p_more, "greater")):
            found = permutation_test((d,), np.mean, permutation_type="samples", alternative=way)
            assert p == pytest.approx(found.pvalue)


@pytest.mark.parametrize(("count", "error"), [(12, 1e-12), (400, 0.03), (3000, 0.03)])
def test_outcomes_are_compared_by_mcnemars_exact_test(count: int, error: float) -> None:
    source = np.random.default_rng(count)
    for chance in (0.45, 0.5, 0.002):
        outcomes = (source.random((count, 2)) < (chance, 0.5)).astype(np.float64)
        if chance == 0.002:
            outcomes[:, 1] = 0
        won, lost = ((outcomes[:, 0] - outcomes[:, 1]) == sign for sign in (1, -1))
        differ = int(won.sum() + lost.sum())
        exact = binomtest(int(won.sum()), differ).pvalue if differ else 1.0
        p = compare_two(outcomes[:, 0] - outcomes[:, 1], np.ones(count)).p
        assert p == pytest.approx(exact, abs=error)


def test_limits_are_students_and_those_of_the_bootstrap() -> None:
    source = np.random.default_rng(4)
    d = source.normal(0.1, 1, 150)
    two = compare_two(d, np.ones(150))
    student = t.ppf(0.975, 149) * d.std(ddof=1) / np.sqrt(150)
    assert (two.high - two.low) / 2 == pytest.approx(student, rel=0.05)
    values = source.normal(0, 1, (5000, 3)) + source.random((5000, 1))
    _, distance, low, high = compare_all(values, np.ones(5000)).against(0)
    drawn = bootstrap(
        (values[:, 0] - values[:, 1],), np.mean, n_resamples=2000, batch=100, confidence_level=0.98,
        rng=np.random.default_rng(8), method="percentile",
    ).confidence_interval  # fmt: skip
    assert distance[1] == pytest.approx((values[:, 0] - values[:, 1]).mean())
    # All three distances of a board hold together: each alone has some 98%.
    assert high[1] - low[1] == pytest.approx(drawn.high - drawn.low, rel=0.1)


@pytest.mark.parametrize("rows", [2, 3, 5])
def test_many_samples_of_equal_rows_differ_seldom(rows: int) -> None:
    """Whether they pass nearly always, or half of the time."""
    source = np.random.default_rng(rows)
    wrong = sum(
        bool((compare_all(outcomes, np.ones(2000)).against(0)[0] <= ALPHA).any())
        for chance in (0.5, 0.995) for _ in range(30)
        for outcomes in [(source.random((2000, rows)) < chance).astype(np.float64)]
    )  # fmt: skip
    assert wrong <= 0.05 * 60 + 2 * (0.05 * 0.95 * 60) ** 0.5


def test_no_p_is_below_what_the_count_of_units_can_show() -> None:
    for units in range(1, 20):
        two = compare_two(np.ones(units), np.ones(units))
        assert two.p_more >= least_p(units)
        assert units > 13 or two.p_more == 2.0**-units
        assert (two.p <= ALPHA) == (units >= 6)
    pairs = compare_all(np.tile([3.0, 2.0, 1.0], (5, 1)), np.ones(5))
    assert not pairs.can_separate
    assert (pairs.against(0)[0] == [1, 1 / 16, 1 / 16]).all()


@pytest.mark.parametrize("size", [1e3, 1e6, 1e20, 1e200])
@pytest.mark.parametrize(("rows", "junk"), [(3, [1]), (4, [1, 3]), (7, [1, 3]), (12, range(2, 12))])
def test_junk_rows_leave_the_others_their_verdict(
    rows: int, junk: Sequence[int], size: float
) -> None:
    """Anybody can enter them, in any place of the order of ids."""
    source = np.random.default_rng(rows)
    values = np.sort(source.normal(size=(9, rows)), axis=1)[:, ::-1] / 50 - 2 * np.arange(rows)
    values[:, junk] = -size * source.random((9, len(junk)))
    first, second = [row for row in range(rows) if row not in junk][:2]
    p, distance, low, _ = (one[second] for one in compare_all(values, np.ones(9)).against(first))
    assert p <= ALPHA and 0 < low < distance
    assert distance == pytest.approx((values[:, first] - values[:, second]).mean())


@pytest.mark.parametrize("others", [1, 2, 5])
def test_rows_that_differ_on_few_of_many_samples_have_the_exact_p(others: int) -> None:
    for count, p in ((4, 0.125), (5, 0.0625), (8, 0.0078)):
        values = np.zeros((1500, 1 + others))
        values[100 : 100 + count, 0] = 1
        found = compare_all(values, np.ones(1500)).against(0)
        assert found[0][1:] == pytest.approx(p, abs=0.016)
        assert ((found[0] <= ALPHA) == (found[2] > 0)).all()


def test_equal_rows_of_many_samples_have_no_distance() -> None:
    """Nor do those that differ by last bits, whatever row is beside them."""
    source = np.random.default_rng(9)
    for rows, units in itertools.product((3, 5, 9), (1001, 1500, 2400)):
        values = np.tile(source.random((units, 1)), rows)
        values *= 1 + 1e-14 * source.integers(-3, 4, size=values.shape)
        values[:, 0] = source.random(units)
        pairs = compare_all(values, source.random(units))
        p, distance, low, high = (one[1:] for one in pairs.against(1))
        assert (p == 1).all() and (distance == 0).all()
        assert (low <= 0).all() and (high >= 0).all()


def test_a_row_that_lacks_one_of_many_samples_moves_no_distance() -> None:
    values = np.random.default_rng(10).normal(size=(1001, 1001))
    values[0, 1000] = np.nan
    shares = np.arange(1.0, 1002.0)
    _, distance, low, high = compare_all(values, shares).against(0)
    expected = (shares @ (values[:, [0]] - values)) / shares.sum()
    assert distance[:1000] == pytest.approx(expected[:1000])
    both = slice(1, 1000)  # the first and the last are joined
    assert distance[1000] == pytest.approx(
        shares[both] @ (values[both, 0] - values[both, 1000]) / shares[both].sum()
    )
    assert low[1000] < distance[1000] < high[1000]


def test_what_tasks_a_unit_holds_counts_by_its_mean_and_its_share() -> None:
    """A row without a part of it has none, for the mean of the rest is another task's."""
    nan = np.nan
    values = np.array([[1.0, 0], [3, 0], [5, nan], [7, 1], [nan, nan], [4, 2]])
    joined, shares = join_groups(
        values, np.array([1.0, 3, 2, 2, 5, 1]), np.array([0, 0, 1, 1, 2, 2])
    )
    assert joined[[0, 2]].tolist() == [[2.5, 0], [4, 2]]
    assert joined[1, 0] == 6
    assert np.isnan(joined[1, 1])
    assert shares.tolist() == [4, 4, 6]


def test_a_row_that_lacks_one_task_is_compared_on_the_others() -> None:
    values = np.random.default_rng(0).normal([2, 0, 0], size=(36, 3))
    values[:12, 0] = np.nan
    task_of = np.repeat([0, 1, 2], 12)
    runs = about_these_tasks(values, np.ones(36), task_of)
    p, distance, _, _ = compare_all(runs, np.ones(36)).against(0)
    assert (p[1:] <= ALPHA).all()
    assert distance[1:] == pytest.approx([2, 2], abs=1)


def test_equal_rows_have_no_distance_from_each_other() -> None:
    """Whatever the order in which a machine adds their values."""
    source = np.random.default_rng(7)
    for units, rows in itertools.product(range(6, 60), (5, 6, 7)):
        values = np.tile(source.random((units, 1)), rows)
        pairs = compare_all(values, source.random(units))
        for row in range(rows):
            p, distance, low, high = pairs.against(row)
            assert (p == 1).all() and (distance == 0).all()
            assert (low <= 0).all() and (high >= 0).all()


def test_values_that_differ_by_a_last_bit_are_equal() -> None:
    source = np.random.default_rng(5)
    values = source.normal(size=(9, 3)).round(1) + 5
    moved = values * (1 + source.uniform(-1e-15, 1e-15, values.shape))
    for row in range(3):
        one, other = (compare_all(each, np.ones(9)).against(row) for each in (values, moved))
        assert one[0].tolist() == other[0].tolist()
    two = compare_all(np.array([[0.1 + 0.2, 0.3]] * 8), np.ones(8)).against(0)
    assert (two[0][1], two[1][1]) == (1, 0)


def test_the_largest_numbers_are_compared() -> None:
    assert compare_all(np.full((6, 3), np.finfo(float).max), np.ones(6)).against(0)[0][1] == 1
    values = np.tile([1e307, 5e-324, -1e307], (6, 1))
    p, distance, low, high = compare_all(values, np.ones(6)).against(0)
    assert (p[1:] <= ALPHA).all()
    assert distance.tolist() == pytest.approx([0, 1e307, 2e307])
    assert (low[1:] > 0).all() and (high >= distance * (1 - 1e-12)).all()


@pytest.mark.parametrize("units", [8, 12, 20])
def test_a_distance_that_would_show_is_seen_in_four_of_five_cases(units: int) -> None:
    source = np.random.default_rng(units)
    least = float(np.mean([
        least_detectable(two.low, two.high) for _ in range(300)
        for two in [compare_two(source.normal(size=units), np.ones(units))]
    ]))  # fmt: skip
    seen = np.mean([
        compare_two(least + source.normal(size=units), np.ones(units)).p <= ALPHA
        for _ in range(600)
    ])  # fmt: skip
    assert 0.74 <= seen <= 0.88
    assert units_needed(units, least, -least / 1.5, least / 1.5) == pytest.approx(units)
