"""Who is significantly better, rank intervals and groups: by brute force, and known cases."""

import gc
import itertools
import math
import random
from dataclasses import replace

import numpy as np
import pytest

from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.core.ranking.comparison import compare_all
from evaluator.plugins.insight.statistics.intervals import (
    Intervals,
    _wins,
    certain_intervals,
    intervals,
    is_better,
    rank_spans,
)
from evaluator.plugins.insight.statistics.measured import Measured, measure
from evaluator.site.content.insight import Missing
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
    return {name.rpartition("/")[2]: span[:3] for name, span in rank_spans(board).items()}


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
    assert (certain.about, certain.tasks, certain.units) == ("tasks", 8, 8)
    (runs,) = certain.beside
    assert (runs.about, runs.units, runs.noun) == ("runs", 16, "repeats")
    assert runs.behind.tolist() == pytest.approx(certain.behind.tolist())
    assert certain.behind.tolist() == pytest.approx([0, 0.1, 4])
    assert certain.p[1] == 2 / 2**8


def test_repeats_of_one_task_alone() -> None:
    table: dict[str, list[Cell]] = {
        "a/a": [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]],
        "b/b": [[0.9, 1.9, 2.9, 3.9, 4.9, 5.9]],
    }
    certain = certain_of(table_board(table, extra=REPEATS % 6))
    assert (certain.about, certain.tasks, certain.units) == ("runs", 1, 6)
    assert certain.p[1] == 2 / 2**6  # repeats are compared pair by pair
    assert certain.better[0, 1]


def test_repeats_that_differ_are_not_drawn() -> None:
    scores = random_table(3, 3, 4, repeats=3)
    board = table_board(scores, extra=REPEATS % 3)
    assert certain_of(board).units == 12
    table = board.full_table
    place = table.submission_places[table.lines["submission"]]
    kept = (place != board.rows[1].place) | (table.lines["repeat"] < 2)
    lines = {name: column[kept] for name, column in table.lines.items()}
    short = replace(board, full_table=replace(table, lines=lines))
    assert certain_of(short).about == "tasks"


def test_failures_have_the_rank_that_the_board_gives() -> None:
    table: dict[str, list[Cell]] = {
        "a/a": [3.0] * 6, "b/b": [2.0, 2.0, 2.0, None, None, None], "c/c": [1.0] * 6,
    }  # fmt: skip
    board = table_board(table, extra=MEAN_RANK % 1)
    assert [row.overall["mean_rank"] for row in board.rows] == [1, 2.5, 2.5]
    certain = certain_of(board)
    assert certain.behind.tolist() == pytest.approx([0, 1.5, 1.5])


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
    assert np.nanmean(made.on_tasks_alone(), axis=0) == pytest.approx(own)
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
    assert len(certain.beside) == (repeats > 1)
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
    assert isinstance(certain, Missing)
    assert says in certain.reason
    assert rank_spans(board) == {}


def test_what_is_hidden_stays_hidden() -> None:
    board = hide_primary(table_board({"a/a": [1.0] * 6, "b/b": [2.0] * 6}))
    assert intervals(board) == Missing("The column by which this board ranks is not public.")
    entries = Entries(make_benchmark(tasks="0, 1"))
    board = entries.enter("a", "a", {"a": 1.0}, {"a": 1.0}).board()
    rules = replace(board.benchmark.leaderboard, hidden=True)
    sealed = replace(board, benchmark=replace(board.benchmark, leaderboard=rules))
    assert intervals(sealed) == Missing("The results of this board are not public.")


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


def test_last_bits_change_no_verdict() -> None:
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


def test_all_rows_of_a_large_board_are_compared() -> None:
    source = np.random.RandomState(3)
    values = source.normal(source.normal(size=120), 1.0, size=(20, 120))
    values = values[:, np.argsort(-values.mean(axis=0))]
    better = is_better(compare_all(values, np.ones(20)), np.arange(1, 121))
    low, high = certain_intervals(better, np.arange(1, 121))
    assert better.shape == (120, 120)
    assert better[60].any() and better[:, 60].any()
    assert 1 == low[0] < high[0] < low[-1] < high[-1] == 120


def test_what_a_verdict_is_about_depends_on_counts_alone() -> None:
    """And no answer is taken away by data for another question."""
    sure: list[Cell] = [[3.0, 3.1]] * 5
    table: dict[str, list[Cell]] = {"a/a": sure, "b/b": [[1.0, 1.1]] * 5, "c/c": [[0.0, 0.1]] * 5}
    few = certain_of(table_board(table, extra=REPEATS % 2))
    assert (few.about, few.units, few.beside) == ("runs", 10, ())
    assert few.better[0, 1:].all()
    table = {name: [*own, [9.0, 9.1] if name == "c/c" else own[0]] for name, own in table.items()}
    more = certain_of(table_board(table, extra=REPEATS % 2))
    assert (more.about, more.units) == ("tasks", 6)
    assert not more.better.any()
    (runs,) = more.beside
    assert (runs.about, runs.units) == ("runs", 12)


def test_one_task_in_eight_repeats_tells_no_more_than_five_such_tasks() -> None:
    for tasks in (1, 2, 5):
        table: dict[str, list[Cell]] = {
            "a/a": [[2.0] * 8] * tasks, "b/b": [[1.0] * 8] * tasks,
        }  # fmt: skip
        assert certain_of(table_board(table, extra=REPEATS % 8)).better[0, 1]


def test_tasks_of_one_family_count_as_one() -> None:
    table = {"a/a": [2.0] * 8, "b/b": [1.0] * 8}
    pairs = ", ".join(f"{task}: {{group: g{task // 2}}}" for task in range(8))
    extra = f"pullbench: {{tasks: {{{pairs}}}}}\n"
    assert certain_of(table_board(table)).better[0, 1]
    certain = certain_of(table_board(table, extra=extra))
    assert (certain.units, certain.noun, certain.tasks) == (4, "families", 8)
    assert not certain.can_separate


def test_times_are_compared_by_ratio() -> None:
    """One is ten percent slower on each task; tasks differ by a factor of ten thousand."""
    columns = "      - {title: A, key: a, index: 0, sorting: asc, precision: 2}\n"
    source = np.random.default_rng(1)
    fast = [10.0 ** (task / 2) for task in range(8)]
    slow = [time * 1.1 * source.uniform(0.99, 1.01) for time in fast]
    table: dict[str, list[Cell]] = {"a/fast": [*fast], "b/slow": [*slow], "c/last": [*slow]}
    raw = certain_of(table_board(table, columns=columns))
    extra = "pullbench: {columns: {a: {ratio: true}}}\n"
    certain = certain_of(table_board(table, columns=columns, extra=extra))
    assert certain.better[0, 1] and certain.is_by_ratio
    low, high = (math.exp(end[1]) for end in certain.limits)
    assert 1.08 < low < 1.1 < high < 1.12
    assert raw.limits[1][1] - raw.limits[0][1] > 100


def test_more_rows_than_can_be_compared_are_not() -> None:
    board = table_board({f"p/r{n}": [float(n)] * 2 for n in range(3001)})
    assert intervals(board) == Missing("More than 3,000 rows are not compared with each other.")


def test_wins_are_shares_of_all_units() -> None:
    source = np.random.default_rng(4)
    values = (source.random((5000, 2)) < (0.75, 0.5)).astype(np.float64)
    won, lost = ((values[:, 0] - values[:, 1]) == sign for sign in (1, -1))
    share = _wins(values)[0, 1]
    assert share == pytest.approx((won.sum() + (5000 - won.sum() - lost.sum()) / 2) / 5000)


def test_what_a_tolerance_ties_is_not_apart() -> None:
    table = {"a/a": [2.0, 2.1] * 4, "b/b": [1.9, 2.0] * 4, "c/c": [1.0, 1.1] * 4}
    assert certain_of(table_board(table)).better[0, 1:].all()
    extra = "pullbench: {tolerance: {a: {absolute: 0.2, why: Seeds differ.}}}\n"
    assert certain_of(table_board(table, extra=extra)).better[0].tolist() == [False, False, True]
    extra = "pullbench: {tolerance: {a: {absolute: 1.2, why: Seeds differ.}}}\n"
    assert not certain_of(table_board(table, extra=extra)).better.any()
