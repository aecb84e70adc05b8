"""What a board costs whose rows have a million samples together."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from evaluator.core.clock import utc_now
from evaluator.core.formats.record import Attachment
from evaluator.core.planning.cells import cells
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.plugins.samples.format import pack_samples
from tests.bench.figures import Value
from tests.bench.records import files_of, plain_record
from tests.bench.repository import add_commit, bundle, shared_repository, submission
from tests.bench.sizes import SMALL, timed

ROWS, SAMPLES = 10, 1000 if SMALL else 100_000
CHILD = """
import sys, json
from pathlib import Path
from evaluator.core.clock import utc_now
from evaluator.core.leaderboard.published import publish
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.plugins.insight.statistics.conclusions import verdict
from evaluator.plugins.samples.page import samples_page

snapshot = load_snapshot(Path(sys.argv[1]), "HEAD")
board = publish(leaderboard(snapshot, "sampled", phase=None, task=None, now=utc_now()))
said, page = verdict(board), samples_page([board])
status = Path("/proc/self/status").read_text()
peak = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
print(json.dumps([said, len(page.tables), int(peak)]))
"""


def samples_1m() -> Iterator[Value]:
    """Make the verdict and the page of samples of 10 rows x 100,000 samples."""
    root = shared_repository("sampled", _fill)
    printed: list[str] = []
    seconds, _ = timed(lambda: printed.append(_board(root)))
    said, tables, peak = json.loads(printed[0])
    assert said.endswith(f"significant over {SAMPLES:,} samples") and tables, printed
    yield "samples_1m_board_seconds", seconds, "s"
    yield "samples_1m_peak_memory", peak * 1024 / 1e6, "MB"


def _board(root: Path) -> str:
    command = [sys.executable, "-c", CHILD, str(root)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _fill(root: Path) -> None:
    files = bundle("sampled", "sleep 0")
    path = "benchmarks/sampled/competition.yaml"
    text = files[path].decode()
    files[path] = (
        text.replace("pullbench:\n", "pullbench:\n  samples: true\n", 1)
        if "\npullbench:\n" in text
        else f"{text}\npullbench:\n  samples: true\n"
    ).encode()
    for index in range(ROWS):
        files |= submission("sampled", f"person{index}", "entry")
    add_commit(root, files, checkout=False)
    source = np.random.default_rng(1)
    hard = source.random(SAMPLES)
    kept: dict[str, bytes] = {}
    records = []
    for index, cell in enumerate(cells(load_snapshot(root, "HEAD"), utc_now())):
        record = plain_record(cell)
        (key,) = record.scores
        solved = hard * 0.8 + 0.2 * source.random(SAMPLES) < 0.9 - index / 20
        lines = (
            b'{"id": "%07d", "scores": {"%s": %d}, "texts": {"prediction": "%d"}}'
            % (place, key.encode(), one, one)
            for place, one in enumerate(solved.tolist())
        )
        content = pack_samples(b"\n".join(lines), [key])
        kept[cell.id.attachment_path("samples.jsonl.gz")] = content
        changes = {
            "scores": {key: float(solved.mean())},
            "attachments": {"samples.jsonl.gz": Attachment.of(content)},
        }
        records.append(record.replace(**changes))
    add_commit(root, {**dict(files_of(records)), **kept}, checkout=False)
