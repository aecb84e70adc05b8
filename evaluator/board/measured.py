"""A board as arrays: what its ranks are made of, so that they can be made again of other tasks.

A *cell* is one task, or one repeat of it where all rows have as many; a *field* is a column whose
values count. A value over tasks is the mean of what a row reached on the tasks that count for it:
of its values or, where a board ranks by ranks, of its ranks or shares on each task.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from evaluator.board.leaderboard import Board, Row
from evaluator.board.order import rounded
from evaluator.board.per_board import once_per_board
from evaluator.board.results import TaskResult, with_computed
from evaluator.board.win_rates import Contest, shares
from evaluator.formats.bundle import Task
from evaluator.formats.columns import Column, Leaderboard
from evaluator.formats.extension import RankComputation

Numbers = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Combine = Callable[[Numbers], Numbers]
"""Values by field, sample and row -> by sample and row."""
NOT_PUBLIC = "The results of this board are not public."
_TIES = {"competition": "min", "dense": "dense", "average": "average"}
_CLOSE, _TINY = 1e-9, 1e-300


@dataclass(frozen=True, kw_only=True)
class Measured:
    """The rows of a board that make its ranks."""

    rows: tuple[Row, ...]
    """Those that have a rank, in the order of the board."""
    places: Counts
    """Where these are among all that make ranks, which the arrays hold."""
    values: Numbers
    """By field, cell and row; NaN for none."""
    task_of: Counts
    """By cell."""
    counted: Flags
    """By task and row: whether the task counts for the row."""
    combine: Combine
    """Fields -> the value that ranks."""
    on_tasks: bool
    """Whether fields are combined on each task, and not over all of them."""
    ascending: bool
    """Whether less is better."""
    decimals: int | None
    """To how many values are rounded before they are compared."""
    dense: bool
    """Whether no rank is left out after equal ones."""

    @property
    def tasks(self) -> int:
        """How many tasks there are."""
        return len(self.counted)

    @property
    def repeats(self) -> int:
        """Cells of the task that has most."""
        return int(np.bincount(self.task_of).max()) if len(self.task_of) else 0

    def by_cells(self, weights: Numbers) -> Numbers:
        """Values of the ranked rows, by sample: a weight for each cell. NaN for none."""
        means = np.stack([self._means(field, weights) for field in self.values])
        return self._compared(self.combine(means)[:, self.places])

    def by_draws(self, draws: Iterable[tuple[Counts, Numbers]]) -> Numbers:
        """Values of the ranked rows, where fields are combined on each task by itself.

        A draw is a task for each sample, and the weights of its cells.
        """
        total = count = np.zeros((1, 1))
        for tasks, weights in draws:
            fields = np.stack([self._means(field, weights) for field in self.values])
            own = self.combine(fields)
            known = self.counted[tasks] & ~np.isnan(own)
            total = total + np.where(known, own, 0.0)
            count = count + known
        with np.errstate(invalid="ignore"):
            return self._compared((total / count)[:, self.places])

    def by_tasks(self, weights: Numbers) -> Numbers:
        """Values of the ranked rows, by sample: a weight for each task. NaN for none."""
        made = self._on_whole_tasks()
        return made.by_cells(weights[:, made.task_of] / made._sizes)

    @property
    def _sizes(self) -> Counts:
        """By cell, how many cells its task has."""
        return np.asarray(np.bincount(self.task_of)[self.task_of])

    def _on_whole_tasks(self) -> "Measured":
        """Return the same without repeats where these are combined on each task by itself."""
        if not self.on_tasks or len(self.task_of) == self.tasks:
            return self
        weights = (self.task_of == np.arange(self.tasks)[:, None]) / self._sizes
        own = self.combine(np.stack([self._means(field, weights) for field in self.values]))
        return replace(self, values=own[None], task_of=np.arange(self.tasks), combine=_first)

    def _means(self, field: Numbers, weights: Numbers) -> Numbers:
        """Weighted means over the cells that are known and count, by sample and row.

        Cells are added one by one, so that rows of equal values stay equal.
        """
        weights = weights / weights.sum(axis=1, keepdims=True)  # sums stay in range
        known = self.counted[self.task_of] & ~np.isnan(field)
        field = np.where(known, field, 0.0)
        sums = np.zeros((len(weights), field.shape[1]))
        for cell, weight in enumerate(weights.T):
            sums += weight[:, None] * field[cell]
        if known.all():
            return sums
        total = np.zeros_like(sums)
        for cell, weight in enumerate(weights.T):
            total += weight[:, None] * known[cell]
        with np.errstate(invalid="ignore"):
            return np.asarray(sums / total)

    def _compared(self, values: Numbers) -> Numbers:
        """Round what is compared: as the board does, and to a part of 2^40 of its size."""
        if self.decimals is not None:
            scale = 10.0**self.decimals
            values = np.rint(values * scale) / scale
        mantissa, exponent = np.frexp(values)
        with np.errstate(over="ignore"):
            rough = np.ldexp(np.rint(mantissa * 2.0**40), exponent - 40)
        return np.where(np.isinf(rough), values, rough)  # the largest floats have no rounder one


@once_per_board
def measure(board: Board) -> Measured | str:
    """Read a published board, or say why nothing can be resampled."""
    rules = board.benchmark.leaderboard
    if rules.hidden or board.phase.shows == "status":
        return NOT_PUBLIC
    if rules.primary.hidden or _compared_column(rules).hidden:
        return "The column by which this board ranks is not public."
    ranked = tuple(row for row in board.rows if row.rank is not None)
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
        self.counted = np.array([[task.slug in row.counted for row in pool] for task in tasks])

    def read(self) -> Measured:
        values, task_of = self._cells()
        rules = self.rules
        combine, on_tasks = self._combine()
        if rules.aggregate == "win_rate" and rules.ranked_by is not None:
            values, task_of = self._shares(rules.ranked_by), np.arange(len(self.tasks))
            combine, on_tasks = _first, True
        elif on_tasks and len(task_of) == len(self.tasks):  # no repeats: what a task says is fixed
            values = combine(values)[None]
            combine = _first
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
        return _first, False

    def _cells(self) -> tuple[Numbers, Counts]:
        """Values by field, cell and row; a cell is a repeat where all rows have as many."""
        counts = [self._repeats(task) for task in self.tasks]
        task_of = np.repeat(np.arange(len(self.tasks)), counts)
        values = np.full((len(self.keys), len(task_of), len(self.pool)), np.nan)
        cell = 0
        for task, count in zip(self.tasks, counts, strict=True):
            results = [row.tasks[task.slug] for row in self.pool]
            if count == 1:
                values[:, cell] = [
                    [
                        one.values.get(key, math.nan) if one.state == "finished" else math.nan
                        for one in results
                    ]
                    for key in self.keys
                ]
            for place, one in enumerate(results if count > 1 else ()):
                if one.state == "finished":
                    values[:, cell : cell + count, place] = np.array(self._single(one)).T
            cell += count
        if not self._combine()[1]:  # the board has no mean where anything is missing
            for place, row in enumerate(self.pool):
                if any(key not in row.overall for key in self.keys):
                    values[:, :, place] = np.nan
        return values, task_of

    def _repeats(self, task: Task) -> int:
        """How often every row has run that has finished the task; 1 where they differ."""
        wanted = self.board.benchmark.repeats_of(task)
        if wanted < 2 or self.rules.aggregate == "win_rate":
            return 1
        for row in self.pool:
            result = row.tasks[task.slug]
            if result.state == "finished" and len(self._single(result)) != wanted:
                return 1
        return wanted

    def _single(self, result: TaskResult) -> list[list[float]]:
        """Values of the fields by repeat, of those repeats that have all of them."""
        found = []
        for record in result.records:
            scores = with_computed(record.scores, self.rules.columns)
            if all(key in scores for key in self.keys):
                found.append([scores[key] for key in self.keys])
        return found

    def _shares(self, column: Column) -> Numbers:
        """Share of the others that each row beats on each task on which it has run."""
        sign = 1 if column.sorting == "desc" else -1
        result = np.full((1, len(self.tasks), len(self.pool)), np.nan)
        places = {row.submission.id: place for place, row in enumerate(self.pool)}
        for number, task in enumerate(self.tasks):
            contests = []
            for row in self.pool:
                one = row.tasks[task.slug]
                if task.slug not in row.counted or one.state not in ("finished", "failed"):
                    continue
                value = rounded(one.values.get(column.key), self.rules)
                failed = one.state == "failed" or value is None
                contests.append(
                    Contest(
                        row=row.submission.id, participant=row.submission.participant,
                        value=-math.inf if failed or value is None else sign * value,
                    )
                )  # fmt: skip
            for name, share in shares(contests).items():
                result[0, number, places[name]] = share
        return result


def _first(fields: Numbers) -> Numbers:
    first: Numbers = fields[0]
    return first


def _ranked(values: Numbers, sign: float, ties: str) -> Numbers:
    """Ranks along the last axis; NaN for NaN."""
    keys = np.where(np.isnan(values), np.inf, sign * values)
    ranks = rankdata(keys, method=_TIES[ties], axis=-1).astype(np.float64)
    return np.where(np.isnan(values), np.nan, ranks)


def _ranks_with_missing(fields: Numbers, *, rules: Leaderboard, sign: float) -> Numbers:
    """Return the rank on each task, absent values placed as the board places them."""
    values = fields[0]
    if rules.ranking.decimals is not None:
        scale = 10.0**rules.ranking.decimals
        values = np.rint(values * scale) / scale
    ranks = _ranked(values, sign, rules.ranking.ties)
    last = np.max(np.where(np.isnan(ranks), 0.0, ranks), axis=-1, keepdims=True)
    given = {
        "last": np.maximum(last, 1.0),
        "last+1": last + 1,
        "worst": np.full_like(last, values.shape[-1]),
    }[rules.ranking.missing]
    return np.where(np.isnan(ranks), given, ranks)


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
