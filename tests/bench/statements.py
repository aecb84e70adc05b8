"""What it takes to say of 50,000 numbers who vouches for each."""

import json
import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

from evaluator.ci.ledger.ledger import local_ledger
from evaluator.ci.scores.ledger_records import sign_records
from evaluator.core.clock import utc_now
from evaluator.core.git.commands import read_blobs
from evaluator.core.git.tree import open_repository
from evaluator.core.planning.cells import cells
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.plugins.attest.keys import new_key
from evaluator.plugins.attest.signing import KEY_VARIABLE
from tests.bench.figures import Value
from tests.bench.records import files_of, plain_record
from tests.bench.repository import add_commit, bundle, shared_repository, submission
from tests.bench.sizes import SUBMISSIONS, timed

TASKS = 20
ENTRIES = SUBMISSIONS // 4
CHILD = """
import sys, json
from pathlib import Path
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.plugins.attest.checking import verify

report = verify(load_snapshot(Path(sys.argv[1]), "HEAD"))
status = Path("/proc/self/status").read_text()
peak = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
states = [proof.state for proof in report.proofs.values()]
print(json.dumps([len(states), states.count("attested"), int(peak), len(report.faults)]))
"""


def verify_50k() -> Iterator[Value]:
    """Verify 2,500 submissions x 20 tasks whose scores two collections signed."""
    root = shared_repository("signed", _fill)
    printed: list[str] = []
    seconds, processor = timed(lambda: printed.append(_verify(root)))
    count, attested, peak, faults = json.loads(printed[0])
    assert count == attested == ENTRIES * TASKS and not faults, printed
    yield "verify_50k_seconds", seconds, "s"
    yield "verify_50k_processor", processor, "s of processors"
    yield "verify_50k_peak_memory", peak * 1024 / 1e6, "MB"
    yield "statement_bytes_per_cell", _bytes(root) / count, "bytes"


def _verify(root: Path) -> str:
    command = [sys.executable, "-c", CHILD, str(root)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _bytes(root: Path) -> int:
    """Bytes that all statements take on the disk, as git keeps them."""
    repo = open_repository(root)
    ledger = local_ledger(repo, "pullbench-ledger")
    ids = [ledger.entries[path].blob for path in ledger.entries.below("statements")]
    return sum(len(zlib.compress(content)) for content in read_blobs(repo, ids))


def _fill(root: Path) -> None:
    """Commit records of all cells: of half of the tasks first, and then of the others."""
    setting, secret = new_key().splitlines()
    files = bundle("large", "sleep 0", TASKS)
    for index in range(ENTRIES):
        files |= submission("large", f"person{index // 10}", f"entry{index % 10}")
    files["pyproject.toml"] = f"[tool.pullbench.attest]\n{setting}\n".encode()
    add_commit(root, files, checkout=False)
    every = list(cells(load_snapshot(root, "HEAD"), utc_now()))
    first = every[0].task.slug
    os.environ[KEY_VARIABLE] = secret.partition(" = ")[2]
    for chosen in ([one for one in every if one.task.slug == first], every):
        snapshot = load_snapshot(root, "HEAD")
        scores = dict(files_of(map(plain_record, chosen)))
        new = [one.id for one in chosen if (one.task.slug == first) == (len(chosen) < len(every))]
        sign_records(open_repository(root), snapshot, new, scores, utc_now(), None)
        add_commit(root, scores, checkout=False)
    del os.environ[KEY_VARIABLE]
