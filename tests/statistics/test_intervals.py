"""Rank intervals, duels and tie groups: against brute force, exact counts, and known cases."""

import gc
import itertools
import math
import random
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from evaluator.formats.record import Record
from evaluator.formats.submission import Submission
from evaluator.leaderboard.board import Board
from evaluator.leaderboard.per_board import once_per_board
from evaluator.statistics import intervals as module
from evaluator.statistics.intervals import Intervals, draws_of, intervals, intervals_of
from evaluator.statistics.measure import measure
from evaluator.statistics.score_matrix import Measured
from tests.leaderboard.boards import Entries, hide_primary, make_benchmark
from tests.leaderboard.oracle import Choice, rank
from tests.leaderboard.tables import LOWER, Cell, table_board

MEAN_RANK = "pullbench: {aggregate: mean_rank, repeats: %d, ranking: {ties: average}}\n"
WIN_RATE_OF_REPEATS = "pullbench: {repeats: %d, aggregate: win_rate}\n"
WIN_RATE = "pullbench: {aggregate: win_rate}\n"
REPEATS = "pullbench: {repeats: %d}\n"


def found_of(board: Board) -> Intervals:
    found = intervals(board)
    assert isinstance(found, Intervals), found
    return found


def spans(board: Board) -> dict[str, tuple[int, int, int]]:
    return {name.rpartition("/")[2]: span for name, span in intervals_of(board).items()}


def random_table(seed: int, rows: int, tasks: int, repeats: int = 1) -> dict[str, list[Cell]]:
    source = random.Random(seed)  # noqa: S311
    table: dict[str, list[Cell]] = {}
    for row in range(rows):
        level = source.random()
        cells: list[Cell] = []
        for _ in range(tasks):
            own = [round(source.gauss(level, 0.5) * 64) / 64 for _ in range(repeats)]
            cells.append(own if repeats > 1 else own[0])
        table[f"p{row}/r{row}"] = cells
    return table


@pytest.mark.parametrize("extra", ["", MEAN_RANK % 1])
def test_every_draw_is_a_ranking(extra: str) -> None:
    """The same draws, ranked one by one by what ranks a reader's choice."""
    board = table_board(random_table(1, 7, 8), extra=extra)
    found = found_of(board)
    source = np.random.RandomState(8)
    tasks = source.randint(0, 8, size=(draws_of(7), 8))
    values = [[row.tasks[task.slug].values["a"] for row in board.rows] for task in board.tasks]
    places, beats = [], np.zeros((7, 7))
    for drawn in tasks:
        made = rank(
            Choice(
                values=values, weights=np.bincount(drawn, minlength=8).tolist(), ascending=False,
                aggregation="mean_rank" if extra else "mean",
            )
        )  # fmt: skip
        places.append([place or 0 for place in made.ranks])
        own = np.array(made.ranks, dtype=float)
        beats += (own[:, None] < own) + 0.5 * (own[:, None] == own)
    assert found.draws == len(places) == 2000
    assert found.beats == pytest.approx(beats / len(places))
    ordered = np.sort(np.array(places), axis=0)
    own = np.array([row.rank for row in board.rows])
    assert found.low.tolist() == np.minimum(ordered[49], own).tolist()
    assert found.high.tolist() == np.maximum(ordered[1950], own).tolist()
    assert found.lead == found.beats[0, 1]


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([LOWER, "      - {title: A, key: a, index: 0}\n"]))
def test_duels_are_near_what_all_draws_give(seed: int, columns: str) -> None:
    board = table_board(random_table(seed, 3, 4), columns=columns)
    found = found_of(board)
    sign = -1 if board.columns[0].sorting == "asc" else 1
    values = np.array(
        [[sign * row.tasks[task.slug].values["a"] for task in board.tasks] for row in found.rows]
    )
    exact = np.zeros((3, 3))
    draws = list(itertools.product(range(4), repeat=4))
    for drawn in draws:
        means = np.round(values[:, drawn].mean(axis=1), 9)
        exact += (means[:, None] > means) + 0.5 * (means[:, None] == means)
    assert found.beats == pytest.approx(exact / len(draws), abs=0.04)


def test_many_tasks_are_as_the_normal_distribution_has_it() -> None:
    source = np.random.RandomState(1)
    differences = source.normal(0.1, 1.0, size=150)
    table = {
        "a/a": [5.0 + value for value in differences],
        "b/b": [5.0] * 150,
    }
    found = found_of(table_board(table))
    expected = norm.cdf(abs(differences.mean()) / (differences.std() / math.sqrt(150)))
    assert found.lead == pytest.approx(float(expected), abs=0.03)


def test_what_separates() -> None:
    # The first two differ by luck; both beat the third everywhere, and it the fourth.
    table: dict[str, list[Cell]] = {
        "a/one": [9.0, 8.0, 9.0, 8.0, 9.0, 8.0, 9.5, 8.0],
        "b/two": [8.0, 9.0, 8.0, 9.0, 8.0, 9.0, 8.0, 9.0],
        "c/three": [5.0, 5.1, 5.2, 5.0, 5.1, 5.2, 5.0, 5.1],
        "d/four": [1.0] * 8,
    }
    board = table_board(table)
    found = found_of(board)
    assert spans(board) == {"one": (1, 2, 1), "two": (1, 2, 1), "three": (3, 3, 2),
                            "four": (4, 4, 3)}  # fmt: skip
    assert [row.submission.name for row in found.group(1)] == ["one", "two"]
    assert not found.separates(found.lead)
    assert found.separates(found.beats[1, 2])
    assert found.separates(found.beats[2, 1])
    assert found.beats[0, 3] == 1


def test_five_tasks_separate_nothing() -> None:
    table = {"a/a": [2.0] * 5, "b/b": [1.0] * 5}
    found = found_of(table_board(table))
    assert found.beats.tolist() == [[0.5, 1], [0, 0.5]]
    assert not found.can_separate
    assert not found.separates(found.lead)
    assert found.groups.tolist() == [1, 1]
    more = found_of(table_board({name: [*own, own[0]] for name, own in table.items()}))
    assert more.separates(more.lead)
    assert more.groups.tolist() == [1, 2]


def test_repeats_within_tasks() -> None:
    """Tasks agree, repeats do not: without them the first would be certain of its rank."""
    wide: list[Cell] = [[0.0, 10.0]] * 8
    table: dict[str, list[Cell]] = {"a/a": wide, "b/b": [[4.9, 4.9]] * 8, "c/c": [[1.0, 1.0]] * 8}
    board = table_board(table, extra=REPEATS % 2)
    found = found_of(board)
    assert (found.tasks, found.repeats) == (8, 2)
    assert 0.5 < found.lead < 0.7
    assert spans(board)["a"] == (1, 2, 1)
    # Of 16 draws of 0 or 10, how often the mean is over 4.9, and over 1.
    above = sum(math.comb(16, k) for k in range(8, 17)) / 2**16
    assert found.beats[0, 1] == pytest.approx(above, abs=0.03)
    assert found.beats[0, 2] == pytest.approx(1 - (1 + 16) / 2**16, abs=0.01)


def test_repeats_of_one_task_alone() -> None:
    table: dict[str, list[Cell]] = {
        "a/a": [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]],
        "b/b": [[0.9, 1.9, 2.9, 3.9, 4.9, 5.9]],
    }
    found = found_of(table_board(table, extra=REPEATS % 6))
    assert (found.tasks, found.repeats, found.units) == (1, 6, 6)
    assert found.lead == 1  # pairs of repeats: what is drawn is drawn for both


def test_repeats_that_differ_are_not_drawn() -> None:
    table = random_table(3, 3, 4, repeats=3)
    board = table_board(table, extra=REPEATS % 3)
    assert found_of(board).repeats == 3
    second = board.rows[1]

    def load(submission: Submission, task: str) -> Sequence[Record]:
        return second.table.load_records(submission, task)[:2]

    short = replace(second, table=replace(second.table, load_records=load))
    rows = (board.rows[0], short, *board.rows[2:])
    assert found_of(replace(board, rows=rows)).repeats == 1


def test_ranks_of_repeats_are_made_again() -> None:
    """With mean ranks, a draw of repeats changes the ranks on a task."""
    table: dict[str, list[Cell]] = {
        "a/a": [[1.0, 5.0]] * 7, "b/b": [[2.0, 3.0]] * 7, "c/c": [[0.0, 0.0]] * 7,
    }  # fmt: skip
    board = table_board(table, extra=MEAN_RANK % 2)
    found = found_of(board)
    made = measure(board)
    assert isinstance(made, Measured)
    assert made.on_tasks
    assert (found.tasks, found.repeats) == (7, 2)
    # On one task: a's mean is 1, 3, 3 or 5, b's 2, 2.5, 2.5 or 3: a loses where it draws the first
    # repeat twice, one time of four. Of seven tasks it loses more than it wins with this chance:
    loses = sum(math.comb(7, k) * 0.25**k * 0.75 ** (7 - k) for k in range(4, 8))
    assert found.beats[0, 1] == pytest.approx(1 - loses, abs=0.03)
    assert found.low.tolist() == [1, 1, 3]


def test_failures_have_the_rank_that_the_board_gives() -> None:
    table: dict[str, list[Cell]] = {
        "a/a": [3.0] * 6, "b/b": [2.0, 2.0, 2.0, None, None, None], "c/c": [1.0] * 6,
    }  # fmt: skip
    board = table_board(table, extra=MEAN_RANK % 1)
    assert [row.overall["mean_rank"] for row in board.rows] == [1, 2.5, 2.5]
    found = found_of(board)
    assert found.groups.tolist() == [1, 2, 2]
    assert found.beats[1, 2] == pytest.approx(0.5, abs=0.03)


def test_win_rates() -> None:
    table: dict[str, list[Cell]] = {
        "a/a": [3.0] * 7, "a/weak": [0.0] * 7, "b/b": [*[2.0] * 6, 4.0], "c/c": [1.0] * 7,
    }  # fmt: skip
    board = table_board(table, extra=WIN_RATE)
    made = measure(board)
    assert isinstance(made, Measured)
    own = made.by_cells(np.ones((1, 7)))[0]
    assert own == pytest.approx([row.overall["win_rate"] for row in board.rows])
    found = found_of(board)
    # b loses 1/4 on each task, and wins 1/3 on its better one: it ties where it draws that three
    # times of seven, and wins where more often.
    chance = [math.comb(7, k) * (1 / 7) ** k * (6 / 7) ** (7 - k) for k in range(8)]
    upset = chance[3] / 2 + sum(chance[4:])
    assert found.lead == pytest.approx(1 - upset, abs=0.02)
    assert found.groups[0] == 1


@pytest.mark.parametrize("columns", ["      - {title: A, key: a, index: 0}\n", LOWER])
def test_win_rates_of_repeats_are_made_again(columns: str) -> None:
    """A draw of repeats changes who beats whom on a task; what failed loses in each of them."""
    sign = -1.0 if columns == LOWER else 1.0
    table: dict[str, list[Cell]] = {
        "a/a": [[1.0 * sign, 5.0 * sign]] * 7, "b/b": [[2.0 * sign, 3.0 * sign]] * 7,
        "c/c": [[0.0, 0.0]] * 6 + [None], "c/d": [None] * 7,
    }  # fmt: skip
    board = table_board(table, columns=columns, extra=WIN_RATE_OF_REPEATS % 2)
    made = measure(board)
    assert isinstance(made, Measured)
    assert made.on_tasks
    own = made.by_tasks(np.ones((1, 7)))[0]
    assert own == pytest.approx([row.overall["win_rate"] for row in made.rows])
    found = found_of(board)
    assert (found.tasks, found.repeats) == (7, 2)
    # As with mean ranks: a loses to b on one task where it draws its first repeat twice, one time
    # of four.
    loses = sum(math.comb(7, k) * 0.25**k * 0.75 ** (7 - k) for k in range(4, 8))
    assert found.beats[0, 1] == pytest.approx(1 - loses, abs=0.03)
    assert found.low.tolist()[:2] == [1, 1]
    assert found.groups[0] == found.groups[1]


RANKS = (
    "      - {title: A, key: a, index: 0, sorting: desc}\n"
    "      - {title: R, key: r, index: 1, sorting: asc}\n"
)


@pytest.mark.parametrize("over", ["board", "tasks"])
@pytest.mark.parametrize("operation", ["avg_rank", "mrr"])
@pytest.mark.parametrize("repeats", [1, 2])
def test_rank_columns(over: str, operation: str, repeats: int) -> None:
    extra = (
        f"pullbench: {{repeats: {repeats}, columns: {{r: {{ranks: {{operation: {operation}, "
        f"fields: [a], over: {over}}}}}}}}}\n"
    )
    columns = RANKS if operation == "avg_rank" else RANKS.replace("asc", "desc")
    board = table_board(random_table(5, 5, 6, repeats), columns=columns, extra=extra)
    ordered = replace(
        board.benchmark,
        leaderboard=replace(
            board.benchmark.leaderboard, primary=board.benchmark.leaderboard.columns[1]
        ),
    )
    sign = 1 if operation == "avg_rank" else -1
    rows = sorted(board.rows, key=lambda row: sign * row.overall["r"])
    ranked = [
        replace(row, rank=1 + sum(sign * o.overall["r"] < sign * row.overall["r"] for o in rows))
        for row in rows
    ]
    found = found_of(replace(board, benchmark=ordered, rows=tuple(ranked)))
    assert (found.low <= found.high).all()
    assert found.repeats == repeats
    assert found.lead >= 0.5


def test_rows_of_equal_values_tie() -> None:
    same: list[Cell] = [0.1, 0.2, 0.7, 0.3, 0.35, 0.15, 0.9]
    table = {f"p{n}/r{n}": list(same) for n in range(9)}
    table["q/other"] = list(reversed(same))
    found = found_of(table_board(table))
    assert (found.beats[:9, :9] == 0.5).all()
    assert {row.rank for row in found.rows} == {1}
    assert math.isnan(found.lead)


def test_extreme_values() -> None:
    table: dict[str, list[Cell]] = {"a/a": [1e307] * 6, "b/b": [-1e307] * 6, "c/c": [5e-324] * 6}
    found = found_of(table_board(table))
    assert [row.submission.name for row in found.rows] == ["a", "c", "b"]
    assert found.low.tolist() == found.high.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("table", "extra", "says"),
    [
        ({"a/a": [1.0], "b/b": [2.0]}, "", "one task, which was run once"),
        ({"a/a": [1.0, 2.0]}, "", "nothing to compare it with"),
        ({"a/a": [None, 2.0]}, "", "Nothing on this board has a rank yet"),
        ({"a/a": [1.0, 2.0]}, "pullbench: {phases: {0: {shows: status}}}\n", "not public"),
        ({"a/a": [1.0, 2.0], "b/b": [2.0, 1.0]}, "pullbench: {aggregate: none}\n", "run once"),
    ],
)
def test_why_there_are_none(table: dict[str, list[Cell]], extra: str, says: str) -> None:
    board = table_board(table, extra=extra)
    found = intervals(board)
    assert isinstance(found, str)
    assert says in found
    assert intervals_of(board) == {}


def test_what_is_hidden_stays_hidden() -> None:
    board = hide_primary(table_board({"a/a": [1.0] * 6, "b/b": [2.0] * 6}))
    assert intervals(board) == "The column by which this board ranks is not public."
    entries = Entries(make_benchmark(tasks="0, 1"))
    board = entries.enter("a", "a", {"a": 1.0}, {"a": 1.0}).board()
    rules = replace(board.benchmark.leaderboard, hidden=True)
    sealed = replace(board, benchmark=replace(board.benchmark, leaderboard=rules))
    assert intervals(sealed) == "The results of this board are not public."


def test_an_order_of_something_else_is_not_resampled() -> None:
    columns = (
        "      - {title: A, key: a, index: 0, sorting: desc}\n"
        "      - {title: Max, key: m, index: 1, computation: max, computation_indexes: [0]}\n"
    )
    board = table_board({"a/a": [1.0, 2.0], "b/b": [2.0, 1.5]}, columns=columns)
    rows = tuple(replace(row, overall={"a": 7.0}) for row in board.rows)
    assert "not a mean over its tasks" in str(intervals(replace(board, rows=rows)))


def test_intervals_are_computed_once_for_a_board() -> None:
    asked = []

    @once_per_board
    def compute(board: Board) -> int:
        asked.append(id(board))
        return len(asked)

    board = table_board(random_table(1, 3, 3))
    assert (compute(board), compute(board)) == (1, 1)
    assert compute(replace(board)) == 2
    del board
    gc.collect()
    assert compute(table_board(random_table(1, 3, 3))) == 3


@pytest.mark.parametrize("aggregate", ["mean", "mean_rank"])
def test_draws_weigh_tasks_as_the_board_does(aggregate: str) -> None:
    """One task outweighs the six others: its winner is first in each draw that has it."""
    heavy = table_board(
        {"ann/one": [1.0] + [0.0] * 6, "ben/rest": [0.0] + [1.0] * 6},
        extra=f"pullbench: {{aggregate: {aggregate}, tasks: {{0: {{weight: 1000}}}}}}\n",
    )
    assert [row.submission.name for row in heavy.rows] == ["one", "rest"]
    drawn = intervals(heavy)
    assert isinstance(drawn, Intervals)
    assert drawn.beats[0, 1] == pytest.approx(1 - (6 / 7) ** 7, abs=0.03)


def large(rows: int, tasks: int, *, on_ranks: bool) -> Measured:
    source = np.random.RandomState(3)
    board = table_board({"a/a": [1.0, 2.0], "b/b": [2.0, 1.0]})
    values = source.normal(source.normal(size=rows), 1.0, size=(1, tasks, rows)).round(3)
    order = np.argsort(-values[0].mean(axis=0), kind="stable")
    return Measured(
        rows=tuple(replace(board.rows[0], rank=place + 1) for place in range(rows)),
        places=np.arange(rows), values=values[:, :, order], task_of=np.arange(tasks),
        counted=np.ones((tasks, rows), dtype=np.bool_),
        weights=np.ones(tasks, dtype=np.int64), combine=lambda fields: fields[0],
        on_tasks=on_ranks, ascending=False, decimals=None, dense=False,
    )  # fmt: skip


def test_large_boards_take_two_seconds() -> None:
    made = large(10_000, 20, on_ranks=True)
    start = time.process_time()
    found = module._intervals(made, module._drawn(made, draws_of(10_000)))
    assert time.process_time() - start < 2
    assert found.draws == 200
    assert found.low[0] == 1
    assert found.groups[0] == 1 < found.groups[-1]
    assert (found.low <= found.high).all()
    assert len(found.beats) == 20
