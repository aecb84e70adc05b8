"""What figures say: record line, Pareto front, difficulty, ranks, prices."""

import csv
import io
import json
import random

import pytest

from evaluator.core.formats.record import Step
from evaluator.plugins.insight.insight import FIGURES, make_plots
from evaluator.plugins.insight.plots.difficulty import difficulty, hardness
from evaluator.plugins.insight.plots.distribution import distribution
from evaluator.plugins.insight.plots.entries import gather
from evaluator.plugins.insight.plots.figure import Figure
from evaluator.plugins.insight.plots.over_time import dated, over_time, records
from evaluator.plugins.insight.plots.ranks import rank_table, ranks
from evaluator.plugins.insight.plots.trade_off import against_cost, against_time
from evaluator.plugins.insight.statistics.boxes import pareto_front
from evaluator.site.content.insight import Prices
from tests.core.leaderboard.boards import FAILED, ONE_COLUMN, Entries, hide_primary, make_benchmark
from tests.plugins.insight.plots.made import ASC, board, entry


def drawn(figure: Figure | str) -> Figure:
    assert isinstance(figure, Figure), figure
    return figure


def table(figure: Figure) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(figure.csv().decode())))


@pytest.mark.parametrize(("columns", "sign"), [(ONE_COLUMN, 1), (ASC, -1)])
def test_records_are_the_running_best(columns: str, sign: int) -> None:
    chance = random.Random(7)  # noqa: S311
    days = [chance.randrange(30) for _ in range(60)]
    entries = [
        entry(f"e{i}", sign * round(0.5 * chance.random() + day / 60, 2), day=day)
        for i, day in enumerate(days)
    ]
    found = records(dated(board(*entries, columns=columns)), lower_is_better=sign < 0)
    expected = []
    for day in sorted({one.submitted for one in entries}):
        before = [sign * (e.score or 0) for e in entries if e.submitted < day]
        best = max(sign * (e.score or 0) for e in entries if e.submitted == day)
        if not before or best > max(before):
            expected.append((day, sign * best))
    assert [(one.row.submitted, one.score) for one in found] == expected
    assert len(expected) > 2


def test_baselines_reports_and_ties_hold_no_record() -> None:
    made = board(
        entry("base", 0.99, group="baseline", day=0),
        entry("paper", 0.98, group="reported", day=0),
        entry("first", 0.5, day=1), entry("same", 0.5, day=2), entry("unscored", None, day=3),
        entry("better", 0.6, day=4), entry("old", 0.7, group="reported", day=None),
    )  # fmt: skip
    found = records(dated(made), lower_is_better=False)
    assert [one.row.submission.name for one in found] == ["first", "better"]
    figure = drawn(over_time(made))
    lines = {row["submission"]: row for row in table(figure)}
    assert [name for name, row in lines.items() if row["record"] == "True"] == ["first", "better"]
    assert lines["old"]["submitted"] == ""
    assert lines["base"]["kind"] == "baseline"
    assert "unscored" not in lines
    kinds = {made.rows[mark.entry].submission.name: mark.kind for mark in figure.marks}
    assert kinds == {
        "base": "baseline", "paper": "reported", "first": "best", "same": "other",
        "better": "best", "old": "reported",
    }  # fmt: skip
    assert "1 submission has no score" in " ".join(figure.caption)
    # Named: who set a record, and the baseline; all, where they are few.
    assert "First" in figure.svg
    assert "Better" in figure.svg


@pytest.mark.parametrize("lower", [True, False])
def test_the_front_is_what_brute_force_finds(lower: bool) -> None:
    chance = random.Random(3)  # noqa: S311
    sign = 1 if lower else -1
    for size in (1, 2, 40, 300):
        points = [(chance.randrange(25), chance.randrange(25)) for _ in range(size)]
        expected = {
            i for i, (x, y) in enumerate(points)
            if not any(
                a <= x and sign * b <= sign * y and (a < x or b != y) for a, b in points
            )
        }  # fmt: skip
        assert pareto_front(points, lower_is_better=lower) == expected


def test_the_figure_shows_the_front_and_says_what_it_leaves_out() -> None:
    made = board(
        entry("slow", 0.9, seconds=400.0), entry("fast", 0.7, seconds=1.0),
        entry("worse", 0.6, seconds=20.0), entry("unmeasured", 0.95),
    )  # fmt: skip
    figure = drawn(against_time(made))
    marked = {made.rows[m.entry].submission.name: m.kind for m in figure.marks}
    assert marked == {"slow": "best", "fast": "best", "worse": "other"}
    said = " ".join(figure.caption)
    assert "2 on the Pareto front" in said
    assert "logarithmic" in said
    assert "1 submission without a score or a measured time is not drawn" in said
    assert [row["submission"] for row in table(figure)] == ["fast", "slow", "worse"]
    assert json.loads(figure.json())["columns"][-1] == "on_front"


def test_tasks_are_ordered_by_how_near_the_middle_comes_to_the_best() -> None:
    made = board(
        entry("base", group="baseline", tasks={"t0": 0.5, "t1": 0.5, "t2": 0.5}),
        entry("a", tasks={"t0": 0.9, "t1": 0.9, "t2": 0.5}),
        entry("b", tasks={"t0": 0.6, "t1": 0.85, "t2": 0.4}),
        entry("c", tasks={"t0": 0.55, "t1": 0.8, "t2": 0.3}),
        tasks=3, baseline="ada/base",
    )  # fmt: skip
    found = {one.name: one for one in hardness(made)}
    assert found["Task 0"].spread.median == pytest.approx(0.25)
    assert found["Task 1"].spread.median == pytest.approx(0.875)
    # Nothing betters the baseline on t2, so 0 is the worst there.
    assert (found["Task 2"].is_baseline, found["Task 2"].zero) == (False, 0.3)
    assert found["Task 2"].spread.median == pytest.approx(0.5)
    figure = drawn(difficulty(made))
    assert [line.head for line in figure.lines] == ["Task 0", "Task 2", "Task 1"]


def test_failures_are_counted_and_each_result_is_a_point() -> None:
    entries = Entries(make_benchmark(tasks="0, 1"))
    for name, values in {"a": (0.5, 0.1), "b": (0.6, 0.2), "c": (0.7, 0.3)}.items():
        entries.enter("ada", name, *({"a": value} for value in values))
    entries.enter("bob", "bad", FAILED, {"a": 0.4})
    made = gather(entries.board())
    assert made is not None
    figure = drawn(distribution(made))
    assert len(figure.marks) == 7
    assert "1 result failed" in " ".join(figure.caption)
    assert "1 failed" in figure.svg
    lines = {row["submission"]: row for row in table(figure)}
    assert lines["bad"] == {
        "participant": "bob", "submission": "bad", "title": "Bad", "one": "", "two": "0.4",
    }  # fmt: skip


def test_ranks_are_among_all_of_the_board() -> None:
    made = board(
        *(entry(f"e{i}", tasks={"t0": float(i // 2), "t1": float(-i)}) for i in range(60)), tasks=2
    )
    found = rank_table(made)
    assert found[59] == [1.0, 60.0]
    assert found[58] == [1.0, 59.0]
    assert found[57][0] == 3.0
    figure = drawn(ranks(made))
    assert len(figure.marks) == 80
    assert len(figure.lines) == 60
    assert "The first 40 of the board are drawn." in figure.caption


def test_cost_is_time_by_the_price_of_the_machines() -> None:
    entries = Entries(make_benchmark())
    for seconds, name in ((1800.0, "slow"), (36.0, "fast")):
        entries.enter("ada", name, {"a": seconds})
        cell, record = list(entries.records.items())[-1]
        step = Step(step="ingestion", wall_seconds=seconds, peak_memory=2**20)
        entries.records[cell] = record.replace(steps=[step])
    priced = gather(entries.board(), Prices(currency="EUR", per_hour={"default": 2.0}))
    assert priced is not None
    used = {row.submission.name: priced.usage(row) for row in priced.rows}
    costs = {name: (u.cost, u.seconds, u.memory) for name, u in used.items() if u}
    assert costs == {"slow": (1.0, 1800.0, 2**20), "fast": (0.02, 36.0, 2**20)}
    rows = {row["submission"]: row for row in table(drawn(against_cost(priced)))}
    assert rows["slow"]["cost_eur"] == "1.0"
    other = gather(entries.board(), Prices(currency="EUR", per_hour={"gpu": 2.0}))
    assert other is not None
    assert against_cost(other) == "fewer than two submissions have a score and a measured cost"
    plots = make_plots(entries.board())
    assert plots is not None
    assert "score-against-cost" not in {figure.name for figure in plots.figures}
    assert not any("cost" in why for pair in plots.absent for why in pair)


def test_what_is_hidden_is_not_drawn() -> None:
    entries = Entries(make_benchmark())
    for name, value in (("a", 0.1), ("b", 0.2), ("c", 0.3)):
        entries.enter("ada", name, {"a": value})
    assert make_plots(entries.board()) is not None
    assert make_plots(hide_primary(entries.board())) is None


def test_rows_that_are_data_sets_hold_no_records() -> None:
    made = board(
        *(entry(f"e{i}", 0.1 * i, seconds=1.0 + i, memory=9 + i,
                tasks={"t0": 0.1 * i, "t1": 0.3, "t2": 0.9}) for i in range(4)),
        tasks=3, transposed=True,
    )  # fmt: skip
    names = {f.name for draw in FIGURES.values() if isinstance(f := draw(made), Figure)}
    assert names == {"scores-per-task", "difficulty"}
    # Of 0.3, 0.3 and 0.9 the middle one is the worst.
    assert drawn(difficulty(made)).lines[0].head == "E3"
