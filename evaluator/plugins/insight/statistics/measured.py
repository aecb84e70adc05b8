"""A board as arrays: what its ranks are made of, so that they can be made again of other tasks.

A *cell* is one task, or one repeat of it where all rows have as many; a *field* is a column whose
values count. A value over tasks is the mean of what a row reached on the tasks that count for it:
of its values or, where a board ranks by ranks, of its ranks or shares on each task.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from evaluator.core.formats.columns import Column, Leaderboard
from evaluator.core.formats.phases import Task
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.computed import add_computed, rank_column
from evaluator.core.leaderboard.order import compared_rows
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import FAILED, FINISHED, SCORE, Table
from evaluator.core.ranking.ranks import ranks, rounded
from evaluator.core.ranking.rule import ComparedRows, RankingRule, Ties
from evaluator.site.content.insight import Missing

Numbers = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Combine = Callable[[Numbers], Numbers]
"""Values by field, sample and row -> by sample and row."""


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
    weights: Counts
    """By task, in the board's own values."""
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
    groups: tuple[str, ...]
    """By task: the family that it belongs to; empty for none."""
    ratio: bool
    """Whether values are such that only ratios of them are compared, as times are."""

    @property
    def tasks(self) -> int:
        return len(self.counted)

    @property
    def repeats(self) -> int:
        """Cells of the task that has most."""
        return int(np.bincount(self.task_of).max()) if len(self.task_of) else 0

    def by_cells(self, weights: Numbers) -> Numbers:
        """Values of the ranked rows, by sample: a weight for each cell. NaN for none."""
        means = np.stack([self._means(field, weights) for field in self.values])
        return rounded(self.combine(means)[:, self.places], self.decimals)

    def by_tasks(self, weights: Numbers) -> Numbers:
        """Values of the ranked rows, by sample: a weight for each task. NaN for none."""
        whole = self._on_whole_tasks()
        return whole.by_cells(weights[:, whole.task_of] / whole._sizes)

    def on_tasks_alone(self) -> Numbers:
        """What ranked rows get on each task, greater the better; NaN for none."""
        whole = self._logged()._on_whole_tasks()
        return whole._parts((whole.task_of == np.arange(self.tasks)[:, None]) / whole._sizes)

    def on_runs(self) -> tuple[Numbers, Numbers]:
        """The same of each repeat of each task, and how much it counts."""
        shares = self.weights[self.task_of] / self._sizes
        return self._logged()._parts(np.eye(len(self.task_of))), shares

    def _parts(self, cells: Numbers) -> Numbers:
        parts = self.combine(np.stack([self._means(field, cells) for field in self.values]))
        return np.asarray(-parts if self.ascending else parts)[:, self.places]

    @property
    def is_by_ratio(self) -> bool:
        """Whether rows are compared by how many times one is the other."""
        return self.ratio and self.combine is first_field and not (self.values <= 0).any()

    def _logged(self) -> "Measured":
        return replace(self, values=np.log(self.values)) if self.is_by_ratio else self

    def ranks(self, values: Numbers) -> Numbers:
        """Ranks of the ranked rows in each sample; what has no value is the worst."""
        ties: Ties = "dense" if self.dense else "competition"
        return ranks(np.where(np.isnan(values), self.worst, values), ties, ascending=self.ascending)

    @property
    def worst(self) -> float:
        return math.inf if self.ascending else -math.inf

    @property
    def _sizes(self) -> Counts:
        """By cell, how many cells its task has."""
        return np.asarray(np.bincount(self.task_of)[self.task_of])

    def _on_whole_tasks(self) -> "Measured":
        """The same without repeats where these are combined on each task by itself."""
        if not self.on_tasks or len(self.task_of) == self.tasks:
            return self
        weights = (self.task_of == np.arange(self.tasks)[:, None]) / self._sizes
        combined = self.combine(np.stack([self._means(f, weights) for f in self.values]))
        return replace(
            self, values=combined[None], task_of=np.arange(self.tasks), combine=first_field
        )

    def _means(self, field: Numbers, weights: Numbers) -> Numbers:
        """Weighted means by sample and row, cell by cell, so that equal rows stay equal."""
        weights = weights / weights.sum(axis=1, keepdims=True)  # sums stay in range
        has_value = self.counted[self.task_of] & ~np.isnan(field)
        field = np.where(has_value, field, 0.0)
        sums = np.zeros((len(weights), field.shape[1]))
        part = np.empty_like(sums)
        for cell, weight in enumerate(weights.T):
            sums += np.multiply(weight[:, None], field[cell], out=part)
        if has_value.all():
            return sums
        total = np.zeros_like(sums)
        for cell, weight in enumerate(weights.T):
            total += np.multiply(weight[:, None], has_value[cell], out=part)
        with np.errstate(invalid="ignore"):
            return np.asarray(sums / total)


def first_field(fields: Numbers) -> Numbers:
    return np.asarray(fields[0])


LOSES = np.finfo(np.float64).max / 2
"""Stands for what is worse than any value; of infinity no mean of repeats can be made."""
_CLOSE, _TINY = 1e-9, 1e-300


def measure(board: PublicBoard) -> Measured | Missing:
    """Select what lives as long as the caller's, or say why nothing can be resampled."""
    rules = board.benchmark.leaderboard
    if rules.hidden or board.phase.shows == "status":
        return Missing("The results of this board are not public.")
    if rules.primary.hidden or _compared_column(rules).hidden:
        return Missing("The column by which this board ranks is not public.")
    ranked = board.ranked
    tasks = [
        task
        for task in (board.tasks[:1] if rules.rule.of_first_task else board.tasks)
        if any(task.slug in row.counted for row in ranked)
    ]
    if not ranked or not tasks:
        return Missing("Nothing on this board has a rank yet.")
    measured = _measure(board, ranked, tasks)
    if not _is_the_boards(measured, rules):
        return Missing(
            "This board's order is not a mean over its tasks, so nothing can be said about other "
            "tasks."
        )
    return measured


def _compared_column(rules: Leaderboard) -> Column:
    return rules.ranked_by or rules.primary


def _measure(board: PublicBoard, ranked: tuple[Row, ...], tasks: Sequence[Task]) -> Measured:
    rules = board.benchmark.leaderboard
    pool = list(ranked)  # the rows that make the ranks
    if rules.ranked_by is not None or rules.primary.ranks is not None:
        pool = [row for row in board.rows if row.counts]
    ranks = rules.primary.ranks
    keys = list(ranks.fields) if ranks is not None else [_compared_column(rules).key]
    combine, on_tasks = _combine(rules, keys, pool)
    counted = np.array([[task.slug in row.counted for row in pool] for task in tasks])
    values, task_of = _cells(
        board, keys, [board.tasks.index(task) for task in tasks], pool, counted
    )
    if not on_tasks:  # the board has no mean where anything is missing
        values[..., [any(key not in row.overall for key in keys) for row in pool]] = np.nan
    elif len(task_of) == len(tasks):  # no repeats: what a task says is fixed
        values, combine = combine(values)[None], first_field
    index = {row.submission.id: place for place, row in enumerate(pool)}
    return Measured(
        rows=ranked,
        places=np.array([index[row.submission.id] for row in ranked]),
        values=values,
        task_of=task_of,
        counted=counted,
        weights=np.array([task.extension.weight for task in tasks]),
        combine=combine,
        on_tasks=on_tasks,
        ascending=rules.primary.sorting == "asc",
        decimals=rules.ranking.decimals,
        dense=rules.ranking.ties == "dense",
        groups=tuple(task.extension.group for task in tasks),
        ratio=rules.primary.ratio,
    )


def _combine(rules: Leaderboard, keys: Sequence[str], pool: Sequence[Row]) -> tuple[Combine, bool]:
    """How fields make what ranks, and whether they do so on each task."""
    columns = {column.key: column for column in rules.columns}
    if rules.primary.ranks is not None:
        less_is_better = [columns[key].sorting == "asc" for key in keys]
        combine = partial(
            rank_column, computation=rules.primary.ranks, less_is_better=less_is_better
        )
        return combine, rules.primary.ranks.over == "tasks"
    if rules.ranked_by is not None:
        return partial(_by_rule, rule=rules.rule, compared=compared_rows(pool, rules)), True
    return first_field, False


def _cells(
    board: PublicBoard, keys: Sequence[str], tasks: Sequence[int], pool: Sequence[Row],
    counted: Flags,
) -> tuple[Numbers, Counts]:  # fmt: skip
    """Values by field, cell and row; a cell is a repeat where all rows have as many."""
    table, rules = board.table, board.benchmark.leaderboard
    grid = np.ix_(tasks, [row.place for row in pool])
    states = table.states[grid]
    finished = states == FINISHED
    whole = np.stack([table.finished(key)[grid] for key in keys])
    single = np.stack([one[grid] for one in scores_by_repeat(table, keys, rules.columns)])
    single[:, ~finished] = np.nan
    values: list[Numbers] = []
    counts: list[int] = []
    for task, repeats in enumerate(table.repeats[list(tasks)].tolist()):
        on_task = single[:, task, :, :repeats].swapaxes(1, 2)
        if repeats == 1 or np.isnan(on_task[..., finished[task]]).any():
            on_task = whole[:, [task]]
        if rules.rule.failures_lose:
            # Rows that have run the task lose to all that finished; rules compare by one column.
            failed = (states[task] == FAILED) | (finished[task] & np.isnan(whole[0, task]))
            worst = LOSES if _compared_column(rules).sorting == "asc" else -LOSES
            on_task[..., failed] = worst
            on_task[..., ~counted[task]] = math.nan
        values.append(on_task)
        counts.append(on_task.shape[1])
    return np.concatenate(values, axis=1), np.repeat(np.arange(len(tasks)), counts)


def scores_by_repeat(table: Table, keys: Sequence[str], columns: Sequence[Column]) -> list[Numbers]:
    """Scores like ``table.by_repeat``, those that are computed included."""
    needed = set(keys)
    for column in reversed(columns):
        if column.key in needed:
            needed.update(column.operands)
    values = {key: table.by_repeat(SCORE + key) for key in needed if SCORE + key in table.lines}
    add_computed(values, (column for column in columns if column.key in needed))
    return [values[key] if key in values else table.by_repeat(key) for key in keys]


def _by_rule(fields: Numbers, *, rule: RankingRule, compared: ComparedRows) -> Numbers:
    return rule.parts(fields[0], compared)


def _is_the_boards(measured: Measured, rules: Leaderboard) -> bool:
    """Whether all cells together give the values that the board ranks by."""
    measured_values = measured.by_tasks(measured.weights[None].astype(np.float64))[0]
    board = np.array([row.overall.get(rules.primary.key, math.nan) for row in measured.rows])
    decimals = _TINY if measured.decimals is None else 10.0**-measured.decimals
    return bool(np.allclose(measured_values, board, rtol=_CLOSE, atol=decimals, equal_nan=True))
