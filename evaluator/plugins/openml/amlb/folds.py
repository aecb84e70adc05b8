"""Tasks of file data sets -> their folds, written into the bundle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.core.importers.notes import Notes
from evaluator.core.importers.placing import PARTS
from evaluator.plugins.openml.amlb.constraints import DEFAULTS, Constraint, merged
from evaluator.plugins.openml.amlb.definition import TaskDefinition, sanitised
from evaluator.plugins.openml.amlb.locations import DatasetError, Places, find_files
from evaluator.plugins.openml.amlb.tables import check_type, most_folds, read_pair, read_series
from evaluator.plugins.openml.tabular.metrics import DEFAULT, NAMES
from evaluator.plugins.openml.tabular.writing import described, fold_tables, type_of, write_fold
from evaluator.plugins.openml.tasks.fetching import FetchedTask, write_folds
from evaluator.plugins.openml.tasks.splits import Fold


@dataclass(frozen=True, kw_only=True)
class WrittenTask:
    """A task whose folds are in the bundle."""

    slug: str
    type: str
    folds: tuple[int, ...]
    """Numbers of the folds, in the order of the repeats."""
    metrics: tuple[str, ...]
    """The first one makes ``result``."""
    rows: int
    """Training and test rows of the first fold."""
    columns: int
    """Features."""
    is_rows: bool = False
    """Whether its folds are rows of one table."""


@dataclass(frozen=True, kw_only=True)
class TaskWriter:
    """Writes folds of tasks."""

    bundle: Path
    places: Places
    notes: Notes
    source: str
    """Name of the definition, for messages."""
    folds: Sequence[int]
    """Folds that are asked for; empty for all."""
    constraint: str
    """Its name, which AMLB's table of results has."""
    seed: int
    inference_time: bool
    budget: Callable[[TaskDefinition], dict[str, Any]]

    def write_files(self, task: TaskDefinition, slug: str) -> WrittenTask:
        """Write a task whose data are files. Raises DatasetError, UsageError, PlatformError."""
        dataset = task.dataset if isinstance(task.dataset, dict) else {}
        kind = dataset.get("type")
        check_type(kind)
        files = find_files(task.dataset, task.name, self.places)
        if kind == "timeseries":
            return self._series(task, slug, files.train[0], dataset)
        if not files.test:
            raise DatasetError("there is no test file")
        numbers = self.numbers(task, files.folds)
        types: set[str] = set()
        rows = columns = 0
        metrics: tuple[str, ...] = ()
        for repeat, fold in enumerate(numbers):
            pair = read_pair(files.train[fold], files.test[fold], dataset.get("target"), kind)
            types.add(pair.type)
            if len(types) > 1:
                raise DatasetError(
                    f"its folds are of different types: {', '.join(sorted(types))}; say `type:`"
                )
            metrics = self.metrics(task, pair.type)
            self.write(task, slug, repeat, fold, pair.type, pair.train, pair.test, pair.target)
            if repeat == 0:
                rows, columns = len(pair.train) + len(pair.test), pair.train.shape[1] - 1
        return WrittenTask(
            slug=slug, type=types.pop(), folds=numbers, metrics=metrics, rows=rows, columns=columns
        )

    def _series(
        self, task: TaskDefinition, slug: str, file: Path, dataset: dict[str, Any]
    ) -> WrittenTask:
        numbers = self.numbers(task, most_folds(file, dataset, task.limits.folds or 1))
        rows = columns = 0
        for repeat, fold in enumerate(numbers):
            series = read_series(file, fold, dataset)
            self.write(
                task, slug, repeat, fold, "timeseries", series.train, series.test, series.target,
                series.meta, series.truth,
            )  # fmt: skip
            if repeat == 0:
                rows, columns = len(series.train) + len(series.test), series.train.shape[1] - 1
        metrics = self.metrics(task, "timeseries")
        return WrittenTask(
            slug=slug, type="timeseries", folds=numbers, metrics=metrics, rows=rows,
            columns=columns,
        )  # fmt: skip

    def numbers(self, task: TaskDefinition, available: int) -> tuple[int, ...]:
        """Return the folds to write: of those that are there, what the task and ``-f`` say."""
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
        """Return its metrics, or those of its type. Raises DatasetError if the first is unknown."""
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
        return metrics or tuple(DEFAULT[kind])

    def write(
        self, task: TaskDefinition, slug: str, repeat: int, fold: int, kind: str, train: Any,
        test: Any, target: str, meta: dict[str, Any] | None = None,
        truth: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Write one fold. Raises DatasetError."""
        try:
            train, test, classes = fold_tables(
                train, test, target, classes=kind in ("binary", "multiclass")
            )
        except ValueError as error:
            raise DatasetError(f"fold {fold}: {error}") from None
        about = {
            **described(task.name, train, target, classes),
            **self.about(task, fold, kind),
            **(meta or {}),
        }
        inputs, reference = (self.bundle / part / slug / str(repeat) for part in PARTS)
        write_fold(inputs, reference, train, test, about, truth)

    def about(self, task: TaskDefinition, fold: int, kind: str) -> dict[str, Any]:
        """Return what dataset.json says of a fold besides its columns."""
        return {
            "name": task.name,
            "id": task.id,
            "constraint": self.constraint,
            "openml_task_id": task.openml_task_id,
            "fold": fold,
            "type": kind,
            "metrics": list(self.metrics(task, kind)),
            "quantile_levels": task.limits.quantile_levels,
            "budget": self.budget(task),
            # A fold of its own seed, as AMLB's pages promise.
            "seed": self.seed + fold,
            "measure_inference_time": self.inference_time,
        }


def definitions(tasks: Sequence[FetchedTask], constraint: Constraint) -> list[TaskDefinition]:
    """Return what the AutoML Benchmark makes of ``openml/s/271``: tasks named by their data."""
    names = [sanitised(str(task.dataset["name"])) for task in tasks]
    plain = [name.lower() for name in names]
    return [
        TaskDefinition(
            name=name if plain.count(name.lower()) == 1 else f"{name}_{task.id}",
            id=f"openml.org/t/{task.id}", description="", enabled=True, metrics=(),
            limits=merged(constraint, DEFAULTS), openml_task_id=task.id, dataset=None,
        )
        for name, task in zip(names, tasks, strict=True)
    ]  # fmt: skip


def write_openml(
    task: TaskDefinition, slug: str, writer: TaskWriter, fetched: Mapping[int, FetchedTask]
) -> WrittenTask:
    """Write the folds of the first repeat, as the AutoML Benchmark runs them. Raises DatasetError.

    The AutoML Benchmark knows no other repeats of a task.
    """
    fetched_task = fetched[task.openml_task_id or 0]
    kind = type_of(fetched_task.about["labels"])
    first = [fold for fold in fetched_task.folds if fold.repeat == 0]
    numbers = writer.numbers(task, len(first))

    def about(fold: Fold) -> Mapping[str, object]:
        return writer.about(task, fold.fold, kind)

    try:
        columns = write_folds(fetched_task, [first[n] for n in numbers], writer.bundle, slug, about)
    except ValueError as error:
        raise DatasetError(str(error)) from None
    return WrittenTask(
        slug=slug, type=kind, folds=numbers, metrics=writer.metrics(task, kind),
        rows=fetched_task.rows, columns=columns, is_rows=True,
    )  # fmt: skip
