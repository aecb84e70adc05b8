"""What a cell costs beyond its containers, and what parallel lanes lose."""

import os
import statistics
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from evaluator.core.clock import utc_now
from evaluator.core.compute.contents import JobContents
from evaluator.core.compute.engine.docker_client import connect
from evaluator.core.compute.engine.docker_engine import DockerEngine
from evaluator.core.compute.store import PredictionStore
from evaluator.core.compute.worker import Worker
from evaluator.core.planning.export import Exporter
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.core.scores.jobs import make_job
from evaluator.core.scores.running import run
from evaluator.importing.private_parts import LocalPrivateParts
from tests.bench.figures import Value
from tests.bench.repository import add_commit, bundle, repository, submission
from tests.bench.sizes import size

ROUNDS = size(20, 2)
CELLS, LANES, SECONDS = size((16, 8, 5), (4, 2, 0.1))
# The flags that the engine sets, on the command line.
FLAGS = [
    "--network=none",
    "--read-only",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    "--pids-limit=256",
    "--memory=256m",
    "--memory-swap=256m",
    "--cpus=1",
    "--user=65534:65534",
    "--ulimit=nofile=4096:4096",
    "--ulimit=core=0:0",
    "--tmpfs=/tmp:rw,nosuid,nodev,noexec,size=134217728",
    "--shm-size=134217728",
    "--log-driver=json-file",
    "--log-opt=max-size=2m",
    "--log-opt=max-file=1",
]


def cell_overhead() -> Iterator[Value]:
    """One no-op cell, which is two containers, against two bare ``docker run --rm``.

    And against the same cell where containers share the files of its folders.
    """
    with repository() as root:
        add_commit(root, bundle("noop", "cp --version") | submission("noop", "ada", "entry"))
        taken = load_snapshot(root)
        planned = make_local_plan(taken, utc_now()).missing
        client = connect()
        if client is None:
            raise SystemExit("no Docker engine answers")
        scratch = root / "build"
        scratch.mkdir()
        empty = scratch / "empty"
        empty.mkdir()
        engine = DockerEngine(client, taken.settings, f"bench-{os.getpid()}", empty=empty)
        second_client = connect()
        assert second_client is not None
        sharing = DockerEngine(second_client, taken.settings, f"bench-{os.getpid()}-sharing")
        store = PredictionStore(scratch / "store", engine.isolation)
        private = LocalPrivateParts(
            data=None, cache=scratch / "fetched", memory=Path, limit=0, isolated=True
        )
        exporter = Exporter(taken.tree, scratch / "trees")
        source = JobContents(exporter, private)
        job = make_job(taken, planned[0].cell, exporter)
        try:
            # What an engine looks up once, it does not look up with each cell.
            for each in (engine, sharing):
                Worker(each, store, source, scratch, utc_now, 0).evaluate(job, fresh=True)
            assert sharing.shares_files and not engine.shares_files
            cells: list[float] = []
            shared_cells: list[float] = []
            runs: list[float] = []
            for _ in range(ROUNDS):
                # One run makes a prediction once; so each round is a run of its own.
                for each, seconds in ((engine, cells), (sharing, shared_cells)):
                    worker = Worker(each, store, source, scratch, utc_now, 0)
                    began = time.perf_counter()
                    record = worker.evaluate(job, fresh=True).record
                    seconds.append(time.perf_counter() - began)
                    assert record.status == "finished", record.error
                    assert len(record.steps) == 2 and not record.provenance.reused_predictions
                began = time.perf_counter()
                _bare_runs(root / "benchmarks" / "noop", scratch / "out")
                runs.append(time.perf_counter() - began)
        finally:
            engine.close()
            sharing.close()
    yield "cell_overhead_vs_docker_run", statistics.median(cells) / statistics.median(runs), "ratio"
    ratio = statistics.median(cells) / statistics.median(shared_cells)
    yield "cell_with_overlays_vs_bind_mounts", ratio, "ratio"
    yield "cell_seconds", statistics.median(cells), "s"
    yield "two_docker_runs_seconds", statistics.median(runs), "s"


def _bare_runs(bundle_folder: Path, output: Path) -> None:
    output.mkdir(exist_ok=True)
    output.chmod(0o777)
    mounts = [
        f"--volume={bundle_folder}/ingestion:/app/ingested_program:ro",
        f"--volume={output}:/app/output",
    ]
    for command in (["cp", "--version"], ["cp", "/app/program/scores.json", "/app/output"]):
        subprocess.run(
            ["docker", "run", "--rm", *FLAGS, *mounts,
             f"--volume={bundle_folder}/scoring:/app/program:ro", "--workdir=/app/program",
             "python:3.11-slim", *command],
            check=True, capture_output=True,
        )  # fmt: skip


def parallel_efficiency() -> Iterator[Value]:
    """Sixteen cells that sleep for five seconds, on eight lanes: ten seconds at best."""
    with repository() as root:
        files = bundle("sleep", f"sleep {SECONDS}")
        for index in range(CELLS):
            files |= submission("sleep", f"person{index}", "entry")
        add_commit(root, files)
        taken = load_snapshot(root)
        planned = make_local_plan(taken, utc_now()).missing
        began = time.perf_counter()
        done = run(taken, planned, engine="docker", lanes=LANES)
        seconds = time.perf_counter() - began
        assert len(done.records) == CELLS and not done.failed, done.failed
    yield "parallel_efficiency", CELLS / LANES * SECONDS / seconds, "ratio"
    yield "parallel_seconds", seconds, "s"
