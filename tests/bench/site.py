"""What the whole site of a large repository costs, at first and after one more record."""

import contextlib
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from evaluator import pipeline
from evaluator.clock import utc_now
from evaluator.planning.plan import cells
from tests.bench.repository import add_commit, bundle, repository, submission

ROOT = Path(__file__).parents[2]
TASKS = 20
LOG = "epoch {epoch}: loss {loss:.6f}, accuracy {score:.6f}, 12.5 s, learning rate 0.001\n"


def fill(root: Path, submissions: int, tasks: int = TASKS) -> None:
    """Commit the project's own site sources and a board with a record for each of its cells."""
    files = bundle("large", "sleep 0", tasks)
    for index in range(submissions):
        files |= submission("large", f"person{index // 5}", f"entry{index % 5}")
    files["mkdocs.yml"] = (ROOT / "mkdocs.yml").read_bytes()
    for path in (ROOT / "site").rglob("*"):
        if path.is_file():
            files[path.relative_to(ROOT).as_posix()] = path.read_bytes()
    files[".gitignore"] = b"/build/\n"
    add_commit(root, files, checkout=False)
    add_commit(root, _records(root))


def _records(root: Path) -> Iterator[tuple[str, bytes]]:
    """A record of about 2.6 kB for each cell, as real ones are; one in a hundred is a failure."""
    chance = random.Random(8)  # noqa: S311
    for place, cell in enumerate(cells(pipeline.snapshot(root, "HEAD"), utc_now())):
        score = chance.random()
        failed = chance.random() < 0.01
        record = {
            "version": 1,
            "cell": {
                "benchmark": cell.id.benchmark, "participant": cell.id.participant,
                "submission": cell.id.submission, "phase": cell.id.phase, "task": cell.id.task,
            },
            "keys": {
                "prediction": cell.keys.prediction, "score": cell.keys.score,
                "parts": dict(cell.keys.parts),
            },
            "status": "failed" if failed else "finished",
            "scores": {} if failed else {"score": score},
            "steps": [
                {"step": step, "wall_seconds": chance.uniform(1, 60),
                 "cpu_seconds": chance.uniform(1, 60), "exit_code": 0, "gpus": [],
                 "peak_memory": chance.randrange(2**26, 2**28),
                 "log": "".join(LOG.format(epoch=epoch, loss=chance.random(), score=score)
                                for epoch in range(3))}
                for step in ("ingestion", "scoring")
            ],
            "provenance": {
                "submission_tree": cell.keys.parts["submission"],
                "commit": f"{place:040x}",
                "submitted": f"2026-01-{1 + place // TASKS % 28:02}T00:00:00+00:00",
                "started": "2026-02-01T00:00:00.123456+00:00",
                "finished": f"2026-02-01T00:{place % 60:02}:00.123456+00:00",
                "evaluator": "0.1.0", "image": "python:3.11-slim",
                "image_id": f"sha256:{'5' * 64}", "isolation": "docker",
                "queue": "default", "cpu": "bench", "cpus": 2, "memory": 2**34,
            },
        }  # fmt: skip
        if failed:
            record["error"] = {
                "actor": "participant", "reason": "timed out", "step": "ingestion",
                "message": "took longer than 60 s", "hint": "Make it faster.",
            }  # fmt: skip
        yield cell.id.record_path, (json.dumps(record, indent=2, sort_keys=True) + "\n").encode()


def site_large(submissions: int = 10_000) -> Iterator[tuple[str, float, str]]:
    """Build the site of a large repository, then again, then after one more record."""
    with repository() as root:
        fill(root, submissions)
        full = _build(root)
    yield f"site_full_{submissions}", full.seconds, "s"
    yield f"site_full_{submissions}_memory", full.peak / 1e6, "MB"


@dataclass(frozen=True, kw_only=True)
class _Cost:
    seconds: float
    cpu: float
    peak: int
    """Bytes of all processes together, pages that they share counted once for each."""


def _build(root: Path, *command: str) -> _Cost:
    began, peak = time.perf_counter(), 0
    command = command or (sys.executable, "-m", "evaluator", "-C", str(root), "site")
    with subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL) as process:
        watched = psutil.Process(process.pid)
        cpu = 0.0
        while process.poll() is None:
            with contextlib.suppress(psutil.Error):
                family = [watched, *watched.children(recursive=True)]
                peak = max(peak, sum(one.memory_info().rss for one in family))
                times = [one.cpu_times() for one in family]
                cpu = max(cpu, sum(one.user + one.system for one in times))
            time.sleep(0.1)
    assert process.returncode == 0
    return _Cost(seconds=time.perf_counter() - began, cpu=cpu, peak=peak)
