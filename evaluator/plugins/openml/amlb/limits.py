"""Limits of a definition's tasks, and those that no container can be given."""

from collections.abc import Sequence
from typing import Any

from evaluator.core.formats.extension import Limits
from evaluator.core.importers.notes import Notes
from evaluator.plugins.openml.amlb.constraints import Constraint, job_timeout
from evaluator.plugins.openml.amlb.definition import TaskDefinition


def cores(task: TaskDefinition) -> float:
    """Return the cores of a task; those of a bundle's default where it sets none."""
    wanted = task.limits.cores or -1
    return float(wanted) if wanted > 0 else Limits().cpus


def memory(task: TaskDefinition) -> int:
    """Return the bytes of memory of a task; those of a bundle's default where it sets none."""
    wanted = task.limits.max_mem_size_mb or -1
    return wanted * 2**20 if wanted > 0 else Limits().memory


def budget(task: TaskDefinition) -> dict[str, Any]:
    """Return what a framework may use, as it reads it."""
    seconds = task.limits.max_runtime_seconds or 3600
    return {
        "max_runtime_seconds": seconds,
        "job_timeout_seconds": job_timeout(seconds),
        "cores": max(1, int(cores(task))),
        "max_mem_size_mb": memory(task) // 2**20,
        "min_vol_size_mb": task.limits.min_vol_size_mb,
    }


def check_limits(tasks: Sequence[TaskDefinition], notes: Notes, file: str) -> None:
    """Note the limits that no container can be given, and the defaults."""
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
