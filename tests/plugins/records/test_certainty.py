"""P-values of a lead: against scipy's tests, and by simulation."""

import numpy as np
import pytest
from scipy import stats

from evaluator.core.leaderboard.table import Floats
from evaluator.plugins.records.certainty import certainty

BY = 0.5
TRIALS = 4000


def p_of(new: Floats, old: Floats, by: float = BY, weights: Floats | None = None) -> float:
    found = certainty(new, old, np.ones(len(new)) if weights is None else weights, by)
    assert found is not None
    return found.p


def test_on_one_task_it_is_welchs_test() -> None:
    random = np.random.default_rng(1)
    for _ in range(20):
        new, old = random.normal(1, 1, (1, 5)), random.normal(0, 3, (1, 5))
        old[0, 4] = np.nan
        expected = stats.ttest_ind(
            new[0] - BY, old[0, :4], equal_var=False, alternative="greater"
        ).pvalue
        assert p_of(new, old) == pytest.approx(expected, rel=1e-9)


def test_over_tasks_it_is_the_paired_test() -> None:
    random = np.random.default_rng(2)
    for _ in range(20):
        new, old = random.normal(1, 1, (6, 1)), random.normal(0, 1, (6, 1))
        expected = stats.ttest_rel(new[:, 0] - BY, old[:, 0], alternative="greater").pvalue
        assert p_of(new, old) == pytest.approx(expected, rel=1e-9)


def test_a_task_that_weighs_more_counts_as_more() -> None:
    random = np.random.default_rng(3)
    new, old = random.normal(1, 1, (2, 4)), random.normal(0, 1, (2, 4))
    alone = p_of(new[:1], old[:1])
    assert p_of(new, old, weights=np.array([1e9, 1])) == pytest.approx(alone, rel=1e-6)
    assert p_of(new, old, weights=np.array([1, 1])) != pytest.approx(alone, rel=1e-2)


@pytest.mark.parametrize(("tasks", "repeats"), [(1, 3), (4, 2), (3, 5), (5, 1), (12, 1)])
def test_a_lead_that_is_truly_the_margin_is_seldom_a_record(tasks: int, repeats: int) -> None:
    """At most p of what is exactly as much better as asked for, however unequal its spreads."""
    random = np.random.default_rng(tasks * 100 + repeats)
    level = 0.05
    spread = random.uniform(0.2, 3, (2, tasks, 1))
    false = 0
    for _ in range(TRIALS):
        noise = random.normal(0, 1, (2, tasks, repeats)) * spread
        task = random.normal(0, 5, (tasks, 1))
        false += p_of(task + noise[0] + BY, task + noise[1]) < level
    # Three standard errors of such a share above the level.
    assert false / TRIALS <= level + 3 * (level * (1 - level) / TRIALS) ** 0.5
    assert false


def test_a_lead_beyond_the_margin_is_seen() -> None:
    random = np.random.default_rng(4)
    seen = sum(
        p_of(random.normal(BY + 1, 0.3, (3, 5)), random.normal(0, 0.3, (3, 5))) < 0.01
        for _ in range(500)
    )
    assert seen > 490


def test_without_spread_the_margin_alone_decides() -> None:
    old = np.zeros((3, 2))
    assert p_of(old + 0.6, old) == 0
    assert p_of(old + 0.4, old) == 1


def test_too_little_tells_nothing() -> None:
    one = np.ones(1)
    assert certainty(np.array([[1.0]]), np.array([[0.0]]), one, BY) is None
    once = np.array([[0.0, np.nan]])
    assert certainty(np.array([[1.0, 1.1]]), once, one, BY) is None
    assert certainty(np.ones((2, 1)), np.zeros((2, 1)), np.ones(2), BY) is None
    # Nothing at all on one of the tasks.
    empty = np.array([[1.0, 2.0], [np.nan, np.nan]])
    assert certainty(empty, np.zeros((2, 2)), np.ones(2), BY) is None
