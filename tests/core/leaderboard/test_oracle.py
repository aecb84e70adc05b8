"""The second writing of rankings, against cases by hand and what boards rank by."""

import statistics
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from tests.core.leaderboard.boards import FAILED, Entries, make_benchmark
from tests.core.leaderboard.oracle import Aggregation, Choice, rank
from tests.core.leaderboard.ranking import BY_HAND, check, choice, own_choice, own_ranks

# Rounded, so that two of them count as equal where they are.
NUMBERS = st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda number: round(number, 3))
WHOLE = st.integers(1, 5).map(float)

RULES = ("Force_Latest_Multiple", "Force_Best", "Force_Last")
MISSING = ("last", "last+1", "worst", "midrank")
TWO_COLUMNS = """\
      - {title: A, key: a, index: 0, sorting: desc, precision: 3}
      - {title: B, key: b, index: 1, sorting: asc, precision: 3}
"""


@st.composite
def tables(draw: st.DrawFn, numbers: st.SearchStrategy[float] = WHOLE) -> list[list[float]]:
    rows, tasks = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    return [draw(st.lists(numbers, min_size=rows, max_size=rows)) for _ in range(tasks)]


@pytest.mark.parametrize("case", BY_HAND, ids=lambda case: str(case["name"]))
def test_cases_by_hand(case: dict[str, Any]) -> None:
    check(rank(choice(case)), case["expected"], case["ranks"], case["name"])


def test_the_readers_mean_is_the_boards() -> None:
    benchmark = make_benchmark(tasks="0, 1")
    entries = Entries(benchmark)
    scores = [(0.1, 0.2), (0.2, 0.1), (0.7, 0.3), (0.15, 0.15), (0.3, 0.7)]
    for number, (one, two) in enumerate(scores):
        entries.enter("ann", f"s{number}", {"a": one}, {"a": two})
    board = entries.board()
    found = rank(
        Choice(
            values=[[row.tasks[task.slug].values["a"] for row in board.rows]
                    for task in board.tasks],
            weights=[1, 1], ascending=False,
        )
    )  # fmt: skip
    assert [row.rank for row in board.rows] == list(found.ranks) == [1, 1, 3, 3, 3]
    assert [row.overall["a"] for row in board.rows] == list(found.values)


@given(tables(NUMBERS), st.booleans())
def test_equal_weights_are_the_plain_statistics(table: list[list[float]], ascending: bool) -> None:
    def values(aggregation: Aggregation) -> list[float]:
        made = Choice(
            values=table, weights=[0.3] * len(table), ascending=ascending, aggregation=aggregation
        )
        return list(rank(made).values)

    rows = list(zip(*table, strict=True))
    assert values("mean") == [statistics.fmean(row) for row in rows]
    assert values("median") == [statistics.median(row) for row in rows]
    sign = 1 if ascending else -1
    ranks = [rankdata([sign * value for value in column]) for column in table]
    assert values("mean_rank") == pytest.approx(
        [statistics.fmean(own) for own in zip(*ranks, strict=True)], rel=1e-12
    )


@settings(max_examples=60)
@given(st.data())
def test_by_a_boards_own_rules_its_ranks_come_out(data: st.DataObject) -> None:
    """Over random boards: rounding, ties, what is missing, weights."""
    some = st.sampled_from
    aggregate, rule = data.draw(some(["mean", "mean_rank"])), data.draw(some(RULES))
    ties, missing = data.draw(some(["competition", "dense", "average"])), data.draw(some(MISSING))
    decimals = data.draw(some(["null", "0", "1"]))
    breaks = data.draw(some(["true", "false"]))
    weights = data.draw(st.lists(st.integers(1, 5), min_size=2, max_size=2))
    benchmark = make_benchmark(
        TWO_COLUMNS, rule=rule, tasks="0, 1",
        extra=f"pullbench:\n  aggregate: {aggregate}\n  ranking: {{ties: {ties}, "
        f"missing: {missing}, decimals: {decimals}}}\n"
        f"  columns: {{b: {{breaks_ties: {breaks}}}}}\n"
        f"  tasks: {{0: {{weight: {weights[0]}}}, 1: {{weight: {weights[1]}}}}}\n",
    )  # fmt: skip
    entries = Entries(benchmark)
    numbers = some([0.0, 0.1, 0.14, 0.16, 0.5, 1.5, 2.5, -1.0])
    for number in range(data.draw(st.integers(1, 7))):
        scores: list[dict[str, float] | str] = [
            data.draw(
                st.one_of(st.just(FAILED), st.fixed_dictionaries({"a": numbers, "b": numbers}))
            )
            for _ in benchmark.tasks
        ]
        entries.enter(data.draw(some(["ann", "ben"])), f"s{number}", *scores)
    board = entries.board()
    found = rank(own_choice(board)).ranks
    chosen = own_choice(board).placed
    assert chosen is not None
    assert [found[row] for row in chosen] == own_ranks(board)
