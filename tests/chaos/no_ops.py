"""Containers that do nothing: the answer of each is copied from the submission to the scores."""

import shutil
import time
from pathlib import Path

from evaluator.core.compute import executors, mounts
from evaluator.core.compute.engine.spec import ExitReport, Image, Isolation, Running, RunSpec
from evaluator.plugins.host.host_kinds import HostKind
from evaluator.plugins.host.host_process import HostProcess
from evaluator.plugins.host.subprocess_engine import SubprocessEngine

SCORES = "scores.json"
"""In a submission: the scores that it is to get."""


class Ended:
    """A container that is over."""

    network = "none"

    def wait(self) -> ExitReport:
        return ExitReport(
            exit_code=0, stopped_by=None, wall_seconds=0.0, cpu_seconds=0.0, peak_memory=1,
            log=b"", ended=time.time(),
        )  # fmt: skip

    def kill(self) -> None:
        """It is over."""


class NoOps(SubprocessEngine):
    """Says that it isolates what it does not even start."""

    isolation: Isolation = "docker"
    name = "no-ops"

    def prepare(self, image: Image) -> str | None:
        return f"sha256:{'0' * 64}"

    def start(self, spec: RunSpec) -> Running:
        seen = {mount.target: mount.source for mount in spec.mounts} | {
            target: Path(output.source) for target, output in spec.outputs.items()
        }
        place = mounts.PREDICTIONS if mounts.PREDICTIONS in seen else mounts.INGESTED_PROGRAM
        shutil.copy(seen[place] / SCORES, seen[mounts.OUTPUT] / SCORES)
        return Ended()

    def forget(self, process: HostProcess) -> bool:  # pragma: no cover - there is none
        raise AssertionError(process)


def replace() -> None:
    """Put it in the place of every engine of this process."""
    vars(executors)["engine_kind"] = lambda _: HostKind(NoOps)
