"""Parts in place of a machine's in commands of a season: its clock, and often its containers.

The clock is the season's. A container of an entry gets the score that its program reaches; one
that screens an entry runs the bundle's own program here, without a container.
"""

import datetime as dt
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

from evaluator.core import clock
from evaluator.core.compute import executors, mounts
from evaluator.core.compute.engine.spec import ExitReport, Running, RunSpec
from evaluator.plugins.host.host_kinds import HostKind
from evaluator.plugins.screening import screening
from tests.chaos.golf_entries import scores_of
from tests.chaos.no_ops import Ended, NoOps

NOW, IN_CONTAINERS = "GOLF_NOW", "GOLF_IN_CONTAINERS"
"""Variables: seconds since 1970 at which a command begins, and whether Docker runs its cells."""
_SECONDS = 8
"""How long each container takes by the season's clock."""
_passed = [0.0]


class Timed(Ended):
    """A container that is over, some seconds later."""

    def __init__(self, exit_code: int) -> None:
        self._exit_code = exit_code

    def wait(self) -> ExitReport:
        _passed[0] += _SECONDS
        return ExitReport(
            exit_code=self._exit_code, stopped_by=None, wall_seconds=_SECONDS, cpu_seconds=1,
            peak_memory=2**20, log=b"", ended=clock.utc_now().timestamp(),
        )  # fmt: skip


class Racers(NoOps):
    """Gives each entry the score that its program says."""

    def start(self, spec: RunSpec) -> Running:
        seen = {mount.target: mount.source for mount in spec.mounts} | {
            target: Path(output.source) for target, output in spec.outputs.items()
        }
        if mounts.PREDICTIONS in seen:
            said = (seen[mounts.PREDICTIONS] / "score").read_bytes()
            (seen[mounts.OUTPUT] / "scores.json").write_bytes(said)
        elif mounts.INGESTED_PROGRAM in seen:
            scores = scores_of((seen[mounts.INGESTED_PROGRAM] / "model.py").read_bytes())
            if not scores:
                return Timed(1)
            score = {"val_bpb": scores[int(spec.environment["PULLBENCH_REPEAT"])]}
            (seen[mounts.OUTPUT] / "score").write_text(json.dumps(score))
        else:
            return Timed(_on_this_machine(spec, seen))
        return Timed(0)


def _on_this_machine(spec: RunSpec, seen: dict[str, Path]) -> int:
    """Run a program of the bundle, with this machine's paths in place of the container's."""
    text = shlex.join(spec.command)
    for target in sorted(seen, key=len, reverse=True):
        text = text.replace(target, str(seen[target]))
    command = [sys.executable, *shlex.split(text)[1:]]
    return subprocess.run(command, check=False, capture_output=True).returncode


def replace() -> None:
    """Put them in the place of this process's."""
    began = dt.datetime.fromtimestamp(float(os.environ[NOW]), dt.UTC)
    start = clock._running()
    vars(clock)["began"] = lambda: (began, start)
    real = clock._running
    vars(clock)["_running"] = lambda: real() + _passed[0]
    if not os.environ.get(IN_CONTAINERS):
        for module in (executors, screening):
            vars(module)["engine_kind"] = lambda _: HostKind(Racers)
