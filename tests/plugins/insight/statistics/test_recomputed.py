"""Sixty boards, computed again from their numbers by scipy and statsmodels."""

import itertools

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import permutation_test, t
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

from evaluator.core.ranking.comparison import compare_two, join_groups
from evaluator.core.ranking.proportion import proportion
from evaluator.plugins.insight.statistics.intervals import Intervals, intervals
from tests.core.leaderboard.tables import LOWER, Cell, table_board

pytestmark = pytest.mark.filterwarnings("ignore")  # theirs


@pytest.mark.parametrize("seed", range(40))
def test_p_and_distances_of_a_board_of_tasks(seed: int) -> None:
    """Two rows or more, weights, repeats and ties; scipy turns the signs in all ways."""
    source = np.random.default_rng(seed)
    rows = 2 if seed % 2 else int(source.integers(3, 7))
    tasks, repeats = int(source.integers(6, 11)), 1 + seed % 3
    values = source.normal(size=(rows, tasks, repeats)) + 0.5 * np.arange(rows).reshape(-1, 1, 1)
    values = np.round(values, 1 if seed % 4 == 3 else 6)
    weights = source.choice([1, 2, 10], tasks)
    table: dict[str, list[Cell]] = {
        f"p{row}/r{row}": [one if repeats > 1 else one[0] for one in values[row].tolist()]
        for row in range(rows)
    }
    own = ", ".join(f"{task}: {{weight: {weight}}}" for task, weight in enumerate(weights))
    columns = LOWER if seed % 5 == 4 else None
    certain = intervals(
        table_board(
            table, extra=f"pullbench: {{repeats: {repeats}, tasks: {{{own}}}}}\n",
            **({"columns": columns} if columns else {}),
        )
    )  # fmt: skip
    assert isinstance(certain, Intervals)
    shares = weights / weights.sum()
    means = values.mean(axis=2) * (-1 if columns else 1)
    order = [int(row.submission.name[1:]) for row in certain.rows]
    overall = np.average(means, axis=1, weights=weights)
    assert overall[order].tolist() == pytest.approx(sorted(overall, reverse=True))
    p, distance, low, high = certain.pairs.against(0)
    assert distance == pytest.approx(overall[order[0]] - overall[order])
    parts = {
        (one, other): shares * (means[one] - means[other])
        for one, other in itertools.combinations(range(rows), 2)
    }
    if rows == 2:
        (z,) = parts.values()
        found = permutation_test((z,), np.sum, permutation_type="samples", n_resamples=10**5)
        assert p[1] == pytest.approx(found.pvalue)
    else:
        spreads = [((np.abs(parts[one, one + 1]) - np.abs(parts[one, one + 1]).mean()) ** 2).sum()
                   for one in range(rows - 1)]  # fmt: skip
        lent = np.median(spreads) / 2
        errors = {pair: z - shares * z.sum() for pair, z in parts.items()}
        tops = np.max([_tops(family, lent, tasks) for family in (parts, errors)], axis=0)
        for place, other in enumerate(order[1:], 1):
            z = parts[min(order[0], other), max(order[0], other)]
            clear = abs(z.sum()) / _length(z, lent)
            assert p[place] == pytest.approx(np.mean(tops >= clear - 1e-5))
    assert ((p <= 0.05) == ((low > 0) | (high < 0))).all()


def _length(z: np.ndarray, lent: float) -> float:
    return float(np.sqrt(z @ z + min(lent, z @ z / 2)))


def _tops(parts: dict[tuple[int, int], np.ndarray], lent: float, units: int) -> np.ndarray:
    """By turn the clearest pair, in ascending order: scipy turns a sample of ones."""
    z = np.array([one / _length(one, lent) if one.any() else one for one in parts.values()])
    found = permutation_test(
        (np.ones(units),), lambda signs, axis: np.abs(signs @ z.T).max(axis=-1),
        permutation_type="samples", n_resamples=10**5, vectorized=True,
    )  # fmt: skip
    return np.sort(found.null_distribution)


@pytest.mark.parametrize("seed", range(20))
def test_samples_in_groups_have_the_errors_of_statsmodels_clusters(seed: int) -> None:
    source = np.random.default_rng(1000 + seed)
    groups = int(source.integers(120, 200))
    group_of = np.repeat(np.arange(groups), source.integers(2, 6, groups))
    level = source.beta(2, 2, (groups, 2))[group_of]
    outcomes = (source.random(level.shape) < level).astype(np.float64)
    d = level[:, 0] - level[:, 1] + source.normal(size=len(level))
    fitted = sm.OLS(d, np.ones(len(d))).fit(
        cov_type="cluster", cov_kwds={"groups": group_of}, use_t=True
    )
    joined, shares = join_groups(d[:, None], np.ones(len(d)), group_of)
    two = compare_two(joined[:, 0], shares)
    assert two.distance == pytest.approx(float(fitted.params[0]))
    assert two.p == pytest.approx(float(fitted.pvalues[0]), abs=0.03)
    assert (two.low, two.high) == pytest.approx(tuple(fitted.conf_int()[0]), abs=0.02)
    d = outcomes[:, 0] - outcomes[:, 1]
    won, lost = int((d > 0).sum()), int((d < 0).sum())
    exact = mcnemar([[0, won], [lost, 0]], exact=True).pvalue
    assert compare_two(d, np.ones(len(d))).p == pytest.approx(exact, abs=0.03)

    rates = outcomes[:, 0]
    value, *limits = proportion(rates, np.ones(len(rates)), group_of, len(rates))
    error = sm.OLS(rates, np.ones(len(rates))).fit(
        cov_type="cluster", cov_kwds={"groups": group_of}
    ).bse[0]  # fmt: skip
    few = t.ppf(0.975, len(rates) - 1) / t.ppf(0.975, groups - 1)
    count = min(value * (1 - value) * few**2 / error**2, len(rates))
    expected = proportion_confint(value * count, count, method="beta")
    assert value == pytest.approx(rates.mean())
    assert limits == pytest.approx(expected, abs=0.01)
