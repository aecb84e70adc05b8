"""What a cell costs more through Dask than in this machine's lanes."""

import logging
import os
import time
from collections.abc import Iterator
from pathlib import Path

from evaluator.core.clock import utc_now
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.core.scores.running import run
from tests.bench.figures import Value
from tests.bench.repository import add_commit, bundle, repository, submission
from tests.bench.sizes import size

CELLS = int(os.environ.get("BENCH_CELLS", size("100", "2")))
WORKERS = size(2, 1)
SETTINGS = f"""\
[tool.pullbench.executors.two]
cluster = "LocalCluster"
options = {{n_workers = {WORKERS}, threads_per_worker = 2, dashboard_address = ""}}
"""


def dask_cell_overhead() -> Iterator[Value]:
    """No-op cells through two workers and through two lanes, from the first end to the last.

    A lane predicts and scores at once, two cells, as a worker with two threads does.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with repository() as root:
        files = {"pyproject.toml": SETTINGS.encode(), **bundle("noop", "cp --version")}
        for index in range(CELLS):
            files |= submission("noop", f"person{index}", "entry")
        add_commit(root, files)
        os.environ["PULLBENCH_CACHE"] = str(root / "worker")
        lanes = _seconds(root, "local")
        workers = _seconds(root, "two")
    yield "dask_cell_overhead", workers / lanes, "ratio"
    yield "lane_cell_seconds", lanes, "s"
    yield "dask_cell_seconds", workers, "s"


def _seconds(root: Path, executor: str) -> float:
    taken = load_snapshot(root)
    planned = make_local_plan(taken, utc_now()).missing
    assert len(planned) == CELLS
    ends: list[float] = []

    def show(*_: object) -> str:
        ends.append(time.perf_counter())
        return ""

    done = run(
        taken, planned, engine="subprocess", executor=executor, lanes=2, show=show,
        output=root / "build" / executor,
    )  # fmt: skip
    assert len(done.records) == CELLS and not done.failed, done.failed
    return (ends[-1] - ends[0]) / (CELLS - 1)
