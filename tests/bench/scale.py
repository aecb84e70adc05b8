"""What the steps of one more pull request cost where 250 to 100,000 have been merged before it.

Each is a process of its own in a partial clone, as CI makes it. The benchmark has a race, so that
*finish* looks at everybody's scores, and a policy that approves and merges.
"""

import datetime as dt
import hashlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import IO

from evaluator.ci.ledger.ledger_state import STATE_FILE, LedgerState, state_json
from evaluator.ci.ledger.versions import work_of
from evaluator.core.clock import utc_now
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.cells import cells
from evaluator.core.planning.snapshot import load_snapshot, read_snapshot
from tests.bench.figures import Value
from tests.bench.history import AT, BENCHMARK, LEDGER, SETTINGS, notes_of
from tests.bench.pull_request import checkout, propose
from tests.bench.records import files_of, plain_record
from tests.bench.repository import add_commit, bundle, copied, shared_repository, submission
from tests.bench.sizes import size
from tests.fake_forge import FakeForge, running
from tests.git_server import serve

RULES = b"""\
  accept: {beats: record}
  policy: {approve: {code: everyone}, merge: true}
  phases: {0: {open_entries: 3}}
"""
SIZES = {"250": size(250, 10), "1k": size(1000, 20), "5k": size(5000, 40)}
TOGETHER = 2000
"""Entries whose cells are planned at once."""
MEMORY = 4 * 2**30
"""Bytes of addresses that a step may have: what is mapped counts, such as packs, used or not."""
STEPS = ("receive", "approve", "finish")


def fill(root: Path, entries: int) -> None:
    """Make ``origin.git`` with so many merged entries, and what the ledger has of them.

    git's index makes the trees: ``fast-import`` compares each name with all others of its folder.
    """
    rules = bundle(BENCHMARK, "sleep 0") | {"pyproject.toml": SETTINGS}
    rules[f"benchmarks/{BENCHMARK}/competition.yaml"] += RULES
    origin = root / "origin.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(origin)], check=True)
    command = ["git", "-C", str(origin), "-c", "pack.compression=1", "fast-import", "--quiet"]
    lines: tuple[list[str], list[str]] = ([], [])
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        with process.stdin as out:
            for first in range(0, entries, TOGETHER):
                numbers = range(first, min(first + TOGETHER, entries))
                for part, files in zip(lines, _entries(root, rules, numbers), strict=True):
                    part.extend(_blobs(out, rules | files if part is lines[0] else files))
    main, ledger = (_commit(origin, sorted(set(part))) for part in lines)
    state = LedgerState(tip=ledger, on=main)
    add_commit(origin, {STATE_FILE: state_json(state)}, checkout=False)


def _blobs(out: IO[bytes], files: Mapping[str, bytes]) -> Iterator[str]:
    """Write files; yields lines of an index."""
    for path, content in files.items():
        out.write(b"blob\ndata %d\n%s\n" % (len(content), content))
        head = b"blob %d\0" % len(content)
        yield f"{path}\0{hashlib.sha1(head + content, usedforsecurity=False).hexdigest()}"


def _commit(origin: Path, files: list[str]) -> str:
    lines = (name.partition("\0") for name in files)
    listing = "".join(f"100644 {blob}\t{path}\n" for path, _, blob in lines).encode()
    git = ["git", "-C", str(origin)]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "GIT_INDEX_FILE": f"{folder}/index"}
        subprocess.run([*git, "update-index", "--index-info"], input=listing, check=True,
                       env=environment)  # fmt: skip
        tree = subprocess.run([*git, "write-tree"], check=True, env=environment,
                              capture_output=True, text=True).stdout.strip()  # fmt: skip
    branch = LEDGER if files[0].startswith("approved/") else "main"
    who = ["-c", "user.name=b", "-c", "user.email=b@localhost"]
    commit = subprocess.run([*git, *who, "commit-tree", tree, "-m", "bench"], check=True,
                            capture_output=True, text=True).stdout.strip()  # fmt: skip
    subprocess.run([*git, "update-ref", f"refs/heads/{branch}", commit], check=True)
    return commit


def _entries(
    root: Path, rules: Mapping[str, bytes], numbers: range
) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Files of entries with their scores, and their notes; the cells' keys are the plan's own."""
    files: dict[str, bytes] = {}
    for number in numbers:
        files |= submission(BENCHMARK, f"person{number // 10}", f"entry{number % 10}")
    subprocess.run(["git", "init", "-q", "-b", "main", str(root / str(numbers[0]))], check=True)
    add_commit(root / str(numbers[0]), {**rules, **files}, checkout=False)
    snapshot = load_snapshot(root / str(numbers[0]), "main")
    notes: dict[str, bytes] = {}
    for number, cell in zip(numbers, cells(snapshot, AT), strict=True):
        at, work = AT + dt.timedelta(minutes=number), work_of(snapshot.tree, cell.submission)
        notes |= notes_of([cell], number + 1, at, work)
        files |= files_of([plain_record(cell, number % 997 / 1000)])
    shutil.rmtree(root / str(numbers[0]))
    return files, notes


def steps(entries: int, memory: int = 0) -> dict[str, tuple[float, int]]:
    """Processor seconds and bytes of memory of each step; ``memory`` bounds its addresses."""
    shared = shared_repository(f"scale-{entries}", partial(fill, entries=entries))
    with copied(shared / "origin.git") as origin:
        return _steps(origin, entries + 1, memory)


def _steps(origin: Path, number: int, memory: int) -> dict[str, tuple[float, int]]:
    head = propose(origin, number)
    forge = FakeForge()
    forge.add_pull(
        number, user={"login": "newcomer", "id": 3},
        head={"ref": "mine", "sha": head, "repo": None},
    )  # fmt: skip
    used = {}
    with serve(origin) as server, running(forge), tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {
            "PULLBENCH_BASE": "main", "PULLBENCH_HEAD": head, "PULLBENCH_ACTOR": "newcomer",
            "PULLBENCH_PULL_REQUEST": str(number), "PULLBENCH_FORGE_API": forge.url,
            "GITHUB_SERVER_URL": "https://forge.example", "GITHUB_REPOSITORY": "org/bench",
            "GITHUB_TOKEN": "token", "PULLBENCH_MERGE_TOKEN": "token",
        }  # fmt: skip
        for step in STEPS:
            clone = folder / step
            given = {"sparse-checkout": ".github evaluator"}
            subprocess.run(checkout(clone, server.url, given), check=True, capture_output=True)
            if step == "finish":
                _evaluate(origin, clone, head)
            used[step] = _measured(step, clone, environment, memory)
    return used


def _evaluate(origin: Path, clone: Path, head: str) -> None:
    """Hand in a record of the entry, better than all others."""
    snapshot = read_snapshot(
        read_tree(open_repository(origin), head), participants={f"{BENCHMARK}/newcomer"}
    )
    for path, content in files_of(plain_record(cell, 2.0) for cell in cells(snapshot, utc_now())):
        file = clone / "build/records" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def _measured(
    step: str, clone: Path, environment: Mapping[str, str], memory: int
) -> tuple[float, int]:
    out = clone / "build" / "outputs"
    out.parent.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "evaluator", "--debug", "pr", step]
    command += ["--from", "build/records"] if step == "finish" else []
    bound = partial(resource.setrlimit, resource.RLIMIT_AS, (memory, memory)) if memory else None
    with (clone / "build" / "log").open("w+b") as log:
        process = subprocess.Popen(
            command, cwd=clone, stdout=log, stderr=log, preexec_fn=bound,
            env={**os.environ, **environment, "GITHUB_OUTPUT": str(out), "CI": "true"},
        )  # fmt: skip
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode or os.environ.get("BENCH_SHOW"):
            log.seek(0)
            said = log.read().decode()[-4000:]
            if process.returncode:
                raise RuntimeError(f"{step}: {said}")
            print(said)
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def scale() -> Iterator[Value]:
    """Each step at three sizes, so that a comparison shows how it grows."""
    for name, entries in SIZES.items():
        yield from _values(name, steps(entries))


def scale_100k() -> Iterator[Value]:
    """Each step after 100,000 entries, in bounded memory."""
    yield from _values("100k", steps(size(100_000, 40), memory=MEMORY))


def _values(name: str, used: Mapping[str, tuple[float, int]]) -> Iterator[Value]:
    for step, (seconds, peak) in used.items():
        yield f"{step}_{name}_processor", seconds, "s of processors"
        yield f"{step}_{name}_peak_memory", peak / 1e6, "MB"
