"""Columns of numbers on a board, and how its values are drawn: bars, intervals and shades.

``assets/model.js`` and ``assets/heat.js`` say the same; a test holds the two equal.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np

from evaluator.core.formats.columns import Column
from evaluator.core.formats.fact_sheet import Question, answer_text
from evaluator.core.formats.phases import Task
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.facts import FactColumn, fact, fact_columns
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.core.leaderboard.table import FINISHED, Floats
from evaluator.site.boards.comparison import shown_number
from evaluator.site.content.insight import insight

_MOST = 1e300
"""Numbers further apart have no shades and no bars, since these would overflow."""
_SHADES = 7


def value_range(values: Floats) -> tuple[float, float]:
    """The worst and the best, the less the worse; outliers do not make all others equal."""
    values = np.sort(values[~np.isnan(values)])
    if not values.size:
        return 0.0, 0.0
    best, first = values[-1], values[math.floor((len(values) - 1) / 4 + 0.5)]
    with np.errstate(over="ignore"):
        fence = 1.5 * (best - first)
        worst = max(values[0], first - fence) if fence else values[0]
        return (float(worst), float(best)) if best - worst < _MOST else (0.0, 0.0)


class Bar(NamedTuple):
    """Lengths in percent of the longest bar."""

    length: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, kw_only=True)
class BoardColumn:
    """The values of one column, over all tasks or on one."""

    column: Column
    task: Task | None
    """None for values over all tasks."""
    values: Floats
    """By listed row; NaN for none."""
    is_main: bool
    """Whether it ranks the board."""
    is_shown: bool
    """Whether readers see it without asking."""
    is_shaded: bool

    @cached_property
    def _range(self) -> tuple[float, float]:
        return value_range(self._good(self.values))

    def _good(self, values: Floats) -> Floats:
        return -values if self.column.sorting == "asc" else values

    @cached_property
    def _shades(self) -> Floats:
        low, high = self._range
        if not self.is_shaded or not high > low:
            return np.full(len(self.values), np.nan)
        return np.floor(_share(self._good(self.values), low, high) * (_SHADES - 1) + 0.5)

    def shade(self, place: int) -> str:
        shade = self._shades[place]
        return "" if math.isnan(shade) else f"heat-{shade:.0f}"

    def _scale(self, has_margins: bool) -> tuple[float, float]:
        low, high = self._range
        below, above = (0.4, 0.4) if has_margins else (0.15, 0)
        return low - below * (high - low), high + above * (high - low)

    def start(self, has_margins: bool) -> float | None:
        """The value at which bars begin, and worse ones are cut; None if all are equal."""
        low, high = self._scale(has_margins)
        sign = -1 if self.column.sorting == "asc" else 1
        return sign * low if high > low else None

    def bar(self, place: int, margin: tuple[float, float] | None, has_margins: bool) -> Bar:
        low, high = self._scale(has_margins)
        value = self._good(self.values[place])
        if not high > low:
            return Bar(100, None)
        ends = (value - margin[0], value + margin[1]) if margin else ()
        length, *interval = (100 * float(_share(one, low, high)) for one in (value, *ends))
        return Bar(max(1.5, length), (interval[0], interval[1]) if interval else None)


def _share(value: Floats, low: float, high: float) -> Floats:
    return np.clip((value - low) / (high - low), 0, 1)


@once_per_board
def board_columns(board: PublicBoard) -> tuple[BoardColumn, ...]:
    """The columns in which there is anything to see, in the order of the page."""
    single = len(board.tasks) == 1  # where the column that ranks is among those of the task
    columns = _columns(board) if board.columns else ()
    return tuple(sorted(columns, key=lambda one: single and one.column.derived is not None))


def _columns(board: PublicBoard) -> Iterator[BoardColumn]:
    rules, several = board.benchmark.leaderboard, len(board.tasks) > 1
    rows, listed = (*board.rows, *board.unlisted), len(board.rows)
    main = rules.primary if rules.primary in board.columns else board.columns[0]
    on_tasks = [*board.task_columns]
    first = rules.ranked_by or rules.primary
    shown = first if first in on_tasks else next(iter(on_tasks), None)
    all_finished = all(row.state == "finished" for row in rows)
    whole = (column for column in board.columns if several or column.over_tasks)
    for column in sorted(whole, key=lambda one: one != main):
        values = board.overall[column.key]
        if not (rows and all_finished and np.isnan(values).all()):
            yield BoardColumn(
                column=column, task=None, values=values[:listed], is_main=column == main,
                is_shown=column == main or column.derived is not None, is_shaded=False,
            )  # fmt: skip
    finished = {column.key: board.table.finished(column.key) for column in on_tasks}
    for index, task in enumerate(board.tasks):
        all_finished = bool((board.table.states[index] == FINISHED).all())
        for column in sorted(on_tasks, key=lambda one: one != (shown if several else main)):
            values = finished[column.key][index]
            if not (rows and all_finished and np.isnan(values).all()):
                yield BoardColumn(
                    column=column, task=task, values=values[:listed],
                    is_main=not several and column == main,
                    is_shown=not several or column == shown,
                    is_shaded=several and not board.benchmark.ranks_datasets,
                )  # fmt: skip


def shown_columns(board: PublicBoard) -> list[BoardColumn]:
    return [one for one in board_columns(board) if one.is_shown]


def bands(board: PublicBoard, columns: list[BoardColumn]) -> list[tuple[str, int]]:
    """What neighbouring columns of a single task stand under, and how many do."""
    if len(board.tasks) > 1 or not any(one.column.group for one in columns):
        return []
    others = ["" for _ in (*shown_questions(board), *shown_facts(board))]
    names = ["", "", *(one.column.group for one in columns), *others]
    return [(name, len(list(group))) for name, group in groupby(names)]


def shown_questions(board: PublicBoard) -> list[Question]:
    sheets = [row.submission.fact_sheet for row in (*board.rows, *board.unlisted)]
    return [
        question for question in board.benchmark.board_questions
        if not sheets or any(answer_text(sheet.get(question.key)) for sheet in sheets)
    ]  # fmt: skip


def shown_facts(board: PublicBoard) -> list[FactColumn]:
    rows: tuple[Row, ...] = (*board.rows, *board.unlisted)
    return [
        column for column in fact_columns(board)
        if not rows or any(fact(row, column, board) not in (None, "") for row in rows)
    ]  # fmt: skip


def main_column(board: PublicBoard) -> BoardColumn | None:
    return next((one for one in board_columns(board) if one.is_main), None)


def bars_begin(board: PublicBoard, words: str) -> str:
    """Say after some words where bars begin; empty where they are all as long."""
    main = main_column(board)
    start = main.start(has_margins(board)) if main else None
    return words + shown_number(start, main.column.precision) if main and start is not None else ""


@once_per_board
def has_margins(board: PublicBoard) -> bool:
    return any(span[3] is not None for span in insight().rank_spans(board).values())
