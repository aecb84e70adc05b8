"""Rankings that a reader chooses, against cases by hand, the board's own, and brute force."""

import math
import statistics
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import gmean, rankdata

from evaluator.leaderboard.weighted import mean, median, relative
from evaluator.statistics.weightings import Aggregation, Choice, Values, points, rank, rank_metrics
from tests.leaderboard.boards import FAILED, Entries, make_benchmark
from tests.leaderboard.ranking import (
    AGGREGATIONS,
    BY_HAND,
    check,
    choice,
    large_case,
    own_choice,
    own_ranks,
)

NUMBERS = st.floats(-1e6, 1e6, allow_subnormal=False)
WHOLE = st.integers(1, 5).map(float)

RULES = ("Force_Latest_Multiple", "Force_Best", "Force_Last")
MISSING = ("last", "last+1", "worst")
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


def test_unranked_rows_are_named() -> None:
    values: list[Values] = [[1.0, None, 3.0], [1.0, 2.0, math.nan]]
    both = rank(Choice(values=values, weights=[1, 1], ascending=False))
    assert both.unranked == (1, 2)
    first = rank(Choice(values=values, weights=[1, 0], ascending=False))
    assert first.unranked == (1,)


@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf])
def test_weights_that_are_none(weight: float) -> None:
    with pytest.raises(ValueError, match="not negative"):
        rank(Choice(values=[[1.0]], weights=[weight], ascending=False))


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
    assert [row.rank for row in board.rows] == list(found.ranks) == [1, 1, 3, 3, 5]
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


@given(tables(st.floats(1e-6, 1e6)))
def test_geometric_means_are_scipys(table: list[list[float]]) -> None:
    found = rank(
        Choice(values=table, weights=[1] * len(table), ascending=True, aggregation="geometric_mean")
    )
    expected = [float(gmean(row)) for row in zip(*table, strict=True)]
    assert list(found.values) == pytest.approx(expected, rel=1e-9)


@given(tables(), st.data())
def test_whole_weights_repeat_a_task(table: list[list[float]], data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(0, 4), min_size=len(table), max_size=len(table)))
    aggregation = data.draw(st.sampled_from(AGGREGATIONS))
    ascending = data.draw(st.booleans())
    weighted = rank(
        Choice(values=table, weights=weights, ascending=ascending, aggregation=aggregation)
    )
    repeated = [
        column for column, weight in zip(table, weights, strict=True) for _ in range(weight)
    ]
    if not repeated:
        assert set(weighted.ranks) == {None}
        return
    plain = rank(
        Choice(values=repeated, weights=[1] * len(repeated), ascending=ascending,
               aggregation=aggregation)
    )  # fmt: skip
    assert weighted.values == pytest.approx(plain.values, rel=1e-12, abs=1e-12)


@given(st.lists(st.tuples(NUMBERS, st.integers(1, 9)), min_size=1, max_size=8))
def test_the_weighted_median_halves_the_weights(pairs: list[tuple[float, int]]) -> None:
    own, weights = zip(*pairs, strict=True)
    middle = median(own, weights)
    below = sum(weight for value, weight in pairs if value < middle)
    above = sum(weight for value, weight in pairs if value > middle)
    assert max(below, above) <= sum(weights) / 2
    repeated = [value for value, weight in pairs for _ in range(weight)]
    assert middle == pytest.approx(statistics.median(repeated), rel=1e-15)


@given(st.lists(WHOLE, min_size=1, max_size=8), st.booleans())
def test_points_are_what_is_beaten(own: list[float], ascending: bool) -> None:
    sign = -1 if ascending else 1
    beaten = [
        sum(1.0 if sign * one > sign * other else 0.5 * (one == other) for other in own) - 0.5
        for one in own
    ]
    assert points(own, ascending) == beaten


@given(tables(NUMBERS), st.data())
def test_each_row_beats_what_is_below_it(table: list[list[float]], data: st.DataObject) -> None:
    aggregation = data.draw(st.sampled_from(AGGREGATIONS))
    weights = [data.draw(st.floats(0, 3)) for _ in table]
    found = rank(Choice(values=table, weights=weights, ascending=True, aggregation=aggregation))
    sign = 1 if found.ascending else -1
    placed = [(value, place) for value, place in zip(found.values, found.ranks, strict=True)
              if place is not None]  # fmt: skip
    for value, place in placed:
        better = sum(sign * other < sign * value for other, _ in placed)
        if aggregation == "geometric_mean":  # which are equal within a tolerance
            assert place <= better + 1
        else:
            assert place == better + 1


def test_weights_are_relative() -> None:
    assert relative([0, 2, 4]) == ((1, 2), (0.5, 1.0))
    assert relative([3, 1]) == ((0, 1), (0.75, 0.25))
    assert relative([5e-324, 0.0, 5e-324]) == ((0, 2), (1.0, 1.0))
    assert relative([1e308, 1]) == ((0, 1), (1e308 / 2**1000, 2**-1000))
    assert relative([0.7, 0.7]) == ((0, 1), (1.0, 1.0))
    assert relative([0.0]) == ((), ())


def test_a_mean_beyond_floating_point_is_in_range() -> None:
    assert math.isclose(mean([1.7e308] * 3, [1, 1, 1]), 1.7e308, rel_tol=1e-15)


def test_several_metrics_are_joined_by_ranks() -> None:
    accuracy = Choice(values=[[0.9, 0.8, 0.7, None]], weights=[1], ascending=False)
    seconds = Choice(values=[[300.0, 1.0, 20.0, 1.0]], weights=[1], ascending=True)
    both = rank_metrics([accuracy, seconds], [1, 1])
    assert both.values[:3] == (2.0, 1.5, 2.5)
    assert both.ranks == (2, 1, 3, None)
    assert both.ascending
    mostly = rank_metrics([accuracy, seconds], [3, 1])
    assert mostly.values[:3] == (1.5, 1.75, 2.75)
    assert mostly.ranks == (1, 2, 3, None)
    alone = rank_metrics([accuracy, seconds], [0, 2])
    assert alone == rank(seconds)
    none = rank_metrics([accuracy, seconds], [0, 0])
    assert none.ranks == (None,) * 4


def test_metrics_that_are_normalised_are_joined_by_their_values() -> None:
    accuracy = Choice(
        values=[[0.5, 0.9, 0.7]], weights=[1], ascending=False, aggregation="normalised", baseline=0
    )
    seconds = Choice(
        values=[[4.0, 3.0, 2.0]], weights=[1], ascending=True, aggregation="normalised", baseline=0
    )
    both = rank_metrics([accuracy, seconds], [3, 1])
    assert both.values == pytest.approx((0.0, 0.875, 0.625))
    assert both.ranks == (3, 1, 2)
    assert not both.ascending


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_large_boards(aggregation: Aggregation) -> None:
    found = rank(choice(large_case(10_000, 20, aggregation)))
    assert min(place for place in found.ranks if place is not None) == 1
    assert not found.unranked


@settings(max_examples=60)
@given(st.data())
def test_by_a_boards_own_rules_its_ranks_come_out(data: st.DataObject) -> None:
    """Over random boards: rounding, ties, what is missing, whose values make ranks."""
    some = st.sampled_from
    aggregate, rule = data.draw(some(["mean", "mean_rank"])), data.draw(some(RULES))
    ties, missing = data.draw(some(["competition", "dense", "average"])), data.draw(some(MISSING))
    decimals, among = data.draw(some(["null", "0", "1"])), data.draw(some(["listed", "all"]))
    breaks = data.draw(some(["true", "false"]))
    benchmark = make_benchmark(
        TWO_COLUMNS, rule=rule, tasks="0, 1",
        extra=f"pullbench:\n  aggregate: {aggregate}\n  ranking: {{ties: {ties}, "
        f"missing: {missing}, decimals: {decimals}, among: {among}}}\n"
        f"  columns: {{b: {{breaks_ties: {breaks}}}}}\n",
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
