"""How long a participant waits for the verdict of an entry that takes a second.

The jobs run one after the other under act, in front of a forge on this machine. act installs
nothing, so what their set-up installs is added, without a cache, as each job of the forge does.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Value
from tests.bench.sizes import timed
from tests.workflows.forge import loopback_forge
from tests.workflows.rules import parse
from tests.workflows.scene import GOOD, Scene

WORKFLOW = Path(__file__).parents[2] / ".github/workflows/evaluate.yml"
JOBS = ("receive", "cells", "finish")
"""Those that a participant waits for where a policy approves."""
SLOW = f"import time\ntime.sleep(1)\n{GOOD}"


def verdict() -> Iterator[Value]:
    """From the event to the comment with the score."""
    with loopback_forge() as forge, tempfile.TemporaryDirectory(prefix="bench-") as folder:
        scene = Scene(Path(folder), forge)
        scene.set_policy("{approve: {code: everyone}, merge: true}")
        scene.enter(content=SLOW)
        runs = []
        seconds, _ = timed(lambda: runs.append(scene.pull("opened", "evaluate")))
        if any(runs[0].results[job] != "success" for job in JOBS):
            raise RuntimeError(runs[0].log)
        installing = sum(_installing(job, Path(folder)) for job in JOBS)
    yield "verdict_seconds", seconds + installing, "s"
    yield "verdict_installing_seconds", installing, "s"
    yield "verdict_jobs", len(JOBS), "jobs"


def _installing(job: str, folder: Path) -> float:
    """Seconds of what a job's set-up installs into an empty environment."""
    steps = parse(WORKFLOW.read_text())["jobs"][job]["steps"]
    (lock,) = (step["with"]["lock"] for step in steps if "lock" in step.get("with", {}))
    environment = folder / f"environment-{job}"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    root = WORKFLOW.parents[2]
    options = ("--quiet", "--require-hashes", "--only-binary=:all:")
    command = [
        str(root / ".github/actions/setup/install.sh"), str(environment / "bin/python"), *options,
        "-r", str(root / f".github/locks/{lock}.txt"),
    ]  # fmt: skip
    uncached = {**os.environ, "UV_NO_CACHE": "1"}
    return timed(lambda: subprocess.run(command, check=True, env=uncached))[0]
