"""What the whole site of a large repository costs, at first and after one more record."""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from evaluator.core.formats.record_lines import records_of
from evaluator.core.formats.scores_file import decode
from tests.bench import boards
from tests.bench.repository import add_commit, repository
from tests.bench.sizes import SMALL, size
from tests.repository import put_record

ROOT = Path(__file__).parents[2]
SUBMISSIONS, TASKS = size((10_000, 20), (40, 10))
PLAIN_PAGES = size(300, 3)
ROUNDS = size(3, 1)
PEOPLE = size((7, 70, 700), (1,))
"""Whose records are changed, one after the other."""


def fill(root: Path, submissions: int, tasks: int = TASKS) -> None:
    """Commit a board with a record for each of its cells, and the project's own site sources."""
    boards.fill(root, submissions, tasks)
    files = {"mkdocs.yml": (ROOT / "mkdocs.yml").read_bytes(), ".gitignore": b"/build/\n"}
    for path in (ROOT / "site").rglob("*"):
        if path.is_file():
            files[path.relative_to(ROOT).as_posix()] = path.read_bytes()
    add_commit(root, files)


def site_10k() -> Iterator[tuple[str, float, str]]:
    """Build the site of 10,000 submissions to 20 tasks, then thrice after one more record.

    Plain MkDocs is measured on fewer pages of the same text, and scaled: it takes a time in
    proportion to them, or longer.
    """
    with repository() as root:
        fill(root, SUBMISSIONS)
        site = root / "build/site"
        full = _build(root)
        page = site / "benchmarks/large/submissions/person0/entry0/index.html"
        page_text = page.read_text()
        size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
        bare = _plain(root, _article(page_text)) / PLAIN_PAGES * SUBMISSIONS
        again, changed = [], 0
        for person in PEOPLE:
            before = _times(site)
            _rescore(root, person)
            again.append(_build(root, watch=False))
            after = _times(site)
            changed = max(changed, sum(before.get(path) != time for path, time in after.items()))
    middle = sorted(again, key=lambda cost: cost.seconds)[len(again) // 2]
    frame = page_text.replace(_article(page_text), "")
    yield "page_frame_kb", len(frame.encode()) / 1e3, "kB around the content of a page"
    yield "page_kb", len(page_text.encode()) / 1e3, "kB, the page of a submission"
    yield "site_10k_mb", size / 1e6, "MB, the whole site"
    yield "site_full_10k", full.seconds, "s"
    yield "site_full_10k_processor", full.processor, "s of processors"
    yield "site_full_10k_memory", full.memory / 1e6, "MB, shared pages counted once"
    yield "site_full_10k_resident", full.resident / 1e6, "MB, shared pages counted for each process"
    spread = "".join(f", {cost.seconds:.1f}" for cost in again)[2:]
    yield "site_incremental_10k", middle.seconds, f"s, the middle one of {spread}"
    yield "site_incremental_10k_processor", middle.processor, "s of processors"
    yield "site_incremental_10k_written", changed, f"files of {len(after)}, the most of them"
    yield "site_full_10k_vs_mkdocs", full.seconds / bare, f"ratio, scaled from {PLAIN_PAGES} pages"


def site_50k() -> Iterator[tuple[str, float, str]]:
    """Build the site of 50,000 submissions to 20 tasks."""
    with repository() as root:
        fill(root, 5 * SUBMISSIONS)
        full = _build(root)
        size = sum(
            file.stat().st_size for file in (root / "build/site").rglob("*") if file.is_file()
        )
    yield "site_50k_mb", size / 1e6, "MB, the whole site"
    yield "site_50k_seconds", full.seconds, "s"
    yield "site_50k_memory", full.memory / 1e6, "MB, shared pages counted once"


def site_unchanged() -> Iterator[tuple[str, float, str]]:
    """Build a site in which nothing changed: of this repository, and of 10,000 submissions."""
    if not SMALL:
        yield "site_unchanged", _unchanged(ROOT), "s, the benchmarks of this repository"
    with repository() as root:
        fill(root, SUBMISSIONS)
        yield "site_unchanged_10k", _unchanged(root), "s"


def _unchanged(root: Path) -> float:
    """Seconds of a build after one that left nothing to do, the middle one of some."""
    _build(root, watch=False)
    return sorted(_build(root, watch=False).seconds for _ in range(ROUNDS))[ROUNDS // 2]


@dataclass(frozen=True, kw_only=True)
class _Cost:
    seconds: float
    processor: float
    """Seconds of all processes together."""
    memory: int
    """Bytes of all processes together."""
    resident: int
    """The same, pages that processes share counted for each of them."""


def _build(root: Path, *, watch: bool = True) -> _Cost:
    """Build in a process of its own; to watch its memory holds it up."""
    command = (sys.executable, "-m", "evaluator", "-C", str(root), "site")
    # As Python is by default, it keeps what it has compiled.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    memory = resident = 0
    began, before = time.perf_counter(), os.times()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=env) as process:
        watched = psutil.Process(process.pid)
        while watch and process.poll() is None:
            with contextlib.suppress(psutil.Error):
                family = [watched, *watched.children(recursive=True)]
                found = [one.memory_full_info() for one in family]
                memory = max(memory, sum(one.pss for one in found))
                resident = max(resident, sum(one.rss for one in found))
            time.sleep(0.5)
    assert process.returncode == 0  # waited for where the context ends
    after = os.times()
    return _Cost(
        seconds=time.perf_counter() - began,
        processor=after.children_user + after.children_system
        - before.children_user - before.children_system,
        memory=memory, resident=resident,
    )  # fmt: skip


def _article(page: str) -> str:
    """Return what stands within a built page, as a page for plain MkDocs has it."""
    return page.partition("<article")[2].partition(">")[2].partition("</article>")[0]


def _plain(root: Path, text: str) -> float:
    """Seconds of plain MkDocs with that many pages more, beyond those of the same site without."""
    took = []
    for pages in (0, PLAIN_PAGES):
        folder = root / f"build/plain-{pages}"
        shutil.copytree(root / "site", folder / "site")
        config = (root / "mkdocs.yml").read_text().replace("  - pullbench\n", "")
        (folder / "mkdocs.yml").write_text(config)
        for page in range(pages):
            (folder / f"site/page-{page}.md").write_text(text)
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "mkdocs", "build", "--quiet"], cwd=folder, check=True)
        took.append(time.perf_counter() - began)
    return took[1] - took[0]


def _rescore(root: Path, person: int) -> None:
    """Commit one record with another score."""
    file = root / f"submissions/large/person{person}/entry7/scores/final.json"
    scores = decode(file.read_bytes())
    record = next(one for one in records_of(scores) if one.cell.task == "task-7")
    halved = {key: value / 2 for key, value in record.scores.items()}
    put_record(root, record.model_copy(update={"scores": halved}))
    who = ["-c", "user.name=Bench", "-c", "user.email=bench@localhost"]
    subprocess.run(["git", "-C", str(root), *who, "commit", "-qam", "bench"], check=True)


def _times(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
