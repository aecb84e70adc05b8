"""Difficulty of tasks: intrinsic and modelling parts, and when there are none."""

import json

import pytest

from evaluator.core.formats.bundle import parse_bundle
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.boards.difficulty import difficulties
from evaluator.site.boards.exports.board_json import to_data, to_json
from tests.core.leaderboard.boards import FAILED, FILES, HEAD, ONE_COLUMN, Entries, make_benchmark

TWO_COLUMNS = (
    "      - {title: A, key: a, index: 0, sorting: desc, precision: 3}\n"
    "      - {title: E, key: e, index: 1, sorting: asc, precision: 3%s}\n"
)
EXTRA = "pullbench: {baseline: ada/simple%s}\n"


def parts(board: PublicBoard) -> dict[tuple[str, str], tuple[float, float]]:
    return {
        (item.column.key, one.task.slug): (one.modelling, one.intrinsic)
        for item in difficulties(board)
        for one in item.tasks
    }


def test_higher_is_better() -> None:
    entries = Entries(make_benchmark(tasks="0, 1", extra=EXTRA % ""))
    entries.enter("ada", "simple", {"a": 0.5}, {"a": 0.9})
    entries.enter("bob", "clever", {"a": 0.75}, {"a": 0.25})
    board = entries.board()
    assert parts(board) == {
        ("a", "one"): pytest.approx((0.25, 0.25)),
        ("a", "two"): pytest.approx((0, 0.1)),
    }
    by_column = difficulties(board)[0]
    assert [by_column.longest(one) for one in by_column.tasks] == pytest.approx([0.5, 0.5])


def test_lower_is_better_and_another_perfect_value() -> None:
    extra = EXTRA % ", columns: {a: {perfect: 10}}"
    entries = Entries(make_benchmark(TWO_COLUMNS % "", extra=extra))
    entries.enter("ada", "simple", {"a": 4, "e": 3}).enter("bob", "clever", {"a": 7, "e": 0.5})
    assert parts(entries.board()) == {
        ("a", "one"): pytest.approx((3, 3)),
        ("e", "one"): pytest.approx((2.5, 0.5)),
    }


def test_perfect_values_by_metric_and_no_bar_beside_another_metrics() -> None:
    """A column of AUC and a negated error is perfect at 1, and at 0."""
    extra = (EXTRA % ", aggregate: mean_rank, columns: {a: {mean: false}}, tasks: {1: {perfect: "
             "{a: 0}}}")  # fmt: skip
    entries = Entries(make_benchmark(tasks="0, 1", extra=extra))
    entries.enter("ada", "simple", {"a": 0.5}, {"a": -80}).enter(
        "bob", "clever", {"a": 0.75}, {"a": -57}
    )
    board = entries.board()
    assert parts(board) == {("a", "one"): pytest.approx((0.25, 0.25)), ("a", "two"): (23, 57)}
    (by_column,) = (one for one in difficulties(board) if one.column.key == "a")
    assert [by_column.longest(one) for one in by_column.tasks] == [0.5, 80]
    assert all("a" not in row.overall for row in board.rows)  # no mean, in the bold row either


def test_a_perfect_value_of_no_column_is_told() -> None:
    text = HEAD % ("0", "Add", ONE_COLUMN) + "pullbench: {tasks: {0: {perfect: {b: 0}}}}\n"
    _, problems = parse_bundle("bench", text.encode(), FILES)
    (problem,) = problems
    assert (problem.key, problem.message) == (
        "pullbench.tasks[0].perfect.b", "is the key of no column."
    )  # fmt: skip


def test_a_value_past_perfect_leaves_the_column_out() -> None:
    entries = Entries(make_benchmark(TWO_COLUMNS % "", extra=EXTRA % ""))
    entries.enter("ada", "simple", {"a": 0.5, "e": 3}).enter("bob", "clever", {"a": 88, "e": 0.5})
    assert set(parts(entries.board())) == {("e", "one")}


def test_only_what_the_baseline_has_finished() -> None:
    entries = Entries(make_benchmark(tasks="0, 1", extra=EXTRA % ""))
    entries.enter("ada", "simple", FAILED, {"a": 0.5}).enter("bob", "clever", {"a": 1}, FAILED)
    assert parts(entries.board()) == {("a", "two"): pytest.approx((0, 0.5))}


def test_a_baseline_that_the_submission_rule_leaves_out_counts() -> None:
    entries = Entries(make_benchmark(rule="Force_Best", extra=EXTRA % ""))
    entries.enter("ada", "simple", {"a": 0.25}).enter("ada", "clever", {"a": 0.75})
    board = entries.board()
    assert [row.submission.name for row in board.rows] == ["clever"]
    assert parts(board) == {("a", "one"): pytest.approx((0.5, 0.25))}


@pytest.mark.parametrize("extra", ["", EXTRA % ""])
def test_none_without_a_baseline(extra: str) -> None:
    entries = Entries(make_benchmark(extra=extra))
    entries.enter("bob", "clever", {"a": 0.75})
    assert difficulties(entries.board()) == ()
    assert to_data(entries.board())["difficulty"] == []


def test_what_is_hidden_has_none() -> None:
    entries = Entries(make_benchmark(TWO_COLUMNS % ", hidden: true", extra=EXTRA % ""))
    entries.enter("ada", "simple", {"a": 0.5, "e": 3})
    assert set(parts(entries.board())) == {("a", "one")}
    entries = Entries(make_benchmark(extra="    hidden: true\n" + EXTRA % ""))
    entries.enter("ada", "simple", {"a": 0.5})
    assert difficulties(entries.board()) == ()
    assert json.loads(to_json(entries.board()))["difficulty"] == []


def test_programs_can_read_it() -> None:
    entries = Entries(make_benchmark(extra=EXTRA % ""))
    entries.enter("ada", "simple", {"a": 0.5}).enter("bob", "clever", {"a": 0.75})
    assert to_data(entries.board())["difficulty"] == [
        {
            "task": "one", "column": "a", "baseline": 0.5, "best": 0.75,
            "modelling": 0.25, "intrinsic": 0.25,
        }
    ]  # fmt: skip


@pytest.mark.parametrize("baseline", ["ada", "ada/", "a/b/c", "/simple"])
def test_a_baseline_is_a_participant_and_a_submission(baseline: str) -> None:
    text = HEAD % ("0", "Add", ONE_COLUMN) + f"pullbench: {{baseline: {baseline}}}\n"
    benchmark, problems = parse_bundle("bench", text.encode(), FILES)
    assert benchmark is None
    assert [problem.key for problem in problems] == ["pullbench.baseline"]
