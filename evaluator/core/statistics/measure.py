"""A board -> the arrays that its ranks are made of."""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from evaluator.core.formats.columns import Column, Leaderboard
from evaluator.core.formats.phases import Task
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.cells import TaskResult, with_computed
from evaluator.core.leaderboard.per_board import once_per_board
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.rank_columns import rank_column
from evaluator.core.leaderboard.table import FAILED, FINISHED
from evaluator.core.leaderboard.task_ranks import compared_rows
from evaluator.core.ranking.rule import Compared, RankingRule
from evaluator.core.statistics.score_matrix import (
    Combine,
    Counts,
    Flags,
    Measured,
    Numbers,
    first_field,
)

NOT_PUBLIC = "The results of this board are not public."
LOSES = np.finfo(np.float64).max / 2
"""Stands for what is worse than any value; of infinity no mean of repeats can be made."""
_CLOSE, _TINY = 1e-9, 1e-300


@once_per_board
def measure(board: PublicBoard) -> Measured | str:
    """Read a published board, or say why nothing can be resampled."""
    rules = board.benchmark.leaderboard
    if rules.hidden or board.phase.shows == "status":
        return NOT_PUBLIC
    if rules.primary.hidden or _compared_column(rules).hidden:
        return "The column by which this board ranks is not public."
    ranked = board.ranked
    tasks = [
        task
        for task in (board.tasks[:1] if rules.rule.of_first_task else board.tasks)
        if any(task.slug in row.counted for row in ranked)
    ]
    if not ranked or not tasks:
        return "Nothing on this board has a rank yet."
    measured = _Reader(board, ranked, tasks).read()
    if not _is_the_boards(measured, rules):
        return (
            "This board's order is not a mean over its tasks, so nothing can be said about other "
            "tasks."
        )
    return measured


def _compared_column(rules: Leaderboard) -> Column:
    return rules.ranked_by or rules.primary


class _Reader:
    """What is read of one board."""

    def __init__(self, board: PublicBoard, ranked: tuple[Row, ...], tasks: Sequence[Task]) -> None:
        self.board, self.ranked, self.tasks = board, ranked, tasks
        self.rules = board.benchmark.leaderboard
        by_ranks = self.rules.ranked_by is not None or self.rules.primary.ranks is not None
        pool = [row for row in board.rows if row.counts] if by_ranks else list(ranked)
        if by_ranks and self.rules.ranking.among == "all":
            pool += [row for row in board.unlisted if row.counts]
        self.pool = pool
        ranks = self.rules.primary.ranks
        self.keys = list(ranks.fields) if ranks is not None else [_compared_column(self.rules).key]
        self._own = [row.place for row in pool]
        self._finished = [board.table.finished(key)[:, self._own] for key in self.keys]
        self._places = [board.tasks.index(task) for task in tasks]
        self.counted = np.array([[task.slug in row.counted for row in pool] for task in tasks])

    def read(self) -> Measured:
        values, task_of = self._cells()
        rules = self.rules
        combine, on_tasks = self._combine()
        if on_tasks and len(task_of) == len(self.tasks):  # no repeats: what a task says is fixed
            values = combine(values)[None]
            combine = first_field
        index = {row.submission.id: place for place, row in enumerate(self.pool)}
        return Measured(
            rows=self.ranked,
            places=np.array([index[row.submission.id] for row in self.ranked]),
            values=values,
            task_of=task_of,
            counted=self.counted,
            weights=np.array([task.extension.weight for task in self.tasks]),
            combine=combine,
            on_tasks=on_tasks,
            ascending=rules.primary.sorting == "asc",
            decimals=rules.ranking.decimals,
            dense=rules.ranking.ties == "dense",
        )

    def _combine(self) -> tuple[Combine, bool]:
        rules = self.rules
        columns = {column.key: column for column in rules.columns}
        if rules.primary.ranks is not None:
            less_is_better = [columns[key].sorting == "asc" for key in self.keys]
            combine = partial(
                rank_column, computation=rules.primary.ranks, less_is_better=less_is_better
            )
            return combine, rules.primary.ranks.over == "tasks"
        if rules.ranked_by is not None:
            compared = compared_rows(self.pool, rules)
            return partial(_by_rule, rule=rules.rule, compared=compared), True
        return first_field, False

    def _cells(self) -> tuple[Numbers, Counts]:
        """Values by field, cell and row; a cell is a repeat where all rows have as many."""
        counts = [self._repeats(task) for task in self.tasks]
        task_of = np.repeat(np.arange(len(self.tasks)), counts)
        values = np.full((len(self.keys), len(task_of), len(self.pool)), np.nan)
        places = self._places
        cell = 0
        for number, (task, count) in enumerate(zip(self.tasks, counts, strict=True)):
            if count == 1:
                values[:, cell] = [by_task[places[number]] for by_task in self._finished]
            for place, row in enumerate(self.pool if count > 1 else ()):
                one = row.tasks[task.slug]
                if one.state == "finished":
                    values[:, cell : cell + count, place] = np.array(self._single(one)).T
            if self.rules.rule.failures_lose:
                values[:, cell : cell + count, self._failed(places[number])] = self._worst
                values[:, cell : cell + count, ~self.counted[number]] = math.nan
            cell += count
        if not self._combine()[1]:  # the board has no mean where anything is missing
            for place, row in enumerate(self.pool):
                if any(key not in row.overall for key in self.keys):
                    values[:, :, place] = np.nan
        return values, task_of

    def _repeats(self, task: Task) -> int:
        """How often every row has run that has finished the task; 1 where they differ."""
        wanted = self.board.benchmark.repeats_of(task)
        if wanted < 2:
            return 1
        for row in self.pool:
            result = row.tasks[task.slug]
            if result.state == "finished" and len(self._single(result)) != wanted:
                return 1
        return wanted

    @property
    def _worst(self) -> float:
        return LOSES if _compared_column(self.rules).sorting == "asc" else -LOSES

    def _failed(self, place: int) -> Flags:
        """Rows that have run a task and lose to all that finished."""
        states = self.board.table.states[place, self._own]
        without = np.isnan(self._finished[0][place])  # rules compare by one column
        return np.asarray((states == FAILED) | ((states == FINISHED) & without))

    def _single(self, result: TaskResult) -> list[list[float]]:
        """Values of the fields by repeat, of those repeats that have all of them."""
        values = []
        for record in result.records:
            scores = with_computed(record.scores, self.rules.columns)
            if all(key in scores for key in self.keys):
                values.append([scores[key] for key in self.keys])
        return values


def _by_rule(fields: Numbers, *, rule: RankingRule, compared: Compared) -> Numbers:
    """Return what each row gets by the column by which rows are compared."""
    return rule.parts(fields[0], compared)


def _is_the_boards(measured: Measured, rules: Leaderboard) -> bool:
    """Whether all cells together give the values that the board ranks by."""
    measured_values = measured.by_tasks(measured.weights[None].astype(np.float64))[0]
    board = np.array([row.overall.get(rules.primary.key, math.nan) for row in measured.rows])
    decimals = _TINY if measured.decimals is None else 10.0**-measured.decimals
    return bool(np.allclose(measured_values, board, rtol=_CLOSE, atol=decimals, equal_nan=True))
