"""A task that an organiser withdraws: it keeps its results, and counts no more."""

import pytest

from tests.core.leaderboard.boards import FAILED, ONE_COLUMN, Entries, make_benchmark
from tests.records import write_records
from tests.repository import Repository

COMPETITION = "benchmarks/adding/competition.yaml"
WITHDRAWN = "withdrawn: {date: 2026-05-01, reason: labels were wrong}"
RANKS = (
    "      - {title: R, key: r, index: 1, sorting: asc, precision: 2}\n"
)  # fmt: skip


def entries(extra: str = "", columns: str = ONE_COLUMN) -> Entries:
    extra = f"pullbench:\n  tasks: {{1: {{{WITHDRAWN}}}}}\n{extra}"
    made = Entries(make_benchmark(columns, tasks="0, 1", extra=extra))
    made.enter("a", "even", {"a": 0.6}, {"a": 0.6})
    made.enter("b", "odd", {"a": 0.9}, {"a": 0.1})
    made.enter("c", "failed", {"a": 0.7}, FAILED)
    return made.enter("d", "new", {"a": 0.5})


@pytest.mark.parametrize("aggregate", ["mean", "mean_rank", "win_rate", "none"])
def test_it_is_out_of_ranks_and_means(aggregate: str) -> None:
    board = entries(f"  aggregate: {aggregate}\n").board()
    ranks = [(row.rank, row.submission.name) for row in board.rows]
    assert ranks == [(1, "odd"), (2, "failed"), (3, "even"), (4, "new")]
    assert board.rows[0].overall["a"] == 0.9
    assert board.rows[0].tasks["two"].values["a"] == 0.1
    assert {row.state for row in board.rows} == {"finished"}


def test_it_is_out_of_columns_made_from_ranks() -> None:
    ranks = "{operation: avg_rank, fields: [a], over: tasks}"
    board = entries(f"  columns: {{r: {{ranks: {ranks}}}}}\n", ONE_COLUMN + RANKS).board()
    assert [row.overall["r"] for row in board.rows] == [1, 2, 3, 4]


def test_it_is_evaluated_no_more_and_older_boards_are_as_they_were(small: Repository) -> None:
    write_records(small)
    before = small.commit("Record")
    own = small.snapshot().benchmarks["adding"].phases[0].tasks
    assert [task.retired for task in own] == ["", ""]
    printed = small.pullbench("leaderboard", "adding", "--at", before).stdout
    small.replace(COMPETITION, "\npullbench:\n", f"\npullbench:\n  tasks: {{1: {{{WITHDRAWN}}}}}\n")
    assert small.reasons() == {}
    small.replace("benchmarks/adding/scoring_program/scoring.py", "right one", "right 0ne")
    small.commit("Withdraw a task, and change the scorer")
    assert {name.rpartition("/")[2] for name in small.reasons()} == {"one"}
    task = small.snapshot().benchmarks["adding"].phases[0].tasks[1]
    assert task.retired == "withdrawn on 2026-05-01: labels were wrong"
    assert small.pullbench("leaderboard", "adding", "--at", before).stdout == printed


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("{date: soon, reason: x}", "pullbench.tasks[0].withdrawn.date"),
        ("{date: 2026-05-01}", "pullbench.tasks[0].withdrawn.reason"),
        ("{date: 2026-05-01, reason: x}", "pullbench.tasks[0].withdrawn"),
    ],
)
def test_what_it_says_is_checked(small: Repository, text: str, key: str) -> None:
    """The last: without its first task, ``aggregate: none`` would rank by nothing."""
    more = f"  aggregate: none\n  tasks: {{0: {{withdrawn: {text}}}}}\n"
    small.replace(COMPETITION, "\npullbench:\n", f"\npullbench:\n{more}")
    assert key in {problem.key for problem in small.problems()}
