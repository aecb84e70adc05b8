"""The table of a board says what its rows say."""

import numpy as np
import pytest

from evaluator.core.leaderboard.board import Board
from evaluator.core.leaderboard.published import publish
from evaluator.core.leaderboard.table import STATES
from tests.core.leaderboard.boards import FAILED, Entries, make_benchmark

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
    return publish(entries.private_board())


def test_they_are_what_the_rows_say() -> None:
    board = make()
    rows = (*board.rows, *board.unlisted)
    table = board.table
    assert set(board.overall) == set(table.values) == {"a", "b"}

    def same(found: float, said: float | None) -> bool:
        return bool(np.isnan(found)) if said is None else found == said

    for place, row in enumerate(rows):
        for key, values in board.overall.items():
            assert same(values[place], row.overall.get(key))
        for number, task in enumerate(board.tasks):
            one = row.tasks[task.slug]
            assert STATES[table.states[number, place]] == one.state
            assert same(table.seconds[number, place], one.seconds)
            assert same(table.memory[number, place], one.peak_memory)
            for key in ("a", "b"):
                said = one.values.get(key) if one.state == "finished" else None
                assert same(table.finished(key)[number, place], said)
    assert table.deviations == {}
    assert np.isnan(table.finished("a")).sum() == 1


@pytest.mark.parametrize("count", [0, 1])
def test_small_boards_have_the_same_form(count: int) -> None:
    entries = Entries(make_benchmark(tasks="0, 1"))
    for number in range(count):
        entries.enter("ada", f"s{number}", {"a": 1}, {"a": 2})
    board = entries.board()
    table = board.table
    for grid in (table.states, table.seconds, table.memory, table.finished("a")):
        assert grid.shape == (2, count)
    assert board.overall["a"].shape == (count,)
