"""What this machine can run: the engine that it has, and what it lacks for a cell."""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, cast

from evaluator.compute.encryption import IDENTITY_VARIABLE
from evaluator.compute.engine.host_packages import debian_packages, missing_packages
from evaluator.errors import UsageError
from evaluator.formats.bundle import Benchmark
from evaluator.formats.phases import Task
from evaluator.planning.plan import PlannedCell
from evaluator.planning.snapshot import Snapshot

EngineName = Literal["auto", "docker", "subprocess", "warm"]
_ENGINES = ("docker", "subprocess", "warm")


def runnable(
    taken: Snapshot, planned: Sequence[PlannedCell], name: EngineName
) -> tuple[list[PlannedCell], list[str]]:
    """Return the cells that this machine has all for, and a line for each reason to leave others.

    A runner of a queue is to have everything, so there such cells are platform faults instead.
    """
    isolated = engine_of(name, taken) == "docker"
    lacking = {
        benchmark.name: () if isolated else _lacking(taken, benchmark)
        for benchmark in {
            item.cell.benchmark.name: item.cell.benchmark for item in planned
        }.values()
    }
    cells: list[PlannedCell] = []
    counts: Counter[tuple[str, str, str]] = Counter()
    for item in planned:
        benchmark, phase = item.cell.benchmark, item.cell.phase
        if packages := lacking[benchmark.name]:
            reason = f"this machine lacks {', '.join(packages)}; install them, or use Docker"
        elif not _has_data(taken, [item.cell.task]):
            others = [f"'{one.name}'" for one in benchmark.phases if _has_data(taken, one.tasks)]
            reason = "this machine does not have its private data; " + (
                f"it has all for {', '.join(others)}" if others else "no phase can be tried here"
            )
        else:
            cells.append(item)
            continue
        counts[benchmark.name, phase.name, reason] += 1
    return cells, [
        f"left out: {count} cells of {benchmark}, phase '{phase}': {reason}"
        for (benchmark, phase, reason), count in counts.items()
    ]


def _lacking(taken: Snapshot, benchmark: Benchmark) -> Sequence[str]:
    path = f"{benchmark.path}/Dockerfile"
    dockerfile = taken.tree.read([path]).get(path, b"").decode(errors="replace")
    return missing_packages(debian_packages(dockerfile))


def _has_data(taken: Snapshot, tasks: Iterable[Task]) -> bool:
    data = data_folder(taken)
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


def engine_of(name: EngineName, taken: Snapshot) -> EngineName:
    """Resolve ``auto``: Docker, or what this clone was told once.

    Programs of strangers never run without isolation because a daemon happens to be dead.
    """
    if name != "auto":
        return name
    setting = taken.tree.clone_setting("engine")
    if setting not in ("", *_ENGINES):
        raise UsageError(
            f"git config pullbench.engine is '{setting}'", hint=f"Engines: {', '.join(_ENGINES)}."
        )
    return cast("EngineName", setting) or "docker"


def data_folder(taken: Snapshot) -> Path | None:
    """Return this machine's folder of private data; None where it has none."""
    return taken.tree.root / taken.settings.data if taken.settings.data else None
