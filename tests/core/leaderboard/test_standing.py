"""Only what an organiser approved is ranked; nothing else is hidden."""

import datetime as dt
import io

import pandas as pd
import pytest

from evaluator.ci.steps.board_changes import compare_boards
from evaluator.ci.steps.change_table import board_section
from evaluator.core.formats.approvals import ApprovalDecision, read_approvals
from evaluator.core.leaderboard import tables
from evaluator.core.leaderboard.board import Board
from evaluator.site.boards.difficulty import difficulties
from evaluator.site.boards.exports import board_json
from evaluator.site.boards.wording import bests
from tests.core.leaderboard.boards import FAILED, Entries, make_benchmark

APPROVAL = "pullbench: {approval: required%s}\n"
DAY = dt.date(2026, 3, 1)
YES = ApprovalDecision(submission="ada/one", decision="approved", date=DAY)
NO = ApprovalDecision(submission="eve/cheat", decision="refused", date=DAY, reason="1223 of 1")


def entries(rule: str = "Force_Latest_Multiple", extra: str = "") -> Entries:
    made = Entries(make_benchmark(rule=rule, extra=APPROVAL % extra))
    made.enter("ada", "one", {"a": 0.5}).enter("eve", "cheat", {"a": 1223.167})
    return made.enter("bob", "new", {"a": 0.7}).enter("carl", "broken", FAILED)


def stand(board: Board) -> list[tuple[int | None, str, str]]:
    return [(row.rank, row.submission.name, row.why_unranked) for row in board.rows]


def test_states_and_ranks() -> None:
    board = entries().board(decisions=(YES, NO))
    assert stand(board) == [
        (1, "one", "finished"),
        (None, "cheat", "refused: 1223 of 1"),
        (None, "new", "awaiting approval"),
        (None, "broken", "failed"),
    ]
    assert bests(board)[None, "a"] == bests(board)["one", "a"] == 0.5
    assert [row.submission.name for row in board.leaders] == ["one"]


def test_without_the_flag_everything_is_ranked() -> None:
    made = Entries(make_benchmark()).enter("ada", "one", {"a": 1})
    (row,) = made.board().rows
    assert (row.rank, row.standing) == (1, None)
    data = board_json.to_data(made.board())
    assert data["rows"][0]["standing"] is None
    assert "standing" not in tables.to_csv(made.board()) + tables.to_text(made.board())


def test_the_last_decision_holds() -> None:
    back = ApprovalDecision(
        submission="ada/one", decision="refused", date=DAY, reason="a placeholder"
    )
    assert stand(entries().board(decisions=(YES, back)))[0][0] is None
    assert stand(entries().board(decisions=(YES, back, YES)))[0][0] == 1


@pytest.mark.parametrize(("content", "rank"), [("5" * 12, 1), ("5" * 64, 1), ("6" * 12, None)])
def test_a_decision_may_be_bound_to_files(content: str, rank: int | None) -> None:
    bound = YES.model_copy(update={"content": content})
    board = entries().board(decisions=(bound,))
    row = next(row for row in board.rows if row.submission.name == "one")
    assert row.rank == rank
    if rank is None:
        assert row.why_unranked == (
            "awaiting approval: its files are not those of the decision of 2026-03-01"
        )


def test_what_waits_takes_no_approved_entrys_place() -> None:
    made = entries(rule="Force_Last").enter("ada", "later", {"a": 0.9})
    board = made.board(decisions=(YES,))
    assert [(row.rank, row.submission.name) for row in board.rows] == [
        (1, "one"), (None, "cheat"), (None, "later"), (None, "new"), (None, "broken"),
    ]  # fmt: skip


def test_what_nobody_approved_makes_no_ranks() -> None:
    extra = APPROVAL % ", aggregate: mean_rank"
    made = Entries(make_benchmark(tasks="0, 1", extra=extra))
    made.enter("ada", "one", {"a": 1}, {"a": 1}).enter("eve", "cheat", {"a": 9}, {"a": 9})
    first, second = made.board(decisions=(YES,)).rows
    assert (first.rank, first.overall["mean_rank"]) == (1, 1)
    assert "mean_rank" not in second.overall


def test_it_is_not_the_best_of_a_task() -> None:
    made = entries(extra=", baseline: ada/one, columns: {a: {perfect: 2000}}")
    ((task,),) = (item.tasks for item in difficulties(made.board(decisions=(YES, NO))))
    assert (task.baseline, task.best) == (0.5, 0.5)


def test_as_text_and_data() -> None:
    board = entries().board(decisions=(YES, NO))
    text = tables.to_text(board)
    assert "refused: 1223 of 1" in text and "awaiting approval" in text
    frame = pd.read_csv(io.StringIO(tables.to_csv(board)))
    assert list(frame["standing"])[:2] == ["approved", "refused: 1223 of 1"]
    data = {row["submission"]: row["standing"] for row in board_json.to_data(board)["rows"]}
    assert data["cheat"] == {"state": "refused", "reason": "1223 of 1", "date": "2026-03-01"}
    assert data["new"] == {"state": "awaiting approval", "reason": "", "date": ""}


def test_the_comment_on_a_pull_request_says_it() -> None:
    after = entries().board(decisions=(YES, NO))
    lines = "\n".join(board_section(compare_boards(None, after), rows=20, columns=5))
    assert "is not ranked: awaiting approval." in lines
    assert "is not ranked: refused: 1223 of 1." in lines


def test_the_file() -> None:
    text = b"decisions:\n- {submission: a/b, decision: approved, date: 2026-01-02}\n"
    (one,), problems = read_approvals(text, "f")
    assert (one.submission, one.date, problems) == ("a/b", dt.date(2026, 1, 2), [])
    assert read_approvals(b"", "f") == ((), [])


@pytest.mark.parametrize(
    ("item", "key"),
    [
        ("submission: a/b, decision: refused, date: 2026-01-02", "decisions[0].reason"),
        ("submission: a, decision: approved, date: 2026-01-02", "decisions[0].submission"),
        ("submission: a/b, decision: aproved, date: 2026-01-02", "decisions[0].decision"),
        ("submission: a/b, decision: approved", "decisions[0].date"),
        ("submission: a/b, decision: approved, date: 2026-01-02, content: abc",
         "decisions[0].content"),
    ],
)  # fmt: skip
def test_mistakes_decide_nothing(item: str, key: str) -> None:
    found, problems = read_approvals(f"decisions:\n- {{{item}}}\n".encode(), "f")
    assert found == ()
    assert [problem.key for problem in problems] == [key]
