"""Columns made from ranks of other columns."""

import pytest

from tests.core.leaderboard.boards import FAILED, Entries, make_benchmark

COLUMNS = """\
      - {title: A, key: a, index: 0, sorting: desc}
      - {title: B, key: b, index: 1, sorting: asc}
      - {title: Rank, key: r, index: 2, sorting: %s}
"""
EXTENSION = "    primary_index: 2\npullbench: {columns: {r: {ranks: %s}}}\n"


@pytest.mark.parametrize(
    ("ranks", "sorting", "values"),
    [
        ("{operation: avg_rank, fields: [a, b]}", "asc", [2.0, 2.0, 2.0]),
        ("{operation: weighted_rank, fields: [a, b], weights: [2, 1]}", "asc", [5.0, 6.0, 7.0]),
        ("{operation: mrr, fields: [a, b]}", "desc", [(1 + 1 / 3) / 2, 0.5, (1 + 1 / 3) / 2]),
    ],
)
def test_operations(ranks: str, sorting: str, values: list[float]) -> None:
    benchmark = make_benchmark(COLUMNS % sorting, extra=EXTENSION % ranks)
    assert benchmark.leaderboard.score_keys == ("a", "b")
    entries = Entries(benchmark)
    for name, a, b in (("x", 3, 3), ("y", 2, 2), ("z", 1, 1)):
        entries.enter(name, name, {"a": a, "b": b})
    overall = {row.submission.name: row.overall["r"] for row in entries.board().rows}
    assert [overall[name] for name in "xyz"] == pytest.approx(values)


def test_a_rank_column_can_be_primary() -> None:
    text = "{operation: weighted_rank, fields: [a, b], weights: [2, 1]}"
    entries = Entries(make_benchmark(COLUMNS % "asc", extra=EXTENSION % text))
    entries.enter("x", "x", {"a": 1, "b": 1}).enter("y", "y", {"a": 9, "b": 9})
    assert entries.ranks() == [(1, "y"), (2, "x")]


@pytest.mark.parametrize(
    ("ties", "expected"),
    [("competition", (1.5, 1.0, 3.0)), ("dense", (1.5, 1.0, 2.5)), ("average", (1.75, 1.25, 3.0))],
)
def test_ranks_over_tasks_are_taken_on_each(ties: str, expected: tuple[float, ...]) -> None:
    ranks = f"{{operation: avg_rank, fields: [a], ties: {ties}, over: tasks}}"
    entries = Entries(make_benchmark(COLUMNS % "asc", tasks="0, 1", extra=EXTENSION % ranks))
    # By the means over both tasks x would lead.
    for name, one, two in (("x", 90, 5), ("y", 90, 7), ("z", 10, 4)):
        entries.enter(name, name, {"a": one, "b": 0}, {"a": two, "b": 0})
    rows = {row.submission.name: row for row in entries.board().rows}
    assert tuple(rows[name].overall["r"] for name in "xyz") == expected
    assert [row.submission.name for row in entries.board().rows] == ["y", "x", "z"]
    assert rows["x"].tasks["two"].values["r"] == 2


def test_ranks_over_tasks_need_every_task() -> None:
    ranks = "{operation: avg_rank, fields: [a], over: tasks}"
    entries = Entries(make_benchmark(COLUMNS % "asc", tasks="0, 1", extra=EXTENSION % ranks))
    entries.enter("x", "x", {"a": 1, "b": 0}, {"a": 1, "b": 0})
    entries.enter("y", "y", {"a": 2, "b": 0}, FAILED)
    rows = {row.submission.name: row for row in entries.board().rows}
    assert rows["x"].overall["r"] == 1.5
    assert rows["x"].rank == 1
    assert rows["y"].overall == {}
    assert rows["y"].tasks["one"].values["r"] == 1
    assert "r" not in rows["y"].tasks["two"].values
