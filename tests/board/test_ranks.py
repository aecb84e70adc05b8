"""Columns made from ranks of other columns."""

import pytest

from evaluator.board.ranks import rank_values
from tests.board.boards import Entries, make_benchmark

COLUMNS = """\
      - {title: A, key: a, index: 0, sorting: desc}
      - {title: B, key: b, index: 1, sorting: asc}
      - {title: Rank, key: r, index: 2, sorting: %s}
"""
EXTENSION = "    primary_index: 2\npullbench: {columns: {r: {ranks: %s}}}\n"


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        ("competition", [1, 1, 3, None]),
        ("dense", [1, 1, 2, None]),
        ("average", [1.5, 1.5, 3, None]),
    ],
)
def test_ties(ties: str, expected: list[float | None]) -> None:
    assert rank_values([2.0, 2.0, 1.0, None], "desc", ties) == expected
    assert rank_values([1.0, 1.0, 2.0, None], "asc", ties) == expected


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
