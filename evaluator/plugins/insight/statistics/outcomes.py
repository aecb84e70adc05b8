"""Values of methods on tasks and folds, what replaces missing ones, means, and a scale.

Imputation is that of the AMLB paper: a fold that a method failed counts as what another method,
such as the constant predictor, reached on the same task and fold. Without one it stays absent, and
ranks last. On the scale 0 is a constant predictor, 1 a tuned forest or its like; where a benchmark
names neither, 0 is the worst and 1 the best method of each task, as the AMLB paper does for its
upper end. With both, scores are scaled fold by fold, as its reports do it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from evaluator.core.formats.sums import mean
from evaluator.core.ranking.ranks import levelled

Folds = tuple[float | None, ...]
"""One value for each fold of a task; None where the method has none."""
Table = Mapping[str, Mapping[str, float | None]]
"""Block (a task, or a fold of one) -> method -> value."""

MIN_TASKS = 3
"""From so many tasks on each counts once; below, each fold of each task does."""


@dataclass(frozen=True, kw_only=True)
class Outcomes:
    """Results of methods; on each task all have as many folds."""

    tasks: tuple[str, ...]
    methods: tuple[str, ...]
    values: Mapping[tuple[str, str], Folds]
    """(task, method) -> by fold; a greater value is better."""
    filled: Mapping[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    """(task, method) -> folds with a value that is not its own."""

    @property
    def imputed(self) -> dict[str, int]:
        counts = Counter({method: 0 for _, method in self.filled})
        for (_, method), folds in self.filled.items():
            counts[method] += len(folds)
        return dict(counts)

    def imputed_in(self, block: str, method: str) -> int:
        """How many folds of a block (see ``blocks``) are not the method's own."""
        task, _, fold = block.rpartition(", fold ") if self.by_fold else (block, "", "")
        filled = self.filled.get((task, method), ())
        return int(int(fold) in filled) if fold else len(filled)

    @property
    def folds(self) -> int:
        return max((len(folds) for folds in self.values.values()), default=0)

    @property
    def by_fold(self) -> bool:
        """Whether single folds are what methods are compared on, as tasks are too few."""
        return len(self.tasks) < MIN_TASKS and self.folds > 1


def collect(
    tasks: Sequence[str],
    methods: Sequence[str],
    values: Mapping[tuple[str, str], Sequence[float | None]],
    *,
    lower_is_better: bool = False,
) -> Outcomes:
    folds = {t: max((len(values.get((t, m), ())) for m in methods), default=0) for t in tasks}
    sign = -1.0 if lower_is_better else 1.0

    def row(task: str, given: Sequence[float | None]) -> Folds:
        signed = [None if value is None else sign * value for value in given]
        return tuple(signed + [None] * (folds[task] - len(signed)))

    return Outcomes(
        tasks=tuple(tasks),
        methods=tuple(methods),
        values={(t, m): row(t, values.get((t, m), ())) for t in tasks for m in methods},
    )


def impute(outcomes: Outcomes, constant: str, *, whole_tasks: bool = True) -> Outcomes:
    """Put the value of ``constant`` for absent folds; but for ``whole_tasks``, as AMLB, of some."""
    values: dict[tuple[str, str], Folds] = {}
    places: dict[tuple[str, str], tuple[int, ...]] = {}
    for (task, method), folds in outcomes.values.items():
        stand_in = outcomes.values[task, constant]
        if not whole_tasks and all(own is None for own in folds):
            stand_in = folds
        filled = tuple(
            other if own is None else own for own, other in zip(folds, stand_in, strict=True)
        )
        changed = tuple(
            place for place, (own, new) in enumerate(zip(folds, filled, strict=True))
            if own is None and new is not None
        )  # fmt: skip
        if changed:
            places[task, method] = changed
        values[task, method] = filled
    return replace(outcomes, values=values, filled=places)


def task_means(outcomes: Outcomes) -> dict[str, dict[str, float | None]]:
    """Mean over the folds of each task; absent where any fold is."""
    return {
        task: {method: _mean(outcomes.values[task, method]) for method in outcomes.methods}
        for task in outcomes.tasks
    }


def blocks(outcomes: Outcomes) -> dict[str, dict[str, float | None]]:
    """What methods are ranked on: task means or single folds, equal values made so."""
    return single_folds(outcomes) if outcomes.by_fold else _levelled(task_means(outcomes))


def _levelled(table: Table) -> dict[str, dict[str, float | None]]:
    result = {}
    for block, values in table.items():
        level = levelled(np.array(list(values.values()), dtype=np.float64)).tolist()
        result[block] = {
            method: None if value is None else same
            for (method, value), same in zip(values.items(), level, strict=True)
        }
    return result


def single_folds(outcomes: Outcomes) -> dict[str, dict[str, float | None]]:
    """Each fold of each task by itself; values of one that count as equal are made so."""
    folds = {
        f"{task}, fold {fold}": {
            method: outcomes.values[task, method][fold] for method in outcomes.methods
        }
        for task in outcomes.tasks
        for fold in range(len(outcomes.values[task, outcomes.methods[0]]))
    }
    return _levelled(folds)


def _mean(folds: Folds) -> float | None:
    finished = [value for value in folds if value is not None]
    return mean(finished) if finished and len(finished) == len(folds) else None


def scale_outcomes(
    outcomes: Outcomes, *, zero: str | None = None, one: str | None = None
) -> dict[str, dict[str, float | None]]:
    """Scale each block, or between ends each fold; where these are equal there is none."""
    if outcomes.by_fold or zero is None or one is None:
        return scale(blocks(outcomes), zero=zero, one=one)
    scaled = scale(single_folds(outcomes), zero=zero, one=one)
    return {
        task: {method: _scaled_mean(outcomes, scaled, task, method) for method in outcomes.methods}
        for task in outcomes.tasks
    }


def _scaled_mean(outcomes: Outcomes, scaled: Table, task: str, method: str) -> float | None:
    folds = outcomes.values[task, method]
    if any(value is None for value in folds):
        return None
    values = [scaled[f"{task}, fold {fold}"][method] for fold in range(len(folds))]
    there = [value for value in values if value is not None]
    return mean(there) if there else None


def scale(
    table: Table, *, zero: str | None = None, one: str | None = None
) -> dict[str, dict[str, float | None]]:
    """(x - zero) / (one - zero) for each block; None where both ends are equal or absent."""
    return {block: _scaled(values, zero, one) for block, values in table.items()}


def _scaled(
    values: Mapping[str, float | None], zero: str | None, one: str | None
) -> dict[str, float | None]:
    numbers = [value for value in values.values() if value is not None]
    low = values.get(zero) if zero else min(numbers, default=None)
    high = values.get(one) if one else max(numbers, default=None)
    if low is None or high is None or low == high:
        return dict.fromkeys(values)
    return {
        method: None if value is None else (value - low) / (high - low)
        for method, value in values.items()
    }
