"""pass@k and pass^k: exact estimators, intervals that hold, and columns in all forms of a board."""

import csv
import io
import json
from itertools import combinations

import numpy as np
import pytest

from evaluator.core.leaderboard.tables import to_csv, to_text
from evaluator.core.ranking.proportion import pass_chances, proportion
from evaluator.site.boards.exports.board_json import to_json
from evaluator.site.boards.ranking_note import ranking_note
from tests.core.leaderboard.boards import FAILED, ONE_COLUMN, Entries, make_benchmark
from tests.repository import Repository

COMPETITION = "benchmarks/repeated/competition.yaml"
EXTRA = """pullbench:
  repeats: 4
  passes: {a: {at: [1, 2], all: [2]}}
"""
GOOD, BAD = {"a": 1.0}, {"a": 0.0}


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_estimates_are_the_means_over_all_ways_to_choose_k_runs(n: int) -> None:
    for c in range(n + 1):
        runs = [True] * c + [False] * (n - c)
        for k in range(1, n + 1):
            chosen = list(combinations(runs, k))
            for every, join in ((False, any), (True, all)):
                mean = sum(map(join, chosen)) / len(chosen)
                assert pass_chances(n, k, every=every)[c] == pytest.approx(mean, abs=1e-12)
    assert np.isnan(pass_chances(n, n + 1, every=False)[n])


def test_the_published_code_for_pass_at_k_agrees() -> None:
    """The function of HumanEval's paper; it is stable, and exact fractions are as near."""
    for n, c, k in ((200, 3, 100), (200, 150, 10), (1000, 1, 500)):
        published = 1.0 if n - c < k else 1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1))
        assert pass_chances(n, k, every=False)[c] == pytest.approx(published, rel=1e-12)


@pytest.mark.parametrize("tasks", [1, 3, 10, 30, 164])
@pytest.mark.parametrize(
    ("n", "k"), [(8, 1), (8, 4), (1, 1), pytest.param(20, 10, marks=pytest.mark.slow)]
)
def test_intervals_hold_the_truth_as_often_as_they_say(tasks: int, n: int, k: int) -> None:
    """Tasks are drawn from six populations, from nearly all alike to nearly all or nothing."""
    rng = np.random.default_rng(100 * tasks + n + k)
    runs = 1000
    for a, b in ((1.0, 1.0), (0.2, 0.2), (3.0, 0.3), (8.0, 8.0), (0.1, 2.0), (0.05, 5.0)):
        truths = rng.beta(a, b, 400_000)
        passed = rng.binomial(n, rng.beta(a, b, (runs, tasks)))
        for every, chances in ((False, 1 - (1 - truths) ** k), (True, truths**k))[: min(k, 2)]:
            rates = pass_chances(n, k, every=every)
            most = tasks * (n if k == 1 else 1)
            ends = [proportion(own, np.ones(tasks), None, most) for own in rates[passed]]
            held = sum(low <= chances.mean() <= high for _, low, high in ends)
            assert held / runs >= 0.94, (a, b, every)


def entries(extra: str = EXTRA, columns: str = ONE_COLUMN) -> Entries:
    made = Entries(make_benchmark(columns, tasks="0, 1", extra=extra))
    made.enter("ada", "steady", [GOOD] * 4, [BAD] * 4)
    made.enter("bob", "lucky", [GOOD, BAD, GOOD, BAD], [GOOD, BAD, BAD, BAD])
    made.enter("cy", "broken", [GOOD] * 4, [GOOD, GOOD, GOOD, BAD])
    first = next(cell for cell in made.records if cell.submission == "broken" and cell.repeat == 3)
    other = Entries(made.benchmark).enter("cy", "broken", FAILED).records.popitem()[1]
    made.records[first] = other.replace(cell=first)
    return made


def test_columns_stand_beside_the_mean_and_make_no_rank() -> None:
    board = entries().board()
    titles = [(column.key, column.title) for column in board.columns]
    assert titles == [
        ("a", "A"), ("a_pass_at_1", "pass@1"), ("a_pass_at_2", "pass@2"),
        ("a_pass_all_2", "pass^2"),
    ]  # fmt: skip
    steady, lucky, broken = board.rows
    assert [row.rank for row in board.rows] == [1, 2, None]
    assert steady.overall == {"a": 0.5, "a_pass_at_1": 0.5, "a_pass_at_2": 0.5, "a_pass_all_2": 0.5}
    assert lucky.overall["a_pass_at_2"] == pytest.approx((5 / 6 + 1 / 2) / 2)
    assert lucky.overall["a_pass_all_2"] == pytest.approx((1 / 6 + 0) / 2)
    assert (broken.state, "a" in broken.overall) == ("failed", False)
    assert broken.overall["a_pass_at_1"] == 0.75  # of eight runs one failed, and one did not pass
    expected = proportion(np.array([0.5, 0.25]), np.ones(2), None, 8)
    assert lucky.intervals["a_pass_at_1"] == pytest.approx(expected[1:])
    assert "pass^2 is the chance that all 2 runs pass (a of at least 1)" in ranking_note(board)


def test_a_run_that_is_not_there_leaves_the_value_open() -> None:
    made = entries()
    made.records.pop(next(cell for cell in made.records if cell.submission == "lucky"))
    (row,) = (row for row in made.board().rows if row.submission.name == "lucky")
    assert not row.overall
    assert not row.intervals


def test_weights_and_withdrawn_tasks_count() -> None:
    more = "  tasks: {0: {weight: 3}}\n"
    row = entries(EXTRA + more).board().rows[0]
    assert row.overall["a_pass_at_1"] == 0.75
    expected = proportion(np.array([1.0, 0.0]), np.array([3.0, 1.0]), None, 8)
    assert row.intervals["a_pass_at_1"] == pytest.approx(expected[1:])
    more = "  tasks: {0: {withdrawn: {date: 2026-05-01, reason: x}}}\n"
    rows = {row.submission.name: row for row in entries(EXTRA + more).board().rows}
    assert rows["steady"].overall["a_pass_at_1"] == 0.0


def test_a_threshold_of_what_is_better_lower() -> None:
    column = ONE_COLUMN.replace("desc", "asc")
    extra = EXTRA.replace("all: [2]", "threshold: 0.5")
    assert entries(extra, column).board().rows[-1].overall["a_pass_at_1"] == 0.125


def test_all_forms_have_them() -> None:
    board = entries().board()
    lines = list(csv.DictReader(io.StringIO(to_csv(board))))
    assert float(lines[0]["a_pass_at_1"]) == 0.5
    ends = [float(lines[0][f"a_pass_at_1:{end}"]) for end in ("low", "high")]
    assert ends == pytest.approx(proportion(np.array([1.0, 0.0]), np.ones(2), None, 8)[1:])
    assert "0.500 [0.013, 0.987]" in to_text(board)
    data = json.loads(to_json(board))
    assert data["rows"][0]["intervals"]["a_pass_at_1"] == pytest.approx(ends)


def test_what_is_hidden_stays_hidden() -> None:
    hidden = "      - {title: B, key: b, index: 1, precision: 2, hidden: true}\n"
    made = Entries(make_benchmark(ONE_COLUMN + hidden, extra=EXTRA.replace("{a:", "{b:")))
    made.enter("ada", "one", [{"a": 1.0, "b": 1.0}] * 4)
    assert made.private_board().rows[0].overall["b_pass_at_1"] == 1.0
    board = made.board()
    assert (set(board.rows[0].overall), board.rows[0].intervals) == ({"a"}, {})


@pytest.mark.parametrize(
    ("passes", "key", "message"),
    [
        ("{score: {at: [1, 8]}}", "pullbench.passes.score.at", "asks for 8 of 3 repeats of task"),
        ("{score: {all: [4]}}", "pullbench.passes.score.all", "asks for 4 of 3 repeats of task"),
        ("{scores: {at: [1]}}", "pullbench.passes.scores", "is the key of no column"),
        ("{score: {}}", "pullbench.passes.score", "needs 'at', 'all' or both"),
        ("{score: {at: [0]}}", "pullbench.passes.score.at[0]", "greater than or equal to 1"),
    ],
)
def test_mistakes_are_reported_at_their_key(
    repo: Repository, passes: str, key: str, message: str
) -> None:
    repo.with_bundle("repeats")
    assert not [problem for problem in repo.problems() if problem.severity == "error"]
    repo.replace(COMPETITION, "  repeats: 3", f"  repeats: 3\n  passes: {passes}")
    found = {problem.key: problem.message for problem in repo.problems()}
    assert message in found.get(key, ""), found


def test_no_key_of_a_cell_changes(repo: Repository) -> None:
    repo.with_bundle("repeats")
    before = [(item.cell.id, item.cell.keys) for item in repo.plan().missing]
    repo.replace(COMPETITION, "  repeats: 3", "  repeats: 3\n  passes: {score: {at: [1, 3]}}")
    assert [(item.cell.id, item.cell.keys) for item in repo.plan().missing] == before
