"""Tasks of a definition, from files or from OpenML -> their folds, written into the bundle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.importing.notes import Notes
from evaluator.importing.placing import PARTS
from evaluator.plugins.openml.amlb.constraints import DEFAULTS, Constraint, job_timeout, merge
from evaluator.plugins.openml.amlb.definition import TaskDefinition, budget, cores, memory, sanitise
from evaluator.plugins.openml.amlb.locations import DatasetError, Places, find_files
from evaluator.plugins.openml.amlb.tables import (
    Pair,
    check_type,
    most_folds,
    read_pair,
    read_series,
)
from evaluator.plugins.openml.tabular.bundle import TabularTask
from evaluator.plugins.openml.tabular.metrics import NAMES, default_metrics
from evaluator.plugins.openml.tabular.writing import (
    describe_table,
    fold_tables,
    type_of,
    write_fold,
)
from evaluator.plugins.openml.tasks.fetching import FetchedTask, write_folds

Written = tuple[TabularTask, str]
"""A task whose folds are in the bundle, and its line in the table of the overview."""


@dataclass(frozen=True, kw_only=True)
class TaskWriter:
    """Writes folds of tasks."""

    bundle: Path
    places: Places
    notes: Notes
    source: str
    """Name of the definition, for messages."""
    constraint: str
    """Its name, which AMLB's table of results has."""
    folds: Sequence[int]
    """Folds that are asked for; empty for all."""
    seed: int
    inference_time: bool

    def write_files(self, task: TaskDefinition, slug: str) -> Written:
        """Write a task whose data are files. Raises DatasetError, UsageError, PlatformError."""
        dataset = task.dataset if isinstance(task.dataset, dict) else {}
        kind = dataset.get("type")
        check_type(kind)
        files = find_files(task.dataset, task.name, self.places)
        if kind == "timeseries":
            available = most_folds(files.train[0], dataset, task.limits.folds or 1)
        elif files.test:
            available = min(len(files.train), len(files.test))
        else:
            raise DatasetError("there is no test file")
        numbers = self.numbers(task, available)
        types: set[str] = set()
        rows = columns = 0
        for repeat, fold in enumerate(numbers):
            if kind == "timeseries":
                pair = read_series(files.train[0], fold, dataset)
            else:
                pair = read_pair(files.train[fold], files.test[fold], dataset.get("target"), kind)
            types.add(pair.type)
            if len(types) > 1:
                raise DatasetError(
                    f"its folds are of different types: {', '.join(sorted(types))}; say `type:`"
                )
            self._write(task, slug, repeat, fold, pair)
            if repeat == 0:
                rows, columns = len(pair.train) + len(pair.test), pair.train.shape[1] - 1
        return self._written(task, slug, types.pop(), len(numbers), rows, columns, is_rows=False)

    def write_fetched(self, task: TaskDefinition, slug: str, fetched: FetchedTask) -> Written:
        """Write the first repeat: the AutoML Benchmark knows no others. Raises DatasetError."""
        kind = type_of(fetched.about["labels"])
        first = [fold for fold in fetched.folds if fold.repeat == 0]
        folds = [first[number] for number in self.numbers(task, len(first))]
        try:
            columns = write_folds(
                fetched, folds, self.bundle, slug, lambda fold: self.about(task, fold.fold, kind)
            )
        except ValueError as error:
            raise DatasetError(str(error)) from None
        return self._written(task, slug, kind, len(folds), fetched.rows, columns, is_rows=True)

    def _written(
        self, task: TaskDefinition, slug: str, kind: str, folds: int, rows: int, columns: int, *,
        is_rows: bool,
    ) -> Written:  # fmt: skip
        seconds = task.limits.max_runtime_seconds
        tabular = TabularTask(
            slug=slug, name=task.name, description=task.description or task.id, folds=folds,
            is_rows=is_rows, metrics=self.metrics(task, kind), seconds=job_timeout(seconds or 3600),
            cpus=cores(task), memory=memory(task),
        )  # fmt: skip
        return tabular, (
            f"| {task.name} | {kind} | {rows} | {columns} | {folds} | {seconds} s "
            f"| {tabular.metrics[0]} |"
        )

    def numbers(self, task: TaskDefinition, available: int) -> tuple[int, ...]:
        wanted = task.limits.folds or 1
        if available < wanted:
            self.notes.warn(
                self.source, f"{task.name}: {wanted} folds are asked for; its data have {available}"
            )
        count = min(wanted, available)
        if not self.folds:
            return tuple(range(count))
        beyond = sorted({fold for fold in self.folds if fold >= count})
        if beyond:
            text = ", ".join(map(str, beyond))
            self.notes.warn(self.source, f"{task.name} has no fold {text}; it is left out")
        folds = tuple(sorted({fold for fold in self.folds if fold < count}))
        if not folds:
            raise DatasetError("none of the folds that are asked for is there")
        return folds

    def metrics(self, task: TaskDefinition, kind: str) -> tuple[str, ...]:
        """Its metrics, or those of its type. Raises DatasetError if the first is unknown."""
        unknown = [name for name in task.metrics if name not in NAMES[kind]]
        if task.metrics and task.metrics[0] in unknown:
            raise DatasetError(
                f"'{task.metrics[0]}' is no metric of {kind} tasks; "
                f"these are {', '.join(NAMES[kind])}"
            )
        for name in unknown:
            self.notes.warn(
                self.source, f"{task.name}: '{name}' is no metric of {kind} tasks; left out"
            )
        metrics = tuple(name for name in task.metrics if name not in unknown)
        return metrics or default_metrics(kind)

    def _write(self, task: TaskDefinition, slug: str, repeat: int, fold: int, pair: Pair) -> None:
        keys = self.about(task, fold, pair.type)
        try:
            train, test, classes = fold_tables(
                pair.train, pair.test, pair.target, classes=pair.type in ("binary", "multiclass")
            )
        except ValueError as error:
            raise DatasetError(f"fold {fold}: {error}") from None
        about = {**describe_table(task.name, train, pair.target, classes), **keys, **pair.meta}
        inputs, reference = (self.bundle / part / slug / str(repeat) for part in PARTS)
        write_fold(inputs, reference, train, test, about, pair.truth)

    def about(self, task: TaskDefinition, fold: int, kind: str) -> dict[str, Any]:
        return {
            "name": task.name,
            "id": task.id,
            "constraint": self.constraint,
            "openml_task_id": task.openml_task_id,
            "fold": fold,
            "type": kind,
            "metrics": list(self.metrics(task, kind)),
            "quantile_levels": task.limits.quantile_levels,
            "budget": budget(task),
            # A fold of its own seed, as AMLB's pages promise.
            "seed": self.seed + fold,
            "measure_inference_time": self.inference_time,
        }


def definitions(tasks: Sequence[FetchedTask], constraint: Constraint) -> list[TaskDefinition]:
    """What the AutoML Benchmark makes of ``openml/s/271``: tasks named by their data."""
    names = [sanitise(str(task.dataset["name"])) for task in tasks]
    plain = [name.lower() for name in names]
    return [
        TaskDefinition(
            name=name if plain.count(name.lower()) == 1 else f"{name}_{task.id}",
            id=f"openml.org/t/{task.id}", description="", enabled=True, metrics=(),
            limits=merge(constraint, DEFAULTS), openml_task_id=task.id, dataset=None,
        )
        for name, task in zip(names, tasks, strict=True)
    ]  # fmt: skip
