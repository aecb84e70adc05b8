"""The numbers of a board as arrays."""

import gc
import weakref

import numpy as np
import pytest

from evaluator.leaderboard.arrays import STATES, arrays
from evaluator.leaderboard.board import Board
from evaluator.leaderboard.published import published
from tests.leaderboard.boards import FAILED, Entries, make_benchmark

COLUMNS = (
    "      - {title: A, key: a, index: 0}\n"
    "      - {title: B, key: b, index: 1, sorting: asc}\n"
    "      - {title: Sealed, key: sealed, index: 2, hidden: true}\n"
)


def make() -> Board:
    entries = Entries(make_benchmark(COLUMNS, tasks="0, 1"))
    entries.enter("ada", "one", {"a": 1 / 3, "b": 2}, {"a": 1, "b": 1e308, "sealed": 3})
    entries.enter("bob", "two", {"a": 0.5, "b": 1}, FAILED)
    entries.enter("bob", "three", {"a": 0.25}, {"a": -0.0, "b": 7})
    return published(entries.board())


def test_they_are_what_the_rows_say() -> None:
    board = make()
    rows = (*board.rows, *board.unlisted)
    made = arrays(board)
    assert set(made.overall) == set(made.scores) == {"a", "b"}

    def same(found: float, said: float | None) -> bool:
        return bool(np.isnan(found)) if said is None else found == said

    for place, row in enumerate(rows):
        for key, values in made.overall.items():
            assert same(values[place], row.overall.get(key))
        for number, task in enumerate(board.tasks):
            one = row.tasks[task.slug]
            assert STATES[made.states[number, place]] == one.state
            assert same(made.seconds[number, place], one.seconds)
            assert same(made.memory[number, place], one.peak_memory)
            for key in ("a", "b"):
                said = one.values.get(key) if one.state == "finished" else None
                assert same(made.scores[key][number, place], said)
    assert made.deviations == {}
    assert np.isnan(made.scores["a"]).sum() == 1


@pytest.mark.parametrize("count", [0, 1])
def test_small_boards_have_the_same_form(count: int) -> None:
    entries = Entries(make_benchmark(tasks="0, 1"))
    for number in range(count):
        entries.enter("ada", f"s{number}", {"a": 1}, {"a": 2})
    made = arrays(entries.board())
    made.read()
    for found in (made.states, made.seconds, made.memory, made.scores["a"]):
        assert found.shape == (2, count)
    assert made.overall["a"].shape == (count,)


def test_they_go_with_their_board() -> None:
    board = make()
    made = weakref.ref(arrays(board))
    assert made() is arrays(board)
    del board
    gc.collect()
    assert made() is None
