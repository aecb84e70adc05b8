"""Order, ranks, ties, aggregation, and Codabench's submission rules."""

import pytest

from tests.core.leaderboard.boards import FAILED, Entries, make_benchmark

TWO = """\
      - {title: A, key: a, index: 0, sorting: %s, precision: 2}
      - {title: B, key: b, index: 1, sorting: asc, precision: 2, hidden: %s}
"""


def test_higher_and_lower_is_better() -> None:
    for sorting, first in (("desc", "two"), ("asc", "one")):
        entries = Entries(make_benchmark(TWO % (sorting, "true")))
        entries.enter("ada", "one", {"a": 1, "b": 0}).enter("bob", "two", {"a": 2, "b": 0})
        assert entries.ranks()[0] == (1, first)


def test_equal_rows_share_a_rank_and_the_next_is_left_out() -> None:
    entries = Entries(make_benchmark())
    for name, value in (("w", 3.0), ("x", 2.0), ("y", 2.0), ("z", 1.0)):
        entries.enter(name, name, {"a": value})
    assert entries.ranks() == [(1, "w"), (2, "x"), (2, "y"), (4, "z")]


def test_ranks_come_from_unrounded_values() -> None:
    entries = Entries(make_benchmark())
    entries.enter("a", "near", {"a": 0.50001}).enter("b", "nearer", {"a": 0.50002})
    assert entries.ranks() == [(1, "nearer"), (2, "near")]


@pytest.mark.parametrize(("hidden", "ranks"), [("false", [1, 2]), ("true", [1, 1])])
def test_other_visible_columns_break_ties_and_hidden_ones_do_not(
    hidden: str, ranks: list[int]
) -> None:
    entries = Entries(make_benchmark(TWO % ("desc", hidden)))
    entries.enter("a", "slow", {"a": 1, "b": 9}).enter("b", "fast", {"a": 1, "b": 1})
    assert [rank for rank, _ in entries.ranks()] == ranks
    if hidden == "false":
        assert entries.ranks()[0][1] == "fast"


def test_several_tasks_are_ranked_by_their_mean() -> None:
    entries = Entries(make_benchmark(tasks="0, 1"))
    entries.enter("a", "even", {"a": 0.6}, {"a": 0.6}).enter("b", "odd", {"a": 0.9}, {"a": 0.1})
    board = entries.board()
    assert [row.submission.name for row in board.rows] == ["even", "odd"]
    assert board.rows[1].overall["a"] == pytest.approx(0.5)


def test_aggregate_none_ranks_by_the_first_task() -> None:
    extra = "pullbench: {aggregate: none}\n"
    entries = Entries(make_benchmark(tasks="0, 1", extra=extra))
    entries.enter("a", "even", {"a": 0.6}, {"a": 0.6}).enter("b", "odd", {"a": 0.9}, {"a": 0.1})
    assert entries.ranks()[0] == (1, "odd")


def test_one_failed_task_leaves_a_row_without_rank_behind_all_others() -> None:
    entries = Entries(make_benchmark(tasks="0, 1"))
    entries.enter("a", "broken", {"a": 9}, FAILED).enter("b", "whole", {"a": 0}, {"a": 0})
    board = entries.board()
    assert entries.ranks() == [(1, "whole"), (None, "broken")]
    assert board.rows[1].state == "failed"
    error = board.rows[1].tasks["two"].error
    assert error is not None
    assert error.reason == "timed out"


def test_a_stale_cell_is_not_ranked_as_if_it_were_current() -> None:
    entries = Entries(make_benchmark()).enter("a", "old", {"a": 9}).enter("b", "new", {"a": 1})
    stale = frozenset(cell for cell in entries.records if cell.submission == "old")
    board = entries.board(stale=stale)
    assert entries.ranks(stale=stale) == [(1, "new"), (None, "old")]
    assert board.rows[1].state == "stale"


def test_a_submission_without_records_is_missing() -> None:
    entries = Entries(make_benchmark()).enter("a", "waiting")
    assert entries.board().rows[0].state == "missing"


@pytest.mark.parametrize(
    ("computation", "expected"), [("avg", 3.0), ("sum", 6.0), ("min", 2.0), ("max", 4.0)]
)
def test_computed_columns(computation: str, expected: float) -> None:
    columns = TWO % ("desc", "false") + (
        f"      - {{title: C, key: c, index: 2, computation: {computation}, "
        "computation_indexes: [0, 1]}\n"
    )
    entries = Entries(make_benchmark(columns)).enter("a", "one", {"a": 2, "b": 4})
    assert entries.board().rows[0].overall["c"] == expected


def test_repeats_give_mean_and_sample_standard_deviation() -> None:
    entries = Entries(make_benchmark(extra="pullbench: {repeats: 3}\n"))
    entries.enter("a", "one", [{"a": 1}, {"a": 2}, {"a": 3}])
    result = entries.board().rows[0].tasks["one"]
    assert result.values["a"] == 2
    assert result.deviations["a"] == 1


def three(rule: str) -> Entries:
    entries = Entries(make_benchmark(rule=rule))
    entries.enter("ada", "best", {"a": 3}).enter("ada", "last", {"a": 1})
    return entries.enter("bob", "other", {"a": 2}).enter("ada", "fails", FAILED)


@pytest.mark.parametrize(
    ("rule", "listed"),
    [
        ("Force_Latest_Multiple", ["best", "other", "last", "fails"]),
        ("Force_Best", ["best", "other"]),
        ("Force_Last", ["other", "last"]),
        ("Add", ["other", "last"]),
        ("Add_And_Delete", ["other", "last"]),
        ("Add_And_Delete_Multiple", ["best", "other", "last", "fails"]),
    ],
)
def test_submission_rules(rule: str, listed: list[str]) -> None:
    board = three(rule).board()
    assert [row.submission.name for row in board.rows] == listed
    assert len(board.rows) + len(board.unlisted) == 4


def test_a_phase_with_a_rule_lists_by_it() -> None:
    of_phase = "pullbench: {phases: {0: {submission_rule: Force_Best}}}\n"
    entries = Entries(make_benchmark(rule="Add", extra=of_phase))
    entries.enter("ada", "best", {"a": 3}).enter("ada", "last", {"a": 1})
    assert entries.ranks() == [(1, "best")]


def test_a_participant_chooses_where_the_rule_leaves_a_choice() -> None:
    entries = Entries(make_benchmark(rule="Add_And_Delete_Multiple"))
    entries.enter("ada", "shown", {"a": 1}).enter("ada", "taken-off", {"a": 2}, leaderboard=False)
    assert entries.ranks() == [(1, "shown")]


def test_the_board_of_one_task_alone() -> None:
    benchmark = make_benchmark(tasks="0, 1")
    entries = Entries(benchmark)
    entries.enter("a", "even", {"a": 0.6}, {"a": 0.6}).enter("b", "odd", {"a": 0.9}, FAILED)
    assert entries.ranks(task=benchmark.tasks[0])[0] == (1, "odd")


def mean_rank(**ranking: object) -> Entries:
    settings = ", ".join(f"{key}: {value}" for key, value in ranking.items())
    extra = f"pullbench: {{aggregate: mean_rank, ranking: {{{settings}}}}}\n"
    return Entries(make_benchmark(tasks="0, 1", extra=extra))


def test_mean_rank_over_tasks() -> None:
    """The mean hides who is better on more tasks; the mean rank does not."""
    entries = mean_rank()
    entries.enter("a", "lucky", {"a": 0.99}, {"a": 0.1}).enter("b", "even", {"a": 0.5}, {"a": 0.5})
    entries.enter("c", "low", {"a": 0.4}, {"a": 0.4})
    board = entries.board()
    assert [(row.submission.name, row.overall["mean_rank"]) for row in board.rows] == [
        ("even", 1.5), ("lucky", 2.0), ("low", 2.5),
    ]  # fmt: skip
    assert board.rows[1].tasks["two"].values["mean_rank"] == 3
    assert board.benchmark.leaderboard.score_keys == ("a",)


@pytest.mark.parametrize(
    ("ties", "ranks"),
    [("competition", [1, 1, 3]), ("dense", [1, 1, 2]), ("average", [1.5, 1.5, 3])],
)
def test_ties_of_mean_ranks(ties: str, ranks: list[float]) -> None:
    entries = mean_rank(ties=ties)
    for name, value in (("x", 2.0), ("y", 2.0), ("z", 1.0)):
        entries.enter(name, name, {"a": value}, {"a": value})
    assert [row.overall["mean_rank"] for row in entries.board().rows] == ranks


@pytest.mark.parametrize(
    ("missing", "rank"), [("last", 2), ("last+1", 3), ("worst", 4), ("midrank", 4)]
)
def test_a_failed_task_costs_that_task_alone(missing: str, rank: float) -> None:
    """Three rows have two distinct values on the second task; the fourth failed there."""
    entries = mean_rank(ties="dense", missing=missing)
    entries.enter("a", "fails", {"a": 9.0}, FAILED).enter("b", "x", {"a": 1.0}, {"a": 2.0})
    entries.enter("c", "y", {"a": 1.0}, {"a": 1.0}).enter("d", "z", {"a": 1.0}, {"a": 1.0})
    row = next(row for row in entries.board().rows if row.submission.name == "fails")
    assert row.overall == {"mean_rank": (1 + rank) / 2}
    assert (row.rank is not None, row.state) == (True, "failed")


def test_nothing_finished_has_no_rank() -> None:
    entries = mean_rank().enter("a", "fails", FAILED, FAILED).enter("b", "x", {"a": 1}, {"a": 1})
    assert entries.ranks() == [(1, "x"), (None, "fails")]


def test_dense_places_on_rounded_values() -> None:
    """OGB's rule: four decimals, halves to even, equal ones share a place and none is left out."""
    extra = "pullbench: {ranking: {ties: dense, decimals: 4}}\n"
    entries = Entries(make_benchmark(extra=extra))
    for name, value in (("w", 0.10005), ("x", 0.1), ("y", 0.09996), ("z", 0.09)):
        entries.enter(name, name, {"a": value})
    assert [rank for rank, _ in entries.ranks()] == [1, 1, 1, 2]


def test_a_column_without_a_mean_has_none_over_tasks() -> None:
    """2.3: an AUC and a negated loss have no mean; ranks on each task have one."""
    extra = "pullbench:\n  aggregate: mean_rank\n  columns: {a: {mean: false}}\n"
    entries = Entries(make_benchmark(tasks="0, 1", extra=extra))
    entries.enter("x", "s", {"a": 0.75}, {"a": -2.0}).enter("y", "s", {"a": 0.5}, {"a": -1.0})
    for row in entries.board().rows:
        assert "a" not in row.overall
        assert row.overall["mean_rank"] == 1.5
        assert "a" in row.tasks["one"].values
