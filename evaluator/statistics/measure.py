"""A board -> the arrays that its ranks are made of."""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from evaluator.formats.columns import Column, Leaderboard
from evaluator.formats.extension import RankComputation
from evaluator.formats.phases import Task
from evaluator.leaderboard.arrays import STATES, arrays
from evaluator.leaderboard.board import Board, Row
from evaluator.leaderboard.cells import TaskResult, with_computed
from evaluator.leaderboard.per_board import once_per_board
from evaluator.leaderboard.rankdata import rankdata
from evaluator.statistics.score_matrix import (
    Combine,
    Counts,
    Flags,
    Measured,
    Numbers,
    first_field,
    rough,
)
from evaluator.statistics.win_shares import FAILED, Opponents

NOT_PUBLIC = "The results of this board are not public."
_TIES = {"competition": "min", "dense": "dense", "average": "average"}
_CLOSE, _TINY = 1e-9, 1e-300


@once_per_board
def measure(board: Board) -> Measured | str:
    """Read a published board, or say why nothing can be resampled."""
    rules = board.benchmark.leaderboard
    if rules.hidden or board.phase.shows == "status":
        return NOT_PUBLIC
    if rules.primary.hidden or _compared_column(rules).hidden:
        return "The column by which this board ranks is not public."
    ranked = board.ranked
    tasks = [
        task
        for task in (board.tasks[:1] if rules.aggregate == "none" else board.tasks)
        if any(task.slug in row.counted for row in ranked)
    ]
    if not ranked or not tasks:
        return "Nothing on this board has a rank yet."
    made = _Reader(board, ranked, tasks).read()
    if not _is_the_boards(made, rules):
        return (
            "This board's order is not a mean over its tasks, so nothing can be said about other "
            "tasks."
        )
    return made


def _compared_column(rules: Leaderboard) -> Column:
    return rules.ranked_by or rules.primary


class _Reader:
    """What is read of one board."""

    def __init__(self, board: Board, ranked: tuple[Row, ...], tasks: Sequence[Task]) -> None:
        self.board, self.ranked, self.tasks = board, ranked, tasks
        self.rules = board.benchmark.leaderboard
        by_ranks = self.rules.ranked_by is not None or self.rules.primary.ranks is not None
        pool = [row for row in board.rows if row.counts] if by_ranks else list(ranked)
        if by_ranks and self.rules.ranking.among == "all":
            pool += [row for row in board.unlisted if row.counts]
        self.pool = pool
        ranks = self.rules.primary.ranks
        self.keys = list(ranks.fields) if ranks is not None else [_compared_column(self.rules).key]
        made = arrays(board)
        at = {row.submission.id: place for place, row in enumerate(made.rows)}
        self._own = [at[row.submission.id] for row in pool]
        self._finished = [made.finished(key)[:, self._own] for key in self.keys]
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
            signs = [1.0 if columns[key].sorting == "asc" else -1.0 for key in self.keys]
            combine = partial(_rank_column, computation=rules.primary.ranks, signs=signs)
            return combine, rules.primary.ranks.over == "tasks"
        if rules.aggregate == "mean_rank" and rules.ranked_by is not None:
            sign = 1.0 if rules.ranked_by.sorting == "asc" else -1.0
            return partial(_ranks_with_missing, rules=rules, sign=sign), True
        if self.has_shares and rules.ranked_by is not None:
            sign = -1.0 if rules.ranked_by.sorting == "asc" else 1.0
            opponents = Opponents([row.submission.participant for row in self.pool])
            return partial(_shares, opponents=opponents, rules=rules, sign=sign), True
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
            if self.has_shares:
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
    def has_shares(self) -> bool:
        """Whether rows are compared on each task by how many others they beat."""
        return self.rules.aggregate == "win_rate"

    @property
    def _worst(self) -> float:
        return FAILED if _compared_column(self.rules).sorting == "asc" else -FAILED

    def _failed(self, place: int) -> Flags:
        """Rows that have run a task and lose to all that finished."""
        states = arrays(self.board).states[place, self._own]
        without = np.isnan(self._finished[0][place])  # win rates have one key
        return np.asarray((states == STATES.index("failed")) | ((states == 0) & without))

    def _single(self, result: TaskResult) -> list[list[float]]:
        """Values of the fields by repeat, of those repeats that have all of them."""
        found = []
        for record in result.records:
            scores = with_computed(record.scores, self.rules.columns)
            if all(key in scores for key in self.keys):
                found.append([scores[key] for key in self.keys])
        return found


def _ranked(values: Numbers, sign: float, ties: str) -> Numbers:
    """Ranks along the last axis; NaN for NaN."""
    keys = np.where(np.isnan(values), np.inf, sign * values)
    ranks = rankdata(keys, method=_TIES[ties], axis=-1).astype(np.float64)
    return np.where(np.isnan(values), np.nan, ranks)


def _ranks_with_missing(fields: Numbers, *, rules: Leaderboard, sign: float) -> Numbers:
    """Return the rank on each task, absent values placed as the board places them."""
    values = _rounded(fields[0], rules)
    ranks = _ranked(values, sign, rules.ranking.ties)
    last = np.max(np.where(np.isnan(ranks), 0.0, ranks), axis=-1, keepdims=True)
    given = {
        "last": np.maximum(last, 1.0),
        "last+1": last + 1,
        "worst": np.full_like(last, values.shape[-1]),
    }[rules.ranking.missing]
    return np.where(np.isnan(ranks), given, ranks)


def _shares(fields: Numbers, *, opponents: Opponents, rules: Leaderboard, sign: float) -> Numbers:
    """Return the share of the others that each row beats."""
    values = rough(_rounded(fields[0], rules))
    return opponents.shares(sign * values)


def _rounded(values: Numbers, rules: Leaderboard) -> Numbers:
    """Round as the board does."""
    if rules.ranking.decimals is None:
        return values
    scale = 10.0**rules.ranking.decimals
    with np.errstate(over="ignore"):
        return np.asarray(np.rint(values * scale) / scale)


def _rank_column(
    fields: Numbers, *, computation: RankComputation, signs: Sequence[float]
) -> Numbers:
    """Return a column that is made from the ranks of others."""
    ranks = np.stack(
        [_ranked(field, sign, computation.ties) for field, sign in zip(fields, signs, strict=True)]
    )
    if computation.operation == "mrr":
        return np.asarray((1 / ranks).mean(axis=0))
    if computation.operation == "weighted_rank":
        return np.asarray(np.tensordot(np.array(computation.weights), ranks, axes=1))
    return np.asarray(ranks.mean(axis=0))


def _is_the_boards(made: Measured, rules: Leaderboard) -> bool:
    """Whether all cells together give the values that the board ranks by."""
    own = made.by_tasks(np.ones((1, made.tasks)))[0]
    board = np.array([row.overall.get(rules.primary.key, math.nan) for row in made.rows])
    decimals = _TINY if made.decimals is None else 10.0**-made.decimals
    return bool(np.allclose(own, board, rtol=_CLOSE, atol=decimals, equal_nan=True))
