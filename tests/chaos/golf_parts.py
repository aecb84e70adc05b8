"""Parts in place of a machine's in commands of a season: its clock, and often its containers.

The clock is the season's. A container of an entry gets the score that its program reaches; one
that screens an entry runs the bundle's own program here, without a container.
"""

import datetime as dt
import itertools
import json
import math
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from evaluator.ci.forge import connection
from evaluator.ci.git import partial_clone
from evaluator.core import clock
from evaluator.core.compute import executors, mounts
from evaluator.core.compute.engine.spec import ExitReport, Running, RunSpec
from evaluator.plugins.host.host_kinds import HostKind
from evaluator.plugins.screening import screening
from tests.chaos.golf_entries import scores_of
from tests.chaos.no_ops import Ended, NoOps

NOW, IN_CONTAINERS, KILL = "GOLF_NOW", "GOLF_IN_CONTAINERS", "GOLF_KILL"
"""Variables: seconds since 1970 at which a command begins, whether Docker runs its cells, and the
exchange with the forge or a remote at which it is killed, before an odd one and after an even."""
NOISE = "GOLF_NOISE"
"""Variable: standard deviation of the log of scores, of which each run of an entry draws one."""
SECONDS, SCORING_SECONDS = 8, 1
"""How long containers take by the season's clock."""
_passed = [0.0]


class Timed(Ended):
    """A container that is over, some seconds later."""

    def __init__(self, exit_code: int, seconds: int = SECONDS) -> None:
        self._exit_code, self._seconds = exit_code, seconds

    def wait(self) -> ExitReport:
        _passed[0] += self._seconds
        return ExitReport(
            exit_code=self._exit_code, stopped_by=None, wall_seconds=self._seconds, cpu_seconds=1,
            peak_memory=2**20, log=b"", ended=clock.utc_now().timestamp(),
        )  # fmt: skip


class Racers(NoOps):
    """Gives each entry the score that its program says."""

    def start(self, spec: RunSpec) -> Running:
        seen = {mount.target: mount.source for mount in spec.mounts} | {
            target: Path(output.source) for target, output in spec.outputs.items()
        }
        if mounts.PREDICTIONS in seen:
            score_file = seen[mounts.PREDICTIONS] / "score"
            (seen[mounts.OUTPUT] / "scores.json").write_bytes(score_file.read_bytes())
            return Timed(0, SCORING_SECONDS)
        if mounts.INGESTED_PROGRAM in seen:
            scores = scores_of((seen[mounts.INGESTED_PROGRAM] / "model.py").read_bytes())
            if not scores:
                return Timed(1)
            score = scores[int(spec.environment["PULLBENCH_REPEAT"])]
            noise = random.SystemRandom().gauss(0, float(os.environ.get(NOISE, "0")))
            said = json.dumps({"val_bpb": score * math.exp(noise)})
            (seen[mounts.OUTPUT] / "score").write_text(said)
            return Timed(0)
        return Timed(_on_this_machine(spec, seen))


def _on_this_machine(spec: RunSpec, seen: dict[str, Path]) -> int:
    """Run a program of the bundle, with this machine's paths in place of the container's."""
    text = shlex.join(spec.command)
    for target in sorted(seen, key=len, reverse=True):
        text = text.replace(target, str(seen[target]))
    command = [sys.executable, *shlex.split(text)[1:]]
    return subprocess.run(command, check=False, capture_output=True).returncode


def _killed_at(number: int) -> None:
    """Count exchanges, before and after each, and end at one of them."""
    count = itertools.count(1)

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **more: Any) -> Any:
            if next(count) == number:
                os.kill(os.getpid(), signal.SIGKILL)
            try:
                return function(*arguments, **more)
            finally:
                if next(count) == number:
                    os.kill(os.getpid(), signal.SIGKILL)

        return call

    for place, name in ((connection.Connection, "_once"), (partial_clone, "run_watched")):
        setattr(place, name, counted(getattr(place, name)))


def _wait(seconds: float) -> None:
    """Let the season's clock go on, and not this machine's."""
    _passed[0] += seconds


def replace() -> None:
    """Put them in the place of this process's."""
    vars(connection)["time"] = SimpleNamespace(sleep=_wait, monotonic=time.monotonic)
    if KILL in os.environ:
        _killed_at(int(os.environ[KILL]))
    began = dt.datetime.fromtimestamp(float(os.environ[NOW]), dt.UTC)
    start = clock._running()
    vars(clock)["began"] = lambda: (began, start)
    real = clock._running
    vars(clock)["_running"] = lambda: real() + _passed[0]
    if not os.environ.get(IN_CONTAINERS):
        for module in (executors, screening):
            vars(module)["engine_kind"] = lambda _: HostKind(Racers)
