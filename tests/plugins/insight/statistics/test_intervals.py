"""Who is significantly better, rank intervals and groups: by brute force, and known cases."""

import gc
import itertools
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t

from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.plugins.insight.statistics.intervals import (
    Intervals,
    certain_intervals,
    intervals,
    intervals_of,
    is_better,
)
from evaluator.plugins.insight.statistics.measured import Measured, measure
from evaluator.plugins.insight.statistics.sign_flips import MAX_COMPARED, compare_pairs
from tests.core.leaderboard.boards import Entries, hide_primary, make_benchmark
from tests.core.leaderboard.tables import LOWER, Cell, table_board

MEAN_RANK = "pullbench: {aggregate: mean_rank, repeats: %d, ranking: {ties: average}}\n"
WIN_RATE = "pullbench: {aggregate: win_rate}\n"
REPEATS = "pullbench: {repeats: %d}\n"


def certain_of(board: PublicBoard) -> Intervals:
    certain = intervals(board)
    assert isinstance(certain, Intervals), certain
    return certain


def spans(board: PublicBoard) -> dict[str, tuple[int, int, int]]:
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
def test_one_pair_is_the_exact_sign_flip_test(extra: str) -> None:
    """Of two rows, p is the share of all ways to flip signs that give as large a difference."""
    for seed in range(20):
        board = table_board(random_table(seed, 2, 8), extra=extra)
        certain = certain_of(board)
        one, two = (
            np.array([row.tasks[task.slug].values["a"] for task in board.tasks])
            for row in certain.rows
        )
        differences = np.sign(one - two) if extra else one - two
        flips = np.array(list(itertools.product([1, -1], repeat=8)))
        sums = np.abs(flips @ differences)
        assert certain.p[1] == np.mean(sums >= sums[0] - 1e-9)
        assert certain.pairs.is_exact
        assert certain.better[0, 1] == (certain.p[1] <= 0.05)


@pytest.mark.parametrize("seed", range(5))
def test_many_pairs_are_westfall_and_youngs_step_down(seed: int) -> None:
    """By brute force: each pair against the clearest of those that are not separated before it."""
    board = table_board(random_table(seed, 5, 9))
    certain = certain_of(board)
    values = np.array(
        [[row.tasks[task.slug].values["a"] for row in certain.rows] for task in board.tasks]
    )
    flips = np.array([[1.0, *rest] for rest in itertools.product([1, -1], repeat=8)])
    pairs = list(itertools.combinations(range(5), 2))
    clear = {}
    for a, b in pairs:
        own = values[:, a] - values[:, b]
        clear[a, b] = np.abs(flips @ own) / np.sqrt(own @ own)
    left, separated = set(pairs), set()
    while left:
        highest = np.max([clear[pair] for pair in left], axis=0)
        now = {pair for pair in left if np.mean(highest >= clear[pair][0] - 1e-9) <= 0.05}
        if not now:
            break
        separated |= now
        left -= now
    means = values.mean(axis=0)
    for a, b in pairs:
        assert certain.better[a, b] == ((a, b) in separated and means[a] > means[b])
        assert not certain.better[b, a]
    assert certain.low.tolist() == (1 + certain.better.sum(axis=0)).tolist()
    assert certain.high.tolist() == (5 - certain.better.sum(axis=1)).tolist()


def test_the_margin_of_one_pair_is_near_students() -> None:
    source = np.random.RandomState(1)
    differences = source.normal(0.1, 1.0, size=150)
    table = {"a/a": [5.0 + value for value in differences], "b/b": [5.0] * 150}
    certain = certain_of(table_board(table))
    assert certain.behind[1] == pytest.approx(differences.mean())
    student = t.ppf(0.975, 149) * differences.std(ddof=1) / math.sqrt(150)
    assert certain.margin[1] == pytest.approx(student, rel=0.05)
    expected = 2 * t.sf(abs(differences.mean()) / student * t.ppf(0.975, 149), 149)
    assert certain.p[1] == pytest.approx(expected, abs=0.03)


def test_what_separates() -> None:
    # The first two differ by luck; both beat the third everywhere, and it the fourth.
    table: dict[str, list[Cell]] = {
        "a/one": [9.0, 8.0, 9.0, 8.0, 9.0, 8.0, 9.5, 8.0],
        "b/two": [8.0, 9.0, 8.0, 9.0, 8.0, 9.0, 8.0, 9.0],
        "c/three": [5.0, 5.1, 5.2, 5.0, 5.1, 5.2, 5.0, 5.1],
        "d/four": [1.0] * 8,
    }
    board = table_board(table)
    certain = certain_of(board)
    assert spans(board) == {"one": (1, 2, 1), "two": (1, 2, 1), "three": (3, 3, 2),
                            "four": (4, 4, 3)}  # fmt: skip
    assert certain.groups.tolist()[:3] == [1, 1, 2]
    assert not certain.better[0, 1]
    assert certain.better[1, 2]
    assert not certain.better[2, 1]
    assert certain.wins[0, 3] == 1
    assert certain.behind[3] == pytest.approx(board.rows[0].overall["a"] - 1)


def test_five_tasks_separate_nothing() -> None:
    table = {"a/a": [2.0] * 5, "b/b": [1.0] * 5}
    certain = certain_of(table_board(table))
    assert certain.wins.tolist() == [[0.5, 1], [0, 0.5]]
    assert not certain.can_separate
    assert not certain.better.any()
    assert certain.groups.tolist() == [1, 1]
    assert (certain.low.tolist(), certain.high.tolist()) == ([1, 1], [2, 2])
    more = certain_of(table_board({name: [*own, own[0]] for name, own in table.items()}))
    assert more.better[0, 1]
    assert more.groups.tolist() == [1, 2]


def test_repeats_make_one_value_of_each_task() -> None:
    wide: list[Cell] = [[0.0, 10.0]] * 8
    table: dict[str, list[Cell]] = {"a/a": wide, "b/b": [[4.9, 4.9]] * 8, "c/c": [[1.0, 1.0]] * 8}
    certain = certain_of(table_board(table, extra=REPEATS % 2))
    assert (certain.tasks, certain.repeats, certain.units) == (8, 2, 8)
    assert certain.behind.tolist() == pytest.approx([0, 0.1, 4])
    assert certain.p[1] == 2 / 2**8


def test_repeats_of_one_task_alone() -> None:
    table: dict[str, list[Cell]] = {
        "a/a": [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]],
        "b/b": [[0.9, 1.9, 2.9, 3.9, 4.9, 5.9]],
    }
    certain = certain_of(table_board(table, extra=REPEATS % 6))
    assert (certain.tasks, certain.repeats, certain.units) == (1, 6, 6)
    assert certain.p[1] == 2 / 2**6  # repeats are compared pair by pair
    assert certain.better[0, 1]


def test_repeats_that_differ_are_not_drawn() -> None:
    scores = random_table(3, 3, 4, repeats=3)
    board = table_board(scores, extra=REPEATS % 3)
    assert certain_of(board).repeats == 3
    table = board.full_table
    place = table.submission_places[table.lines["submission"]]
    kept = (place != board.rows[1].place) | (table.lines["repeat"] < 2)
    lines = {name: column[kept] for name, column in table.lines.items()}
    short = replace(board, full_table=replace(table, lines=lines))
    assert certain_of(short).repeats == 1


def test_failures_have_the_rank_that_the_board_gives() -> None:
    table: dict[str, list[Cell]] = {
        "a/a": [3.0] * 6, "b/b": [2.0, 2.0, 2.0, None, None, None], "c/c": [1.0] * 6,
    }  # fmt: skip
    board = table_board(table, extra=MEAN_RANK % 1)
    assert [row.overall["mean_rank"] for row in board.rows] == [1, 2.5, 2.5]
    certain = certain_of(board)
    assert certain.behind.tolist() == [0, 1.5, 1.5]


@pytest.mark.parametrize("columns", ["      - {title: A, key: a, index: 0}\n", LOWER])
def test_win_rates(columns: str) -> None:
    sign = -1.0 if columns == LOWER else 1.0
    table: dict[str, list[Cell]] = {
        "a/a": [3.0 * sign] * 7, "a/weak": [0.0] * 7, "b/b": [*[2.0 * sign] * 6, 4.0 * sign],
        "c/c": [1.0 * sign] * 6 + [None],
    }  # fmt: skip
    board = table_board(table, columns=columns, extra=WIN_RATE)
    made = measure(board)
    assert isinstance(made, Measured)
    own = made.by_cells(np.ones((1, 7)))[0]
    assert own == pytest.approx([row.overall["win_rate"] for row in made.rows])
    assert np.nanmean(made.by_units(), axis=0) == pytest.approx(own)
    certain = certain_of(board)
    assert certain.groups[0] == 1
    assert (certain.wins + certain.wins.T == 1).all()


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
    certain = certain_of(replace(board, benchmark=ordered, rows=tuple(ranked)))
    assert (certain.low <= certain.high).all()
    assert certain.repeats == repeats
    assert certain.wins[0, 1:].mean() >= 0.5


def test_rows_of_equal_values_tie() -> None:
    same: list[Cell] = [0.1, 0.2, 0.7, 0.3, 0.35, 0.15, 0.9]
    table = {f"p{n}/r{n}": list(same) for n in range(9)}
    table["q/other"] = list(reversed(same))
    certain = certain_of(table_board(table))
    assert (certain.wins[:9, :9] == 0.5).all()
    assert {row.rank for row in certain.rows} == {1}
    assert not certain.better.any()
    assert certain.low.tolist() == [1] * 10


def test_extreme_values() -> None:
    table: dict[str, list[Cell]] = {"a/a": [1e307] * 6, "b/b": [-1e307] * 6, "c/c": [5e-324] * 6}
    certain = certain_of(table_board(table))
    assert [row.submission.name for row in certain.rows] == ["a", "c", "b"]
    assert certain.low.tolist() == certain.high.tolist() == [1, 2, 3]


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
    certain = intervals(board)
    assert isinstance(certain, str)
    assert says in certain
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
    def compute(board: PublicBoard) -> int:
        asked.append(id(board))
        return len(asked)

    board = table_board(random_table(1, 3, 3))
    assert (compute(board), compute(board)) == (1, 1)
    assert compute(replace(board)) == 2
    del board
    gc.collect()
    assert compute(table_board(random_table(1, 3, 3))) == 3


@pytest.mark.parametrize("aggregate", ["mean", "mean_rank"])
def test_tasks_weigh_as_on_the_board(aggregate: str) -> None:
    """One task outweighs the six others: its winner is first, and by luck alone."""
    heavy = table_board(
        {"ann/one": [1.0] + [0.0] * 6, "ben/rest": [0.0] + [1.0] * 6},
        extra=f"pullbench: {{aggregate: {aggregate}, tasks: {{0: {{weight: 1000}}}}}}\n",
    )
    assert [row.submission.name for row in heavy.rows] == ["one", "rest"]
    certain = certain_of(heavy)
    own = [row.overall["mean_rank" if aggregate == "mean_rank" else "a"] for row in certain.rows]
    assert certain.behind[1] == pytest.approx(abs(own[0] - own[1]))
    assert certain.p[1] == 1
    assert not certain.better.any()


def test_1_1_last_bits_change_no_verdict() -> None:
    source = random.Random(4)  # noqa: S311
    table = random_table(2, 6, 8)
    table["q/twin"] = list(table["p3/r3"])
    expected = certain_of(table_board(table))
    for _ in range(20):
        moved: dict[str, list[Cell]] = {
            name: [value * (1 + source.uniform(-1e-15, 1e-15)) for value in cells]  # type: ignore[operator]
            for name, cells in table.items()
        }
        certain = certain_of(table_board(moved))
        assert {row.submission.id: row.rank for row in certain.rows} == {
            row.submission.id: row.rank for row in expected.rows
        }
        assert certain.low.tolist() == expected.low.tolist()
        assert certain.high.tolist() == expected.high.tolist()
        assert certain.wins.tolist() == expected.wins.tolist()


@pytest.mark.slow
def test_large_boards_compare_their_first_rows_with_all() -> None:
    source = np.random.RandomState(3)
    values = source.normal(source.normal(size=1000), 1.0, size=(20, 1000))
    values = values[:, np.argsort(-values.mean(axis=0))]
    pairs = compare_pairs(values)
    better = is_better(pairs, np.arange(1, 1001))
    low, high = certain_intervals(better, np.arange(1, 1001))
    assert better.shape == (MAX_COMPARED, 1000)
    assert low[0] == 1
    assert 1 < high[0] < 1000
    assert (low[:MAX_COMPARED] <= high[:MAX_COMPARED]).all()
    assert not low[MAX_COMPARED:].any()
