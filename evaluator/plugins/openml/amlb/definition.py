"""A benchmark definition of the AutoML Benchmark -> its tasks, every precedence resolved."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from evaluator.core.errors import Problem, UsageError
from evaluator.core.formats.extension import Limits
from evaluator.core.formats.schema import Document
from evaluator.importing.notes import Notes
from evaluator.plugins.openml.amlb.constraints import (
    DEFAULTS,
    Constraint,
    job_timeout,
    merge,
    parse_constraint,
    raise_errors,
    read_document,
)

_DEFAULTS = "__defaults__"
_KEYS = frozenset(Constraint.model_fields) | {
    "name", "id", "description", "enabled", "metric", "openml_task_id", "openml_dataset_id",
    "dataset",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class TaskDefinition:
    """One task."""

    name: str
    """As AMLB writes it in its results."""
    id: str
    description: str
    enabled: bool
    metrics: tuple[str, ...]
    """The first is optimised; empty for those that belong to the type of the task."""
    limits: Constraint
    """Every key set."""
    openml_task_id: int | None
    dataset: Any
    """As written; None for a task of OpenML."""


def sanitise(name: str) -> str:
    """A name as AMLB uses it for files and results: ``iris.tgz`` is ``iris_tgz``."""
    return re.sub(r"[^\w-]", "_", name)


def read_definition(
    path: Path, constraint: Constraint
) -> tuple[list[TaskDefinition], list[Problem]]:
    """Read tasks over their defaults, and notes. Raises UsageError, InvalidInputError."""
    document = read_document(path)
    entries = document.data
    if not isinstance(entries, list) or not all(isinstance(item, dict) for item in entries):
        document.report((), "must hold a list of tasks")
        raise_errors(document.problems)
    defaults: dict[str, Any] = next((e for e in entries if e.get("name") == _DEFAULTS), {})
    place = next((i for i, e in enumerate(entries) if e is defaults), 0)
    file_limits = parse_constraint(defaults, document, (place,)) if defaults else Constraint()
    tasks = [
        _task(entry, defaults, merge(file_limits, constraint, DEFAULTS), document, index)
        for index, entry in enumerate(entries)
        if entry is not defaults
    ]
    _check_names(tasks, document)
    if not tasks:
        document.report((), "holds no task")
    raise_errors(document.problems)
    return [task for task in tasks if task is not None], document.problems


def _task(
    entry: dict[str, Any], defaults: dict[str, Any], limits: Constraint, document: Document,
    index: int,
) -> TaskDefinition | None:  # fmt: skip
    task_limits = parse_constraint(entry, document, (index,))
    full = {**{k: v for k, v in defaults.items() if k != "name"}, **entry}
    for key in entry:
        if key not in _KEYS:
            document.report(
                (index, str(key)), "means nothing to the AutoML Benchmark and is left out.",
                severity="note",
            )  # fmt: skip
    name = full.get("name")
    if name is None:
        document.report((index,), "has no name")
        return None
    task_id, dataset = full.get("openml_task_id"), full.get("dataset")
    if entry.get("dataset") is not None and entry.get("openml_task_id") is None:
        task_id = None  # a default of the file must not make a second source
    if full.get("openml_dataset_id") is not None:
        document.report(
            (index, "openml_dataset_id"), "is not run by the AutoML Benchmark either.",
            "Name a task: openml_task_id.",
        )  # fmt: skip
    elif (task_id is None) == (dataset is None):
        document.report((index,), "needs one of openml_task_id and dataset")
    if task_id is not None and type(task_id) is not int:
        document.report((index, "openml_task_id"), "must be a whole number")
        task_id = None
    metric = full.get("metric")
    metrics = [] if metric is None else metric if isinstance(metric, list) else [metric]
    return TaskDefinition(
        name=sanitise(str(name)),
        id=str(full.get("id") or _id(task_id, dataset, str(name))),
        description=str(full.get("description") or ""),
        enabled=_flag(full.get("enabled", True), document, index),
        metrics=tuple(dict.fromkeys(map(str, metrics))),
        limits=merge(task_limits, limits),
        openml_task_id=task_id,
        dataset=dataset,
    )


def _id(task_id: int | None, dataset: Any, name: str) -> str:
    if task_id is not None:
        return f"openml.org/t/{task_id}"
    if isinstance(dataset, dict):
        return str(dataset.get("id") or name)
    return dataset if isinstance(dataset, str) else name


def _flag(value: Any, document: Document, index: int) -> bool:
    try:
        return TypeAdapter(bool).validate_python(str(value))
    except ValidationError:
        document.report((index, "enabled"), "must be true or false")
        return True


def _check_names(tasks: Sequence[TaskDefinition | None], document: Document) -> None:
    seen: set[str] = set()
    for index, task in enumerate(tasks):
        if task is None:
            continue
        if task.name.lower() in seen:
            document.report((index, "name"), f"'{task.name}' is the name of another task, too")
        seen.add(task.name.lower())


def enabled_tasks(
    tasks: Sequence[TaskDefinition], wanted: Collection[str]
) -> tuple[list[TaskDefinition], list[str]]:
    """The wanted tasks, else all that are enabled, and names left out. Raises UsageError."""
    if not wanted:
        return [t for t in tasks if t.enabled], [t.name for t in tasks if not t.enabled]
    by_name = {task.name.lower(): task for task in tasks}
    chosen_tasks = []
    for name in dict.fromkeys(sanitise(name).lower() for name in wanted):
        task = by_name.get(name)
        if task is None:
            raise UsageError(
                f"there is no task '{name}'", hint=f"Tasks are {', '.join(t.name for t in tasks)}."
            )
        if not task.enabled:
            raise UsageError(
                f"the task '{task.name}' is not enabled", hint="Take `enabled: false` out."
            )
        chosen_tasks.append(task)
    return chosen_tasks, []


def cores(task: TaskDefinition) -> float:
    wanted = task.limits.cores or -1
    return float(wanted) if wanted > 0 else Limits().cpus


def memory(task: TaskDefinition) -> int:
    wanted = task.limits.max_mem_size_mb or -1
    return wanted * 2**20 if wanted > 0 else Limits().memory


def budget(task: TaskDefinition) -> dict[str, Any]:
    seconds = task.limits.max_runtime_seconds or 3600
    return {
        "max_runtime_seconds": seconds,
        "job_timeout_seconds": job_timeout(seconds),
        "cores": max(1, int(cores(task))),
        "max_mem_size_mb": memory(task) // 2**20,
        "min_vol_size_mb": task.limits.min_vol_size_mb,
    }


def check_limits(tasks: Sequence[TaskDefinition], notes: Notes, file: str) -> None:
    plain: Constraint = tasks[0].limits
    if any((task.limits.cores or -1) < 1 for task in tasks):
        notes.note(file, f"cores are not set for some tasks; they get {Limits().cpus:g}")
    if any((task.limits.max_mem_size_mb or -1) < 1 for task in tasks):
        size = Limits().memory // 2**20
        notes.note(file, f"max_mem_size_mb is not set for some tasks; they get {size} MB")
    if any((task.limits.min_vol_size_mb or -1) > 0 for task in tasks):
        notes.note(file, "min_vol_size_mb is told to frameworks, and disks are not made larger")
    if plain.ec2_instance_type or plain.ec2_volume_type:
        notes.note(file, "keys of AWS are left out: cells run on the benchmark's own queue")
