"""What the whole site of a large repository costs, at first and after one more record."""

import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from evaluator.core.formats.record_lines import records_of
from evaluator.core.formats.scores_file import decode
from tests.bench.boards import ROOT, large_repository
from tests.bench.figures import Value
from tests.bench.sizes import SMALL, SUBMISSIONS, size
from tests.repository import put_record

PLAIN_PAGES = size(300, 3)
ROUNDS = size(3, 1)


@dataclass(frozen=True, kw_only=True)
class _Cost:
    seconds: float
    processor: float
    """Seconds of all processes together."""
    memory: int
    """Bytes of all processes together."""
    resident: int
    """The same, pages that processes share counted for each of them."""


def site_10k() -> Iterator[Value]:
    """Build the site of 10,000 submissions to 20 tasks, then thrice after one more record.

    Plain MkDocs is measured on fewer pages of the same text, and scaled: it takes a time in
    proportion to them, or longer.
    """
    root = large_repository(SUBMISSIONS)
    full, size = _full(root)
    site = root / "build/site"
    page = site / "benchmarks/large/submissions/person0/entry0/index.html"
    page_text = page.read_text()
    bare = _plain(root, _article(page_text)) / PLAIN_PAGES * SUBMISSIONS
    yield from _incremental(root, SUBMISSIONS, "10k")
    frame = page_text.replace(_article(page_text), "")
    yield "page_frame_kb", len(frame.encode()) / 1e3, "kB around the content of a page"
    yield "page_kb", len(page_text.encode()) / 1e3, "kB, the page of a submission"
    yield "site_10k_mb", size / 1e6, "MB, the whole site"
    yield "site_full_10k", full.seconds, "s"
    yield "site_full_10k_processor", full.processor, "s of processors"
    yield "site_full_10k_memory", full.memory / 1e6, "MB, shared pages counted once"
    yield "site_full_10k_resident", full.resident / 1e6, "MB, shared pages counted for each process"
    yield "site_full_10k_vs_mkdocs", full.seconds / bare, f"ratio, scaled from {PLAIN_PAGES} pages"


def site_1k() -> Iterator[Value]:
    """Build a site whose pages all state ranks, thrice after one more record."""
    rows = size(1000, 40)
    root = large_repository(rows)
    _build(root, watch=False)
    yield from _incremental(root, rows, "1k")


def site_50k() -> Iterator[Value]:
    """Build the site of 50,000 submissions to 20 tasks."""
    root = large_repository(size(5, 1) * SUBMISSIONS)
    full, size_ = _full(root)
    yield "site_50k_mb", size_ / 1e6, "MB, the whole site"
    yield "site_50k_seconds", full.seconds, "s"
    yield "site_50k_memory", full.memory / 1e6, "MB, shared pages counted once"


def site_unchanged() -> Iterator[Value]:
    """Build a site in which nothing changed: of this repository, and of 10,000 submissions."""
    if not SMALL:
        yield "site_unchanged", _unchanged(ROOT), "s, the benchmarks of this repository"
    root = large_repository(SUBMISSIONS)
    yield "site_unchanged_10k", _unchanged(root), "s"


def _full(root: Path) -> tuple[_Cost, int]:
    """Build a site of which nothing is there; returns its bytes, too."""
    shutil.rmtree(root / "build", ignore_errors=True)
    cost = _build(root)
    return cost, sum(
        one.stat().st_size for one in (root / "build/site").rglob("*") if one.is_file()
    )


def _incremental(root: Path, rows: int, label: str) -> Iterator[Value]:
    """Build after one more record, of a person in each quarter of the board."""
    site = root / "build/site"
    costs, changed = [], 0
    for part in range(1, ROUNDS + 1):
        before = _times(site)
        _rescore(root, rows * part // 40)
        costs.append(_build(root, watch=False))
        after = _times(site)
        changed = max(changed, sum(before.get(path) != time for path, time in after.items()))
    spread = ", ".join(f"{cost.seconds:.1f}" for cost in costs)
    seconds = statistics.median(cost.seconds for cost in costs)
    processor = statistics.median(cost.processor for cost in costs)
    yield f"site_incremental_{label}", seconds, f"s, the middle one of {spread}"
    yield f"site_incremental_{label}_processor", processor, "s of processors"
    yield f"site_incremental_{label}_written", changed, f"files of {len(after)}, the most of them"


def _unchanged(root: Path) -> float:
    """Seconds of a build after one that left nothing to do, the middle one of some."""
    _build(root, watch=False)
    return sorted(_build(root, watch=False).seconds for _ in range(ROUNDS))[ROUNDS // 2]


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
    record = next(one for one in records_of(scores) if one.cell.task == "task-1")
    halved = {key: value / 2 for key, value in record.scores.items()}
    put_record(root, record.replace(scores=halved))
    who = ["-c", "user.name=Bench", "-c", "user.email=bench@localhost"]
    subprocess.run(["git", "-C", str(root), *who, "commit", "-qam", "bench"], check=True)


def _times(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
