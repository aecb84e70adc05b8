"""Statistics over tasks and folds: by hand, and against scipy and scikit-posthocs."""

import math
import subprocess
import sys

import numpy as np
import pytest
import scikit_posthocs
import scipy.stats

from evaluator.core.formats.record import Reason
from evaluator.core.leaderboard.reported import kind_of_text
from evaluator.plugins.insight.statistics.boxes import Box, make_box
from evaluator.plugins.insight.statistics.duels import (
    Duel,
    champions,
    compare_budgets,
    duels,
    is_tie,
    mean_ranks,
    rank_all,
    rank_block,
)
from evaluator.plugins.insight.statistics.material import (
    KINDS,
    count_failures,
    kind_of_reason,
    total_failures,
)
from evaluator.plugins.insight.statistics.outcomes import (
    Table,
    blocks,
    collect,
    impute,
    scale,
    task_means,
)
from evaluator.plugins.insight.statistics.significance import (
    critical_difference,
    friedman,
    nemenyi,
)

VALUES: dict[tuple[str, str], list[float | None]] = {
    ("t", "const"): [0.5, 0.5],
    ("t", "good"): [0.9, None],
    ("t", "gone"): [None, None],
}


def test_an_absent_fold_counts_as_the_constant_predictor_of_that_fold() -> None:
    outcomes = collect(["t"], ["const", "good", "gone"], VALUES)
    assert task_means(outcomes)["t"] == {"const": 0.5, "good": None, "gone": None}
    filled = impute(outcomes, "const")
    assert task_means(filled)["t"] == {"const": 0.5, "good": 0.7, "gone": 0.5}
    assert filled.imputed == {"good": 1, "gone": 2}
    partly = impute(outcomes, "const", whole_tasks=False)
    assert task_means(partly)["t"] == {"const": 0.5, "good": 0.7, "gone": None}
    assert partly.imputed == {"good": 1}


def test_errors_are_turned_round_and_short_rows_filled() -> None:
    outcomes = collect(["t"], ["a", "b"], {("t", "a"): [2.0, 4.0]}, lower_is_better=True)
    assert outcomes.values == {("t", "a"): (-2.0, -4.0), ("t", "b"): (None, None)}


def test_folds_count_singly_where_tasks_are_few() -> None:
    few = collect(["t"], ["a"], {("t", "a"): [1.0, 2.0]})
    assert blocks(few) == {"t, fold 0": {"a": 1.0}, "t, fold 1": {"a": 2.0}}
    many = collect("xyz", ["a"], {(t, "a"): [1.0, 2.0] for t in "xyz"})
    assert blocks(many) == {t: {"a": 1.5} for t in "xyz"}


def test_scaling() -> None:
    table = {"t": {"c": 0.5, "rf": 0.75, "x": 1.0, "y": 0.25, "gone": None}}
    named = scale(table, zero="c", one="rf")["t"]
    assert named == {"c": 0.0, "rf": 1.0, "x": 2.0, "y": -1.0, "gone": None}
    unnamed = scale(table)["t"]
    assert unnamed == {"c": 1 / 3, "rf": 2 / 3, "x": 1.0, "y": 0.0, "gone": None}
    assert scale({"t": {"c": 0.5, "rf": 0.5, "x": 1.0}}, zero="c", one="rf")["t"]["x"] is None
    assert scale({"t": {"c": None, "rf": 0.5}}, zero="c", one="rf")["t"]["rf"] is None


def test_ranks_share_and_absent_ones_come_last() -> None:
    values = {"a": 0.5, "b": 0.9, "c": 0.5, "d": None, "e": None}
    assert rank_block(values) == {"a": 2.5, "b": 1.0, "c": 2.5, "d": 4.5, "e": 4.5}
    present = {key: value for key, value in values.items() if value is not None}
    expected = scipy.stats.rankdata([-value for value in present.values()])
    assert list(rank_block(present).values()) == list(expected)
    means = mean_ranks({"x": rank_block(values), "y": rank_block({**values, "a": 1.0})})
    assert list(means) == ["b", "a", "c", "d", "e"]
    assert means["a"] == 1.75
    assert mean_ranks({}) == {}


def test_friedman_is_scipys() -> None:
    generator = np.random.default_rng(1)
    for decimals in (1, 6):  # with ties and without
        data = np.round(generator.random((12, 5)) + np.arange(5) * 0.1, decimals)
        table = {
            f"t{i}": dict(zip("abcde", row.tolist(), strict=True)) for i, row in enumerate(data)
        }
        found = friedman(rank_all(table))
        expected = scipy.stats.friedmanchisquare(*data.T)
        assert found is not None
        assert (found.methods, found.blocks) == (5, 12)
        assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))
        assert found.differs == (expected.pvalue < 0.05)


def test_builds_of_boards_without_a_difference_do_not_wait_for_scipy() -> None:
    program = (
        "import sys\n"
        "from evaluator.plugins.insight.statistics.significance import friedman\n"
        "ranks = {str(n): {'a': 1 + n % 2, 'b': 2 - n % 2, 'c': 3.0} for n in range(4)}\n"
        "assert friedman(ranks)\n"
        "assert 'scipy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_friedman_by_hand() -> None:
    """Three tasks with the same order of three methods: 12/36 * (9 + 36 + 81) - 36 = 6."""
    found = friedman({t: {"a": 1.0, "b": 2.0, "c": 3.0} for t in "xyz"})
    assert found is not None
    assert found.statistic == pytest.approx(6)
    assert found.p == pytest.approx(math.exp(-3))


def test_friedman_needs_three_methods_and_two_tasks_and_differences() -> None:
    assert friedman({"t": {"a": 1.0, "b": 2.0, "c": 3.0}}) is None
    assert friedman({t: {"a": 1.0, "b": 2.0} for t in "xyz"}) is None
    assert friedman({}) is None
    equal = friedman({t: dict.fromkeys("abc", 2.0) for t in "xyz"})
    assert equal is not None
    assert equal.p == 1
    assert not equal.differs


@pytest.mark.parametrize(
    ("methods", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (7, 2.949), (10, 3.164)]
)
def test_critical_differences_are_those_of_demsars_table(methods: int, q: float) -> None:
    expected = q * math.sqrt(methods * (methods + 1) / (6 * 14))
    assert critical_difference(methods, 14) == pytest.approx(expected, abs=1e-3)


def test_nemenyi_is_that_of_scikit_posthocs() -> None:
    generator = np.random.default_rng(2)
    data = generator.random((15, 6)) + np.arange(6) * 0.12
    table = {f"t{i}": dict(zip("abcdef", row.tolist(), strict=True)) for i, row in enumerate(data)}
    means = mean_ranks(rank_all(table))
    found = nemenyi(means, 15)
    expected = scikit_posthocs.posthoc_nemenyi_friedman(data)
    expected.index = expected.columns = list("abcdef")
    assert len(found.p) == 15
    for (better, worse), p in found.p.items():
        assert p == pytest.approx(expected.loc[better, worse], abs=1e-6)
        told_apart = means[worse] - means[better] >= found.critical_difference
        assert told_apart == (p <= 0.05)
        assert told_apart == (not any({better, worse} <= set(group) for group in found.groups))


def test_groups_are_the_longest_runs() -> None:
    """With six methods on six tasks the critical difference is 3.08."""
    found = nemenyi({"a": 1.0, "b": 2.0, "c": 3.5, "d": 4.5, "e": 4.6, "f": 5.4}, 6)
    assert found.critical_difference == pytest.approx(3.078, abs=1e-3)
    assert found.groups == (("a", "b", "c"), ("b", "c", "d", "e"), ("c", "d", "e", "f"))
    alone = nemenyi({"a": 1.0, "b": 4.9, "c": 9.1}, 6)
    assert alone.groups == ()


def test_a_thousandth_is_a_tie() -> None:
    assert is_tie(1.0, 0.9995)
    assert not is_tie(1.0, 0.9985)
    assert is_tie(-0.30001, -0.3)
    assert is_tie(0.0, 0.0)
    table: Table = {
        "x": {"a": 1.0, "b": 0.9995, "c": None},
        "y": {"a": 0.5, "b": 0.8, "c": None},
        "z": {"a": 0.5, "b": 0.4, "c": 0.7},
    }
    found = duels(table)
    assert found["a", "b"] == Duel(wins=1, ties=1, losses=1)
    assert found["a", "c"] == Duel(wins=2, ties=0, losses=1)
    assert found["c", "a"] == Duel(wins=1, ties=0, losses=2)
    assert champions(table) == {"a": 1, "b": 2, "c": 1}


def test_boxes_have_numpys_quartiles() -> None:
    generator = np.random.default_rng(3)
    values = [*generator.normal(0.5, 0.3, 40).tolist(), -7.0, -2.5, 4.0]
    box = make_box(values)
    assert box is not None
    assert (box.q1, box.median, box.q3) == pytest.approx(np.quantile(values, [0.25, 0.5, 0.75]))
    assert (box.below, box.above, box.count) == (2, 1, 43)
    assert {-7.0, -2.5, 4.0} <= set(box.outliers)
    assert min(box.outliers) < box.low <= box.q1
    assert make_box([1.0]) == Box(
        count=1, least=1, low=1, q1=1, median=1, q3=1, high=1, outliers=(), below=0, above=0
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("NoResultError: Interrupting thread MainThread [ident=1] after 10s timeout.", "time"),
        ("TimeoutError: Command timed out after 7200 seconds", "time"),
        ("CalledProcessError: Command died with exit code 137", "memory"),
        ("NoResultError: returned non-zero exit status 139.", "memory"),
        ("std::bad_alloc", "memory"),
        ("java.lang.OutOfMemoryError: Java heap space", "memory"),
        ("ValueError: y contains previously unseen labels", "data"),
        ("ValueError: Input contains NaN", "data"),
        ("AttributeError: 'NoneType' object has no attribute 'fit'", "implementation"),
        ("NoResultError: returned non-zero exit status 1.", "implementation"),
    ],
)
def test_kinds_of_what_amlb_writes(text: str, kind: str) -> None:
    assert kind_of_text(text) == kind


def test_every_reason_has_a_kind() -> None:
    assert {kind_of_reason(reason) for reason in Reason} <= set(KINDS)
    found = count_failures([("a", "memory"), ("b", "time"), ("a", "time"), ("a", "memory")])
    assert found == {"a": {"time": 1, "memory": 2}, "b": {"time": 1}}
    assert list(found["a"]) == ["time", "memory"]
    assert total_failures(found) == 4


def test_budgets_are_compared_on_one_scale() -> None:
    hour: Table = {"x": {"a": 0.6, "b": 0.5, "c": None}, "y": {"a": 0.5, "b": 0.9, "c": 0.5}}
    day: Table = {"x": {"a": 0.8, "b": 0.5, "c": 1.0}, "y": {"a": 0.5, "b": 0.8, "c": None}}
    a, b = compare_budgets(hour, day)
    assert (a.method, a.tasks, a.better, a.equal, a.worse) == ("a", 2, 1, 1, 0)
    assert (b.method, b.tasks, b.better, b.equal, b.worse) == ("b", 2, 0, 1, 1)
    # x from 0.5 to 1.0 (of c), y from 0.5 to 0.9.
    assert (a.median_before, a.median_after) == pytest.approx((0.1, 0.3))
    assert (b.median_before, b.median_after) == pytest.approx((0.5, 0.375))
    (only,) = compare_budgets(
        {"x": {"c": 0.5, "rf": 0.7, "m": 0.8}}, {"x": {"c": 0.5, "rf": 0.9, "m": 1.1}},
        zero="c", one="rf",
    )[2:]  # fmt: skip
    assert (only.median_before, only.median_after) == pytest.approx((1.0, 2.0))
