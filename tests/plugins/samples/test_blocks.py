"""Samples of one task tell rows apart: against scipy, by simulation, and on a board."""

import gzip
import json
from collections.abc import Iterator

import numpy as np
import pytest

from evaluator.core.clock import utc_now
from evaluator.core.leaderboard.published import publish
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.leaderboard.table import Floats, Places
from evaluator.core.ranking.comparison import ALPHA, AllPairs, compare_all, join_groups
from evaluator.plugins.insight.statistics.conclusions import conclusions, verdict
from evaluator.plugins.insight.statistics.intervals import Intervals, intervals, is_better
from evaluator.plugins.samples.blocks import _folds, read_scores, scores_by_task
from evaluator.plugins.samples.format import pack_samples
from evaluator.plugins.samples.plugin import PLUGIN
from evaluator.site.content.insight import Missing
from tests.plugging import leave_out
from tests.plugins.samples.boards import COMPETITION, make_board
from tests.repository import Repository


def boards(kind: str, lead: float, samples: int, count: int) -> Iterator[tuple[Floats, Places]]:
    """Simulate four methods on samples, of which the first is better by ``lead``."""
    source = np.random.default_rng([*map(ord, kind), int(lead * 1000), samples])
    for _ in range(count):
        groups = np.arange(samples)
        if kind == "clusters":
            groups = np.repeat(np.arange(60), source.integers(1, samples // 30, 60))
        hard = source.normal(size=(groups.max() + 1, 1))[groups]
        own = source.normal(size=(groups.max() + 1, 4))[groups] if kind == "clusters" else 0.0
        values = hard + own + source.normal(size=(len(groups), 4)) + (lead, 0, 0, 0)
        if kind == "outcomes":
            values = np.where(values > 0, 1.0, 0.0)
        elif kind == "ties":
            values = np.round(values / 2)
        elif kind == "tasks":  # of four sizes, each of which counts as much
            task_of = np.arange(samples) * 10 // samples
            values = values / np.repeat([1.0, 2.0, 3.0, 4.0], [1, 2, 3, 4])[task_of][:, None]
        yield np.asarray(values), groups


@pytest.mark.parametrize(
    ("samples", "count"), [(150, 60), pytest.param(1500, 400, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("kind", ["values", "outcomes", "ties", "clusters", "tasks"])
def test_simulated_samples_err_and_cover_as_stated_and_see_what_differs(
    kind: str, samples: int, count: int
) -> None:
    wrong = missed = seen = 0
    for values, groups in boards(kind, 0.0, samples, count):
        pairs = compared(values, groups)
        ends = [pairs.against(row) for row in range(4)]
        wrong += any((p <= ALPHA).any() for p, *_ in ends)
        missed += any(((low > 1e-12) | (high < -1e-12)).any() for *_, low, high in ends)
    for values, groups in boards(kind, 1.0, samples, 20):
        better = is_better(compared(values, groups), np.arange(1, 5))
        seen += bool(better[0, 1:].all())
    allowed = (ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / count)) * count
    assert wrong <= allowed
    assert missed <= allowed
    assert seen >= 18


def compared(values: Floats, group_of: Places) -> AllPairs:
    joined, shares = join_groups(values, np.ones(len(values)), group_of)
    return compare_all(joined, shares)


def test_samples_of_one_group_counted_as_independent_would_err_often() -> None:
    """The control of the simulation above: without groups its boards show false differences."""
    wrong = sum(
        bool((compared(values, np.arange(len(values))).against(0)[0] <= ALPHA).any())
        for values, _ in boards("clusters", 0.0, 900, 40)
    )
    assert wrong >= 20


def test_what_is_kept_is_read_again() -> None:
    lines = [{"id": f"{n}", "scores": {"a": n / 8}} for n in range(9)]
    lines[3]["group"] = "5"  # also the id of another sample
    content = "\n".join(map(json.dumps, lines)).encode()
    scores = read_scores(pack_samples(content, ["a", "b"]), "a")
    assert scores.ids == tuple("012345678")
    assert len(set(scores.groups)) == 9
    assert scores.values.tolist() == [n / 8 for n in range(9)]
    assert np.isnan(read_scores(pack_samples(content, ["a"]), "b").values).all()
    with pytest.raises(ValueError, match="not sorted by ids that differ"):
        read_scores(gzip.compress(b'{"id": "a", "scores": {}}\n' * 2), "a")


def test_the_share_of_samples_that_a_row_wins_is_of_all_of_them(protocol: Repository) -> None:
    source = np.random.default_rng(3)
    ann, bob = ((source.random(2500) < level).astype(np.float64) for level in (0.8, 0.6))
    certain = intervals(make_board(protocol, {"ann": ann.tolist(), "bob": bob.tolist()}))
    assert isinstance(certain, Intervals)
    true = float(np.mean((ann > bob) + (ann == bob) / 2))
    assert certain.wins[0, 1] == pytest.approx(true, abs=1e-12)
    assert certain.wins[1, 0] == pytest.approx(1 - true, abs=1e-12)


def test_one_task_that_was_run_once_is_enough(
    protocol: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = np.random.default_rng(1)
    hard = source.random(500)
    ann, bob = ((hard < level).astype(np.float64).tolist() for level in (0.9, 0.5))
    board = make_board(protocol, {"ann": ann, "bob": bob, "cy": [*bob[:-1], 1 - bob[-1]]})
    certain = intervals(board)
    assert isinstance(certain, Intervals)
    assert certain.rows[0].submission.participant == "ann"
    assert verdict(board) == "significant over 500 samples"
    assert certain.better.sum() == 2, "bob and cy differ on one sample"
    assert "over 500 samples of one task" in conclusions(board)
    assert "This is about other samples of this task; for other tasks, one is" in conclusions(board)
    assert certain.wins[0, 1] == pytest.approx((1 + np.mean(ann) - np.mean(bob)) / 2, abs=0.002)
    leave_out(monkeypatch, PLUGIN)
    protocol.replace(COMPETITION, "  samples: true\n", "")
    without = publish(
        leaderboard(protocol.snapshot(), "protocol", phase=None, task=None, now=utc_now())
    )
    assert not isinstance(intervals(without), Intervals)


def test_samples_of_which_the_value_is_no_mean_are_not_used(protocol: Repository) -> None:
    board = make_board(protocol, {"ann": [1, 0, 1], "bob": [0, 0, 1]}, value=0.75)
    assert scores_by_task(board) == {}
    assert intervals(board) == Missing("There is one task, which was run once.")


def test_rows_with_other_samples_are_not_compared(protocol: Repository) -> None:
    board = make_board(protocol, {"ann": [1, 0], "bob": [0, 1], "cy": [1, 1, 0, 0]})
    scores = scores_by_task(board)["task"]
    # All share the first place; the first of the board says which samples count.
    assert np.isnan(scores.values).all(axis=0).sum() in (1, 2)


def test_samples_of_folds_count_by_fold(protocol: Repository) -> None:
    protocol.replace(
        COMPETITION, "  samples: true\n", "  samples: true\n  repeats: 2\n  repeat_data: true\n"
    )
    source = np.random.default_rng(3)
    hard = {0: source.random(40), 1: source.random(60)}
    rows = {
        f"{name}/task/{fold}": (values < level).astype(np.float64).tolist()
        for name, level in (("ann", 0.9), ("bob", 0.3)) for fold, values in hard.items()
    }  # fmt: skip
    board = make_board(protocol, rows)
    scores = scores_by_task(board)["task"]
    assert len(scores.ids) == len(set(scores.ids)) == 100
    by_fold = [np.mean(rows[f"ann/task/{fold}"]) for fold in hard]
    assert (scores.values[:, 0] * scores.weights).mean() == pytest.approx(np.mean(by_fold))
    assert scores.passed == {}, "other data are no second try"
    assert verdict(board) == "significant over 100 samples"


def test_samples_without_a_group_are_their_own_in_each_fold() -> None:
    grouped, alone = (
        read_scores(
            pack_samples(json.dumps({"id": "1", "scores": {"a": 1}} | more).encode() + b"\n"
                         + json.dumps({"id": "2", "scores": {"a": 0}}).encode(), ["a"]), "a"
        )
        for more in ({"group": "ward"}, {})
    )  # fmt: skip
    assert len(set(_folds([grouped, grouped]).groups)) == 3, "one group, and sample 2 of each fold"
    assert len(set(_folds([grouped, alone]).groups)) == 4
    assert _folds([alone, alone]).groups == ()
