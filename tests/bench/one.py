"""What a process costs that plans, or evaluates, a single cell."""

import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Value
from tests.bench.repository import add_commit, bundle, repository, submission
from tests.bench.sizes import size, timed

ROUNDS = size(7, 1)


def one_cell() -> Iterator[Value]:
    """Plan one cell, and evaluate one in containers; the daemon's own time is not counted."""
    with repository() as root:
        add_commit(root, bundle("small", "sleep 0") | submission("small", "alice", "one"))
        _processor_seconds(root, "run")  # the image's copy of Python is looked at once
        plan, run = [], []
        for _ in range(ROUNDS):
            shutil.rmtree(root / "submissions/small/alice/one/scores")
            plan.append(_processor_seconds(root, "plan"))
            run.append(_processor_seconds(root, "run", "--fresh"))
    yield "plan_one_cpu", statistics.median(plan), "s of processors"
    yield "run_one_cell_cpu", statistics.median(run), "s of processors"


def _processor_seconds(root: Path, *arguments: str) -> float:
    command = [sys.executable, "-m", "evaluator", "-C", str(root), *arguments]
    return timed(lambda: subprocess.run(command, check=True, capture_output=True))[1]
