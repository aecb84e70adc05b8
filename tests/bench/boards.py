"""From records at a commit to every board's JSON, at 200,000 cells."""

import hashlib
import json
import random
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF
from typing import Any

from evaluator.core.clock import utc_now
from evaluator.core.formats.cell import LOGS
from evaluator.core.formats.record import Granted, Record, Step
from evaluator.core.leaderboard.published import publish
from evaluator.core.leaderboard.snapshot_boards import read_tables
from evaluator.core.planning.cells import Cell, cells
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.site.boards.exports.board_json import json_parts
from tests.bench.figures import Value
from tests.bench.planning import read_and_parse
from tests.bench.records import STEPS, failure, files_of, plain_record
from tests.bench.repository import (
    add_commit,
    bundle,
    repository,
    shared_repository,
    submission,
)
from tests.bench.sizes import SUBMISSIONS, size

ROUNDS = size(3, 1)
ROOT = Path(__file__).parents[2]
TASKS = size(20, 5)
COLUMNS = """\
      - {title: Score, key: score, index: 0}
      - {title: Balanced, key: balanced, index: 1}
      - {title: Log loss, key: log_loss, index: 2, sorting: asc}
      - {title: Mean of two, key: both, index: 3, computation: avg,
         computation_indexes: [0, 1]}
"""
MESSAGE = "the prediction step exited with 1"


def large_repository(submissions: int, tasks: int = TASKS) -> Path:
    """Share a board of so many rows, with the project's own site sources."""
    return shared_repository(
        f"large-{submissions}-{tasks}", lambda root: fill(root, submissions, tasks)
    )


def fill(root: Path, submissions: int, tasks: int) -> None:
    """Commit a benchmark with a record of each cell, two in a hundred of them of failures."""
    files = _bundle("large", tasks)
    for index in range(submissions):
        files |= submission("large", f"person{index // 10}", f"entry{index % 10}")
    files |= {"mkdocs.yml": (ROOT / "mkdocs.yml").read_bytes(), ".gitignore": b"/build/\n"}
    for path in (ROOT / "site").rglob("*"):
        if path.is_file():
            files[path.relative_to(ROOT).as_posix()] = path.read_bytes()
    add_commit(root, files, checkout=False)
    chance = random.Random(8)  # noqa: S311 - the same repository in each run
    every = cells(load_snapshot(root, "HEAD"), utc_now())
    add_commit(root, files_of(_record(cell, chance) for cell in every))


def _bundle(name: str, tasks: int) -> dict[str, bytes]:
    files = bundle(name, "sleep 0", tasks)
    file = f"benchmarks/{name}/competition.yaml"
    text = files[file].decode()
    one = "      - {title: Score, key: score, index: 0}\n"
    assert one in text
    files[file] = text.replace(one, COLUMNS).encode()
    return files


def _record(cell: Cell, chance: random.Random) -> Record:
    """Return a record as large as those of real runs, whose scores and times differ."""
    failed = chance.random() < 0.02
    seconds = chance.uniform(1, 300)
    day = f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}T"
    scores = {} if failed else {key: chance.random() for key in ("score", "balanced", "log_loss")}
    log = "".join(f"fold {fold}: {chance.random():.4f}\n" for fold in range(8))
    plain = plain_record(cell)
    provenance = {
        "commit": hashlib.sha1(cell.submission.id.encode()).hexdigest(),  # noqa: S324
        "cpu": "Intel(R) Xeon(R) Processor @ 2.50GHz", "memory": 25276514304,
        "image_id": "sha256:" + "5" * 64, "submitted": "2026-01-01T02:02:03+00:00",
        "started": f"{day}04:00:10.077444+00:00", "finished": f"{day}04:01:10.842682+00:00",
    }  # fmt: skip
    steps = [
        Step(
            step=step, cpu_seconds=round(seconds / 3 + place, 6), exit_code=int(failed),
            granted=Granted(cpus=2.0, memory=2**31), log=log if step == "scoring" else "",
            peak_memory=chance.randint(2**20, 2**33),
            wall_seconds=round(seconds / 2 + place, 6),
        )
        for place, step in enumerate(STEPS)
    ]  # fmt: skip
    return plain.replace(
        scores=scores, extra={} if failed else {"n_test": 1000.0}, steps=steps,
        status="failed" if failed else "finished",
        error=failure(MESSAGE) if failed else None,
        provenance=plain.provenance.replace(**provenance),
    )  # fmt: skip


def scores_bytes_per_cell() -> Iterator[Value]:
    """Count what a board reads of a cell: of 20 tasks and two columns."""
    with repository() as root:
        add_commit(root, {**_bundle("large", 20), **submission("large", "ann", "one")})
        chance = random.Random(8)  # noqa: S311 - the same in each run
        every = list(cells(load_snapshot(root, "HEAD"), utc_now()))
        records = [_record(cell, chance) for cell in every]
        records = [
            one.replace(scores={key: n for key, n in one.scores.items() if key != "log_loss"})
            for one in records
        ]
        files = dict(files_of(records))
        (size,) = (len(content) for path, content in files.items() if not path.endswith(LOGS))
    yield "scores_bytes_per_cell", size / len(every), "bytes"


def aggregate_200k() -> Iterator[Value]:
    """Make every board's JSON from the records of a commit, cold, in a process of its own.

    Beside it what git and a parser alone take for the same files.
    """
    for label, rows in (("aggregate_200k", SUBMISSIONS), ("aggregate_100k", SUBMISSIONS // 2)):
        root = large_repository(rows)
        shutil.rmtree(root / "build", ignore_errors=True)
        command = [sys.executable, "-m", "tests.bench.boards", str(root)]
        made = [json.loads(_output([*command, "boards"])) for _ in range(ROUNDS)]
        bare = [json.loads(_output([*command, "bare"])) for _ in range(ROUNDS)]
        seconds = statistics.median(item["seconds"] for item in made)
        yield label, seconds, "s"
        yield f"{label}_cpu_seconds", statistics.median(item["cpu"] for item in made), "s"
        for part in made[0]["parts"]:
            yield f"{label}_{part}", statistics.median(i["parts"][part] for i in made), "s"
        yield f"{label}_peak_memory", max(item["memory"] for item in made) / 2**20, "MiB"
        ratio = seconds / statistics.median(item["seconds"] for item in bare)
        yield f"{label}_vs_read_and_parse", ratio, "ratio"


def _output(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _measured(root: Path, what: str) -> dict[str, Any]:
    parts: dict[str, float] = {}
    began = at = time.perf_counter()

    def mark(part: str) -> None:
        nonlocal at
        parts[part] = parts.get(part, 0) + time.perf_counter() - at
        at = time.perf_counter()

    if what == "bare":
        read_and_parse(root)
    else:
        now = utc_now()
        taken = load_snapshot(root, "HEAD")
        mark("snapshot")
        tables = read_tables(taken, now)
        mark("records")
        for benchmark in taken.benchmarks.values():
            for phase in benchmark.phases:
                board = publish(tables.board(benchmark, phase))
                mark("boards")
                assert board.rows[0].rank == 1
                assert sum(map(len, json_parts(board))) > 100 * len(board.rows) * len(board.tasks)
                mark("json")
    own, children = (resource.getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    status = Path("/proc/self/status").read_text()
    return {
        "seconds": time.perf_counter() - began,
        "cpu": own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime,
        # Not ru_maxrss: it begins with what the parent process had.
        "memory": int(status.split("VmHWM:")[1].split()[0]) * 1024,
        "parts": parts,
    }


if __name__ == "__main__":
    print(json.dumps(_measured(Path(sys.argv[1]), sys.argv[2])))
