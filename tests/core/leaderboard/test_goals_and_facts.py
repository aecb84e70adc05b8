"""Goal lines between the rows, and columns that are no scores."""

import io

import pandas as pd
import pytest

from evaluator.core.formats.record import Step
from evaluator.core.leaderboard import tables
from evaluator.core.leaderboard.facts import fact, fact_columns, fact_text, goal_lines
from evaluator.site.boards.exports import board_json
from tests.core.leaderboard.boards import FAILED, Entries, make_benchmark

TWO = """\
      - {title: A, key: a, index: 0, sorting: %s, precision: 3}
      - {title: B, key: b, index: 1, sorting: desc, precision: 1}
"""
GOAL = "pullbench: {columns: {%s: {goal: {value: %s, label: A goal}}}}\n"


@pytest.mark.parametrize(
    ("sorting", "value", "position"),
    [("asc", 0.5, 0), ("asc", 1, 1), ("asc", 2.5, 2), ("asc", 9, 3),
     ("desc", 9, 0), ("desc", 3, 1), ("desc", 1.5, 2), ("desc", 0, 3)],
)  # fmt: skip
def test_the_place_among_the_rows(sorting: str, value: float, position: int) -> None:
    entries = Entries(make_benchmark(TWO % sorting, extra=GOAL % ("a", value)))
    for name in (1, 2, 3):
        entries.enter(f"p{name}", str(name), {"a": name, "b": 0})
    entries.enter("q", "broken", FAILED)
    (line,) = goal_lines(entries.board())
    assert (line.position, line.reached) == (position, position)
    assert line.after_rank == position
    lines = tables.to_text(entries.board()).splitlines()[2:]
    assert lines[position].split()[:3] == ["(goal)", "A", "goal"]
    assert f"{value:.3f}" in lines[position]
    assert "broken" in lines[-1]


def test_a_goal_of_another_column_stands_after_what_is_ranked() -> None:
    entries = Entries(make_benchmark(TWO % "asc", extra=GOAL % ("b", 5)))
    entries.enter("p", "x", {"a": 1, "b": 9}).enter("q", "y", {"a": 2, "b": 1})
    entries.enter("r", "broken", FAILED)
    (line,) = goal_lines(entries.board())
    assert (line.position, line.reached) == (2, 1)
    data = board_json.to_data(entries.board())
    assert data["goals"] == [{"column": "b", "label": "A goal", "value": 5, "reached": 1}]
    assert [row["submission"] for row in data["rows"]] == ["x", "y", "broken"]  # it is no row
    assert len(pd.read_csv(io.StringIO(tables.to_csv(entries.board())))) == 3


def test_a_goal_ranks_nobody_and_has_no_rank() -> None:
    entries = Entries(make_benchmark(TWO % "asc", extra=GOAL % ("a", 0)))
    entries.enter("p", "x", {"a": 1, "b": 9})
    assert entries.ranks() == [(1, "x")]


def timed(budget: str, tasks: str = "0, 1") -> Entries:
    entries = Entries(
        make_benchmark(
            tasks=tasks, extra=f"pullbench: {{dates: true, phases: {{0: {{budget: {budget}}}}}}}\n"
        )
    )
    entries.enter("ada", "x", {"a": 1}, {"a": 1}).enter("bob", "y", {"a": 2}, {"a": 2})
    for cell, record in entries.records.items():
        if cell.participant == "ada":
            step = Step(step="ingestion", wall_seconds=3 if cell.task == "one" else 1, exit_code=0)
            entries.records[cell] = record.replace(steps=[step])
    return entries


@pytest.mark.parametrize(
    ("budget", "key", "value"),
    [
        ("{seconds_per_item: 0.1, items: 100}", "seconds_per_item", 4 / 200),
        ("{seconds_per_item: 0.1, items: {0: 100, 1: 300}}", "seconds_per_item", 4 / 400),
        ("{seconds: 9}", "prediction_seconds", 2),
        ("{seconds: 9, items: 10}", "seconds_per_item", 4 / 20),
    ],
)
def test_seconds_of_an_item_or_of_a_task(budget: str, key: str, value: float) -> None:
    board = timed(budget).board()
    seconds, date = fact_columns(board)
    rows = {row.submission.name: row for row in board.rows}
    assert (seconds.key, date.key) == (key, "submitted")
    assert fact(rows["x"], seconds, board) == pytest.approx(value)
    assert fact(rows["y"], seconds, board) is None  # nothing of it was predicted here
    assert fact(rows["y"], date, board) == "2026-01-01"
    frame = pd.read_csv(io.StringIO(tables.to_csv(board))).set_index("submission")
    assert frame.loc["x", f"fact:{key}"] == pytest.approx(value)
    assert frame.loc["x", "fact:submitted"] == "2026-01-01"
    assert fact_text(None) == "" and fact_text(0.0979123) == "0.0979"


def test_neither_where_nobody_asks() -> None:
    board = Entries(make_benchmark()).enter("ada", "x", {"a": 1}).board()
    assert fact_columns(board) == ()
    assert board_json.to_data(board)["facts"] == []


def test_a_phase_that_shows_a_status_shows_no_time() -> None:
    extra = "pullbench: {dates: true, phases: {0: {shows: status, budget: {seconds: 9}}}}\n"
    benchmark = make_benchmark(extra=extra)
    assert fact_columns(Entries(benchmark).board()) == ()
