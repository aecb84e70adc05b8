"""Names, scores, sizes, times and limits as pages and feeds write them, and the best values."""

import math

import numpy as np

from evaluator.core.formats.columns import Column
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.plain_text import one_line
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.core.leaderboard.table import Floats

_LONG = 1e15


def size(count: float | None) -> str:
    if count is None:
        return "not measured"
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"


def seconds(value: float | None) -> str:
    if value is None:
        return "not measured"
    if value >= _LONG:
        return f"{value:.3e} s"
    return f"{value:.2f} s" if value < 100 else f"{value:,.0f} s"


def time_limit(phase: Phase) -> str:
    """Say how long a step may take, and what budget its tasks have beside that."""
    limit = f"{phase.execution_time_limit} s" if phase.execution_time_limit else "none"
    budget = phase.budget
    if budget is None:
        return limit
    texts = dict.fromkeys(budget.text(task.index) for task in phase.tasks)
    return f"{limit}; to predict, {' or '.join(texts)}"


def percent(share: float) -> str:
    """Write a share so that only all is "100%", and only none is "0%"."""
    if math.isnan(share):
        return ""
    if 0 < share < 0.005:
        return "under 1%"
    if 0.995 <= share < 1:
        return "over 99%"
    return f"{share:.0%}"


def moment(text: str) -> str:
    """An ISO time without seconds; empty where there is none."""
    return text.replace("T", " ")[:16] + " UTC" if text else ""


def best_method(row: Row, column: Column) -> float | None:
    """Best value of a column among the tasks of one row: what a transposed board is read for."""
    values = [
        result.values[column.key]
        for result in row.tasks.values()
        if result.state == "finished" and column.key in result.values
    ]
    if not values:
        return None
    return min(values) if column.sorting == "asc" else max(values)


@once_per_board
def bests(board: PublicBoard) -> dict[tuple[str | None, str], float]:
    """Best values of rows that count, by task slug, or None for all, and column."""
    counts = np.array([row.counts for row in board.rows], dtype=np.bool_)
    listed = len(board.rows)
    task_columns = {column.key for column in board.task_columns}
    best_values: dict[tuple[str | None, str], float] = {}
    for column in board.columns:
        best = np.min if column.sorting == "asc" else np.max
        places: list[tuple[str | None, Floats]] = [(None, board.overall[column.key])]
        by_task = board.table.finished(column.key) if column.key in task_columns else ()
        places += ((task.slug, own) for task, own in zip(board.tasks, by_task, strict=False))
        for place, values in places:
            counting = values[:listed][counts]
            counting = counting[~np.isnan(counting)]
            if counting.size:
                best_values[place, column.key] = float(best(counting))
    return best_values


def noun(board: PublicBoard, count: int) -> str:
    word = board.benchmark.row_noun
    return word if count == 1 else f"{word}s"


def named(row: Row, length: int = 60) -> str:
    submission = row.submission
    return f"{one_line(submission.title, length)} ({submission.participant})"


def entered(board: PublicBoard) -> str:
    rows, tasks = len(board.rows) + len(board.unlisted), len(board.tasks)
    task = board.benchmark.task_noun
    return f"{rows:,} {noun(board, rows)} on {tasks} {task}{'' if tasks == 1 else 's'}"
