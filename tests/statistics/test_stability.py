"""How stable ranks are over all weightings, against brute force and what is known exactly."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.statistics.stability import enough, stability, weightings
from evaluator.statistics.weightings import Aggregation, Choice, rank
from tests.leaderboard.ranking import AGGREGATIONS, choice, large_case


def test_weightings_are_flat() -> None:
    drawn = np.array(list(weightings(3, 4000)))
    assert drawn.sum(axis=1) == pytest.approx(np.ones(4000), abs=1e-15)
    assert drawn.min() >= 0
    # Of a flat Dirichlet distribution of three: mean 1/3, variance 1/18, each weight above t
    # with probability (1 - t)^2.
    assert drawn.mean(axis=0) == pytest.approx([1 / 3] * 3, abs=0.01)
    assert drawn.var(axis=0) == pytest.approx([1 / 18] * 3, abs=0.003)
    for threshold in (0.1, 0.5, 0.9):
        share = (drawn > threshold).mean(axis=0)
        assert share == pytest.approx([(1 - threshold) ** 2] * 3, abs=0.02)
    assert list(weightings(1, 2)) == [[1.0], [1.0]]
    assert list(weightings(3, 5)) == list(weightings(3, 9))[:5]


def test_what_is_known_exactly() -> None:
    # The first wins where the weight of the first task is above a half; the second where it is
    # below 0.5; the third is last wherever it is.
    found = stability(
        Choice(values=[[1.0, 0.0, -1.0, None], [0.0, 1.0, -1.0, 1.0]], weights=[2, 1],
               ascending=False),
        4000,
    )  # fmt: skip
    assert found.low[:3].tolist() == [1, 1, 3]
    assert found.high[:3].tolist() == [2, 2, 3]
    assert found.first[:3] == pytest.approx([0.5, 0.5, 0], abs=0.02)
    assert found.same[:3] == pytest.approx([0.5, 0.5, 1], abs=0.02)
    assert math.isnan(found.low[3])
    assert found.weightings == 4000


def test_one_that_is_better_everywhere_is_always_first() -> None:
    values = [[0.9, 0.1, 0.5], [0.8, 0.5, 0.1], [0.7, 0.3, 0.3]]
    for aggregation in AGGREGATIONS:
        found = stability(
            Choice(values=values, weights=[1, 1, 1], ascending=False, aggregation=aggregation), 200
        )
        assert found.first.tolist() == [1, 0, 0]
        assert found.same[0] == 1


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from(AGGREGATIONS), st.booleans(), st.booleans())
def test_it_is_ranking_again_and_again(
    seed: int, aggregation: Aggregation, ascending: bool, own: bool
) -> None:
    source = random.Random(seed)  # noqa: S311
    rows, tasks = source.randint(1, 7), source.randint(1, 5)
    made = Choice(
        values=[
            [source.choice((None, *[source.random()] * 9)) for _ in range(rows)]
            for _ in range(tasks)
        ],
        weights=[1, *(source.choice((0, 1, 2)) for _ in range(tasks - 1))],
        ascending=ascending,
        aggregation=aggregation,
        uncounted=[
            [row for row in range(rows) if own and source.random() < 0.2] for _ in range(tasks)
        ],
    )
    found = stability(made, 25)
    now = rank(made).ranks
    used = [index for index, weight in enumerate(made.weights) if weight]
    places = []
    for drawn in weightings(len(used), 25):
        weights = [0.0] * tasks
        for task, weight in zip(used, drawn, strict=True):
            weights[task] = weight
        places.append(rank(replace(made, weights=weights)).ranks)
    for row, place in enumerate(now):
        then = [one[row] for one in places]
        known = [one for one in then if one is not None]
        assert bool(known) == (place is not None)
        if place is None:
            assert math.isnan(found.low[row])
            continue
        assert found.low[row] == min(known)
        assert found.high[row] == max(known)
        assert found.first[row] == pytest.approx(then.count(1) / 25)
        assert found.same[row] == pytest.approx(then.count(place) / 25)


def test_a_task_that_does_not_count_has_no_weight_for_its_row() -> None:
    # The first brought the second task: it is better than the second row where that gets less than
    # half a mark over both, which is where the second task weighs more than 5/8.
    found = stability(
        Choice(values=[[0.5, 1.0], [9.0, 0.2]], weights=[1, 1], ascending=False,
               uncounted=[[], [0]]),
        4000,
    )  # fmt: skip
    assert found.first == pytest.approx([3 / 8, 5 / 8], abs=0.02)


def test_nothing_to_rank() -> None:
    found = stability(Choice(values=[[None, None]], weights=[1], ascending=True), 10)
    assert np.isnan(found.low).all()


def test_large_boards_are_asked_less() -> None:
    assert enough(10, 5) == 1000
    assert enough(10_000, 20) == 100
    assert enough(1_000_000, 20) == 50
    found = stability(choice(large_case(10_000, 20, "mean")), enough(10_000, 20))
    assert 1 <= found.low.min() <= found.high.max() <= 10_000
