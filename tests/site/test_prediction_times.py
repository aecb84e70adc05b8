"""One prediction time: the same number wherever a page, a file or a figure states it."""

import re

import numpy as np
import pytest

from evaluator.core.formats.record import Step
from evaluator.core.leaderboard.facts import fact, fact_columns
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.plugins.insight.plots.entries import gather
from evaluator.plugins.insight.plots.figure import Figure
from evaluator.plugins.insight.plots.trade_off import against_time
from evaluator.plugins.insight.statistics import sentences, study
from evaluator.site.boards.usage import prediction_times, resource_columns
from evaluator.site.boards.view_numbers import number_files
from evaluator.site.content.insight import NO_PRICES, Missing
from evaluator.site.pages.task_lines import score_lines
from tests.core.leaderboard.boards import Entries, make_benchmark

TOOK = {"one": [1.0, 3.0], "two": [2.0, 20.0, 5.0]}
"""By task and repeat: means of 2 and 9, so 5.5; median 3, sum 31, mean of runs 6.2."""
TIME = 5.5


@pytest.fixture
def board() -> PublicBoard:
    budget = "phases: {0: {budget: {seconds: 99}}}"
    extra = f"pullbench: {{tasks: {{0: {{repeats: 2}}, 1: {{repeats: 3}}}}, {budget}}}\n"
    entries = Entries(make_benchmark(tasks="0, 1", extra=extra))
    for name, value in (("x", 0.5), ("y", 0.25), ("z", 0.125)):
        entries.enter(name, name, [{"a": value}] * 2, [{"a": value}] * 3)
    for cell, record in entries.records.items():
        took = TOOK[cell.task][cell.repeat or 0] * (1 if cell.submission == "x" else 2)
        steps = [Step(step="ingestion", wall_seconds=took, exit_code=0), *record.steps]
        entries.records[cell] = record.replace(steps=steps)
    return entries.board()


def test_every_page_and_file_states_the_mean_of_tasks(board: PublicBoard) -> None:
    row = board.rows[0]
    (column,) = fact_columns(board)
    assert column.title == "Prediction time, mean of tasks (s)"
    assert fact(row, column, board) == TIME
    time = next(one for one in resource_columns(board, NO_PRICES) if one.key == "time")
    assert (time.title, time.values[0]) == (column.title, TIME)
    assert prediction_times(row, board) == {"one": 2.0, "two": 9.0}
    times = prediction_times(row, board)
    lines = str(score_lines(row, board, board.columns, None, times, [], folds=False))
    assert re.findall(r"<td>([0-9.]+) s</td>", lines) == ["5.50", "2.00", "9.00"]
    blocks = {name["file"]: name["columns"] for name, _ in number_files(board, [time])}
    assert [one["task"] for one in blocks["usage.bin"] if one["of"] == "seconds"] == [0, 1]


def test_the_plot_against_time_has_the_same_number(board: PublicBoard) -> None:
    shown = gather(board)
    assert shown is not None
    figure = against_time(shown)
    assert isinstance(figure, Figure)
    assert [line.values[0] for line in figure.lines] == [TIME, 2 * TIME, 2 * TIME]
    assert "prediction time, mean of tasks (s)" in figure.drawings[0].svg("n").encode().decode()


def test_a_task_without_a_time_leaves_no_mean(board: PublicBoard) -> None:
    column = next(one for one in resource_columns(board, NO_PRICES) if one.key == "time")
    assert not np.isnan(column.values).any()
    entries = Entries(make_benchmark(tasks="0, 1")).enter("x", "x", {"a": 1})
    for cell, record in entries.records.items():
        steps = [Step(step="ingestion", wall_seconds=4, exit_code=0)]
        entries.records[cell] = record.replace(steps=steps)
    half = entries.board()
    assert prediction_times(half.rows[0], half) == {"one": 4.0}
    assert not [one for one in resource_columns(half, NO_PRICES) if one.key == "time"]


def test_only_the_plot_says_who_is_fast_and_good(board: PublicBoard) -> None:
    found = study.make_study(board)
    assert not isinstance(found, Missing)
    said = " ".join([*sentences.basis(found), *sentences.findings(found)])
    assert "faster" not in said
    assert "not for other tasks" not in said
