"""What a pull request costs in a repository of 10,000 submissions."""

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from evaluator.ci.scores.collecting import collect
from evaluator.ci.scores.hand_in import hand_in_folder
from evaluator.core.clock import utc_now
from evaluator.core.planning.cells import cells
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.planning.snapshot import load_snapshot
from tests.bench.figures import Value
from tests.bench.records import files_of
from tests.bench.repository import add_commit, bundle, copied, shared_repository, submission
from tests.bench.sizes import SUBMISSIONS, medians, size, timed
from tests.records import record_of
from tests.repository import put_record

WRITERS = size(64, 4)
ROUNDS = size(5, 1)
ORIGIN = ".git/origin.git"


def commit_64_writers() -> Iterator[Value]:
    """64 evaluations that end at once: each hands in a record, one collector lands them all."""
    with _filled() as root:
        origin = root / ORIGIN
        folders = _hand_out(root)
        began = time.perf_counter()
        with ThreadPoolExecutor(WRITERS) as pool:
            list(pool.map(lambda folder: hand_in_folder(root, folder, "origin"), folders))
        handed_in = time.perf_counter()
        done = collect(root, utc_now(), branch="main", remote="origin", inbox=True)
        ended = time.perf_counter()
        landed = _git(origin, "diff", "--name-only", "main^", "main").count("/scores/")
    yield "commit_64_writers_seconds", ended - began, "s"
    yield "commit_64_writers_handing_in", handed_in - began, "s"
    yield "commit_64_writers_landed", landed, f"of {WRITERS}"
    yield "commit_64_writers_retries", done.committed.retries, "retries"


def validate_10k() -> Iterator[Value]:
    """Judge a pull request that adds one submission, against git's own list of what it changes."""
    with _filled() as root:
        _git(root, "checkout", "-q", "-b", "entry")
        add = submission("large", "newcomer", "first")
        for path, content in add.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content)
        _git(root, "add", "submissions/large/newcomer")
        _git(root, "-c", "user.name=b", "-c", "user.email=b@localhost", "commit", "-qm", "Enter")
        head = _git(root, "rev-parse", "HEAD").strip()
        _git(root, "push", "-q", "origin", "HEAD:refs/pull/1/head")
        _git(root, "checkout", "-q", "main")
        command = [
            sys.executable, "-m", "evaluator", "-C", str(root), "validate", "--base", "main",
            "--head", head, "--actor", "newcomer", "--pull-request", "1",
        ]  # fmt: skip
        ours, bare = [], []
        for _ in range(ROUNDS):
            bare.append(timed(lambda: _git(root, "diff", "--name-only", f"main...{head}")))
            ours.append(timed(lambda: subprocess.run(command, check=True, capture_output=True)))
    seconds, processor = medians(ours)
    git_seconds, _ = medians(bare)
    yield "validate_10k_seconds", seconds, "s"
    yield "validate_10k_seconds_processor", processor, "s of processors"
    yield "validate_10k", seconds / git_seconds, "ratio"
    yield "git_diff_10k_seconds", git_seconds, "s"


@contextmanager
def _filled() -> Iterator[Path]:
    """Copy a repository and its bare origin, for what is pushed there."""
    with copied(shared_repository("pulls", _fill)) as root:
        _git(root, "remote", "add", "origin", str(root / ORIGIN))
        yield root


def _fill(root: Path) -> None:
    """Make 10,000 submissions; as many as there are writers have no record."""
    files = bundle("large", "sleep 0")
    for index in range(SUBMISSIONS):
        files |= submission("large", f"person{index // 10}", f"entry{index % 10}")
    add_commit(root, files)
    every = list(cells(load_snapshot(root, "HEAD"), utc_now()))
    # Those without a record are spread over the repository.
    without = set(range(0, SUBMISSIONS, SUBMISSIONS // WRITERS))
    records = (record_of(cell) for index, cell in enumerate(every) if index not in without)
    add_commit(root, dict(files_of(records)))
    _git(root, "clone", "-q", "--bare", str(root), str(root / ORIGIN))


def _hand_out(root: Path) -> list[Path]:
    """Folders of what 64 workers evaluated."""
    planned = make_local_plan(load_snapshot(root, "HEAD"), utc_now()).missing[:WRITERS]
    folders = []
    for number, item in enumerate(planned):
        folder = root / ".git" / "workers" / str(number)
        put_record(folder, record_of(item.cell))
        folders.append(folder)
    assert len(folders) == WRITERS
    return folders


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True
    ).stdout
