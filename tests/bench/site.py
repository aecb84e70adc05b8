"""What the whole site of a large repository costs, at first and after one more record."""

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.bench import boards
from tests.bench.repository import add_commit, repository

ROOT = Path(__file__).parents[2]
TASKS = 20


def fill(root: Path, submissions: int, tasks: int = TASKS) -> None:
    """Commit a board with a record for each of its cells, and the project's own site sources."""
    boards.fill(root, submissions, tasks)
    files = {"mkdocs.yml": (ROOT / "mkdocs.yml").read_bytes(), ".gitignore": b"/build/\n"}
    for path in (ROOT / "site").rglob("*"):
        if path.is_file():
            files[path.relative_to(ROOT).as_posix()] = path.read_bytes()
    add_commit(root, files)


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
