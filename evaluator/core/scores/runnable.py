"""Cells that this machine can run: its engine, and what it lacks for a cell."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from evaluator.core.compute.engine.resources import Capacity, grant, host_capacity
from evaluator.core.compute.engines import ENGINES, EngineKind, engine_kind
from evaluator.core.errors import UsageError, counted
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Task
from evaluator.core.formats.pinned_files import DATA_IDENTITY, UNLOCKED
from evaluator.core.formats.submission import Submission
from evaluator.core.planning.plan import PlannedCell
from evaluator.core.planning.snapshot import Snapshot


def runnable(
    snapshot: Snapshot,
    planned: Sequence[PlannedCell],
    name: str,
    too_large: Mapping[str, str],
    *,
    with_less: bool = False,
) -> tuple[list[PlannedCell], list[str]]:
    """Cells that can be evaluated here, and why others not; ``too_large`` is by path."""
    kind = engine_kind(engine_of(name, snapshot))
    capacity = kind.capacity()

    @cache
    def missing(benchmark: str, environment: str) -> Sequence[str]:
        return _missing(kind, snapshot, snapshot.benchmarks[benchmark], environment)

    cells: list[PlannedCell] = []
    counts: Counter[tuple[str, str, str]] = Counter()
    for item in planned:
        benchmark, phase = item.cell.benchmark, item.cell.phase
        environment = item.cell.submission.environment
        if reason := too_large.get(item.cell.submission.path, ""):
            pass
        elif packages := {*missing(benchmark.name, ""), *missing(benchmark.name, environment)}:
            reason = (
                f"this machine lacks {', '.join(sorted(packages))}; install them, or use Docker"
            )
        elif not _has_data(snapshot, [item.cell.task]):
            others = [
                f"'{other.name}'" for other in benchmark.phases if _has_data(snapshot, other.tasks)
            ]
            reason = "this machine does not have its private data; " + (
                f"it has all for {', '.join(others)}" if others else "no phase can be tried here"
            )
        elif (is_closed := _is_closed(snapshot, item.cell.submission)) and not has_key():
            reason = "this machine has no key for entries that are sealed"
        elif not kind.isolates and (
            is_closed or any(one.encrypted for one in item.cell.task.private)
        ):
            reason = "their data are encrypted, and are opened for containers alone; use Docker"
        elif not with_less and (less := shortfall(item, capacity)):
            reason = f"this machine has {less} that they ask for; --with-less evaluates them here"
        else:
            cells.append(item)
            continue
        counts[benchmark.name, phase.name, reason] += 1
    return cells, [
        f"left out: {counted(count, 'cells')} of {benchmark}, phase '{phase}': {reason}"
        for (benchmark, phase, reason), count in counts.items()
    ]


def labels_of(queue: str, queues: Mapping[str, Sequence[str]]) -> list[str]:
    """Labels of a queue's runners; one that the settings lack is itself a label."""
    return list(queues.get(queue, ["self-hosted", queue]))


def _missing(
    kind: EngineKind, snapshot: Snapshot, benchmark: Benchmark, environment: str
) -> Sequence[str]:
    path = f"{benchmark.context_path(environment)}/Dockerfile"
    dockerfile = snapshot.tree.read([path]).get(path, b"").decode(errors="replace")
    return kind.missing_packages(dockerfile)


def _has_data(snapshot: Snapshot, tasks: Iterable[Task]) -> bool:
    data = data_folder(snapshot)
    return all(
        item.url is not None
        or (has_key() if item.path is None else data is not None and (data / item.source).exists())
        for task in tasks
        for item in task.private
    )


def has_key() -> bool:
    return not os.environ.keys().isdisjoint((DATA_IDENTITY, UNLOCKED))


def needs_key(tasks: Iterable[Task]) -> bool:
    """Whether data of tasks are encrypted, to a key that this machine does not have."""
    return not has_key() and any(one.encrypted for task in tasks for one in task.private)


def _is_closed(snapshot: Snapshot, submission: Submission) -> bool:
    return submission.sealed is not None and not snapshot.tree.under(submission.opened_path)


def engine_of(name: str, snapshot: Snapshot) -> str:
    """Resolve ``auto``: no stranger's program runs without isolation since a daemon is dead."""
    if name != "auto":
        return name
    setting = snapshot.tree.clone_setting("engine")
    if setting not in ("", *ENGINES):
        raise UsageError(
            f"git config pullbench.engine is '{setting}'", hint=f"Engines: {', '.join(ENGINES)}."
        )
    return setting or "docker"


def data_folder(snapshot: Snapshot) -> Path | None:
    return snapshot.tree.root / snapshot.settings.data if snapshot.settings.data else None


def shortfall(item: PlannedCell, capacity: Capacity | None = None) -> str:
    """What a cell asks for and a machine, by default this one, does not have; or nothing."""
    cell = item.cell
    gpus = 0 if cell.scores_files else cell.benchmark.gpus
    asked = cell.benchmark.limits_of(cell.task)
    return grant(asked, gpus, capacity or host_capacity()).shortfall
