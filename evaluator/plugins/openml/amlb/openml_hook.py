"""Tasks of OpenML in a definition, and suites of OpenML in the place of one."""

from collections.abc import Mapping, Sequence

from evaluator.plugins.openml.amlb.constraints import DEFAULTS, Constraint, merged
from evaluator.plugins.openml.amlb.definition import TaskDefinition, sanitised
from evaluator.plugins.openml.amlb.folds import TaskWriter, WrittenTask
from evaluator.plugins.openml.amlb.locations import DatasetError
from evaluator.plugins.openml.tabular.writing import type_of
from evaluator.plugins.openml.tasks.fetching import FetchedTask
from evaluator.plugins.openml.tasks.folds import write_folds
from evaluator.plugins.openml.tasks.splits import Fold


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
