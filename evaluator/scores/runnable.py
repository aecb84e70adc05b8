"""Cells that this machine can run: its engine, and what it lacks for a cell."""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import cast

from evaluator.compute.encryption import IDENTITY_VARIABLE
from evaluator.compute.engine.docker_engine import capacity_of, connect
from evaluator.compute.engine.faults import platform_faults
from evaluator.compute.engine.host_packages import debian_packages, missing_packages
from evaluator.compute.engine.registry import EngineName
from evaluator.compute.engine.spec import Capacity
from evaluator.compute.engine.this_machine import host_capacity
from evaluator.errors import UsageError, counted
from evaluator.formats.bundle import Benchmark
from evaluator.formats.phases import Task
from evaluator.planning.ownership import oversized
from evaluator.planning.plan import PlannedCell
from evaluator.planning.snapshot import Snapshot
from evaluator.scores.capacity import too_small

_ENGINES = ("docker", "subprocess", "warm")


def runnable(
    snapshot: Snapshot,
    planned: Sequence[PlannedCell],
    name: EngineName,
    *,
    with_less: bool = False,
) -> tuple[list[PlannedCell], list[str]]:
    """Return the cells that this machine can evaluate, and a line for each reason to skip others.

    A runner of a queue is to have everything, so there such cells are platform faults instead.
    """
    isolated = engine_of(name, snapshot) == "docker"
    capacity = _capacity(isolated=isolated)

    @cache
    def lacking(benchmark: str, environment: str) -> Sequence[str]:
        return () if isolated else _lacking(snapshot, snapshot.benchmarks[benchmark], environment)

    paths = sorted({item.cell.submission.path for item in planned})
    too_large = oversized(snapshot.tree, paths, snapshot.settings)
    cells: list[PlannedCell] = []
    counts: Counter[tuple[str, str, str]] = Counter()
    for item in planned:
        benchmark, phase = item.cell.benchmark, item.cell.phase
        environment = item.cell.submission.environment
        if reason := too_large.get(item.cell.submission.path, ""):
            pass
        elif packages := {*lacking(benchmark.name, ""), *lacking(benchmark.name, environment)}:
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
        elif not with_less and (less := too_small(item, capacity)):
            reason = f"this machine has {less} that they ask for; --with-less evaluates them here"
        else:
            cells.append(item)
            continue
        counts[benchmark.name, phase.name, reason] += 1
    return cells, [
        f"left out: {counted(count, 'cells')} of {benchmark}, phase '{phase}': {reason}"
        for (benchmark, phase, reason), count in counts.items()
    ]


def _capacity(*, isolated: bool) -> Capacity:
    """Return what the machine has on which programs run, which may be the daemon's."""
    client = connect() if isolated else None
    if client is None:
        return host_capacity()
    with client, platform_faults("ask the Docker engine what its machine has"):
        return capacity_of(client.info())


def _lacking(snapshot: Snapshot, benchmark: Benchmark, environment: str) -> Sequence[str]:
    path = f"{benchmark.context_path(environment)}/Dockerfile"
    dockerfile = snapshot.tree.read([path]).get(path, b"").decode(errors="replace")
    return missing_packages(debian_packages(dockerfile))


def _has_data(snapshot: Snapshot, tasks: Iterable[Task]) -> bool:
    data = data_folder(snapshot)
    return all(
        item.url is not None
        or (
            IDENTITY_VARIABLE in os.environ
            if item.path is None
            else data is not None and (data / item.source).exists()
        )
        for task in tasks
        for item in task.private
    )


def engine_of(name: EngineName, snapshot: Snapshot) -> EngineName:
    """Resolve ``auto``: Docker, or the engine that this clone is configured with.

    Programs of strangers never run without isolation because a daemon happens to be dead.
    """
    if name != "auto":
        return name
    setting = snapshot.tree.clone_setting("engine")
    if setting not in ("", *_ENGINES):
        raise UsageError(
            f"git config pullbench.engine is '{setting}'", hint=f"Engines: {', '.join(_ENGINES)}."
        )
    return cast("EngineName", setting) or "docker"


def data_folder(snapshot: Snapshot) -> Path | None:
    """Return this machine's folder of private data; None where it has none."""
    return snapshot.tree.root / snapshot.settings.data if snapshot.settings.data else None
