"""A board as arrays: what its ranks are made of, so that they can be made again of other tasks.

A *cell* is one task, or one repeat of it where all rows have as many; a *field* is a column whose
values count. A value over tasks is the mean of what a row reached on the tasks that count for it:
of its values or, where a board ranks by ranks, of its ranks or shares on each task.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evaluator.core.leaderboard.board import Row
from evaluator.core.ranking.ranks import ranks, rounded
from evaluator.core.ranking.rule import Ties

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

    def by_units(self) -> Numbers:
        """Return what each ranked row gets on each task or, with one task, in each repeat of it.

        Greater is better, NaN is none. Tasks weigh as on the board: the mean is its value.
        """
        whole = self._on_whole_tasks() if self.tasks > 1 else self
        cells = np.eye(len(whole.task_of))
        if self.tasks > 1:
            cells = (whole.task_of == np.arange(self.tasks)[:, None]) / whole._sizes
        parts = whole.combine(np.stack([whole._means(f, cells) for f in whole.values]))
        if self.tasks > 1:
            parts = parts * (self.weights / self.weights.mean())[:, None]
        return np.asarray(-parts if self.ascending else parts)[:, self.places]

    def ranks(self, values: Numbers) -> Numbers:
        """Ranks of the ranked rows in each sample; what has no value is the worst."""
        ties: Ties = "dense" if self.dense else "competition"
        return ranks(np.where(np.isnan(values), self.worst, values), ties, ascending=self.ascending)

    @property
    def worst(self) -> float:
        """What is worse than any value."""
        return math.inf if self.ascending else -math.inf

    @property
    def _sizes(self) -> Counts:
        """By cell, how many cells its task has."""
        return np.asarray(np.bincount(self.task_of)[self.task_of])

    def _on_whole_tasks(self) -> "Measured":
        """Return the same without repeats where these are combined on each task by itself."""
        if not self.on_tasks or len(self.task_of) == self.tasks:
            return self
        weights = (self.task_of == np.arange(self.tasks)[:, None]) / self._sizes
        combined = self.combine(np.stack([self._means(f, weights) for f in self.values]))
        return replace(
            self, values=combined[None], task_of=np.arange(self.tasks), combine=first_field
        )

    def _means(self, field: Numbers, weights: Numbers) -> Numbers:
        """Weighted means over the cells that are known and count, by sample and row.

        Cells are added one by one, so that rows of equal values stay equal.
        """
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
    """Return the only field, where nothing is combined."""
    first: Numbers = fields[0]
    return first
