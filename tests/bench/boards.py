"""From records at a commit to every board's JSON, at 200,000 cells."""

import json
import random
from pathlib import Path

from evaluator import pipeline
from evaluator.clock import utc_now
from evaluator.planning.plan import Cell, cells
from tests.bench.repository import add_commit, bundle, submission

SUBMISSIONS, TASKS = 10_000, 20
WIDE_ROWS, WIDE_TASKS = 5_000, 20
COLUMNS = """\
      - {title: Score, key: score, index: 0}
      - {title: Balanced, key: balanced, index: 1}
      - {title: Log loss, key: log_loss, index: 2, sorting: asc}
      - {title: Mean of two, key: both, index: 3, computation: avg,
         computation_indexes: [0, 1]}
"""
MESSAGE = "the prediction step exited with 1"


def fill(root: Path, submissions: int, tasks: int, name: str = "large") -> None:
    """Commit one benchmark with a record of each cell, two in a hundred of them of failures."""
    files = bundle(name, "sleep 0", tasks)
    file = f"benchmarks/{name}/competition.yaml"
    text = files[file].decode()
    one = "      - {title: Score, key: score, index: 0}\n"
    assert one in text
    files[file] = text.replace(one, COLUMNS).encode()
    for index in range(submissions):
        files |= submission(name, f"person{index // 10}", f"entry{index % 10}")
    add_commit(root, files, checkout=False)
    chance = random.Random(8)  # noqa: S311 - the same repository in each run
    every = cells(pipeline.snapshot(root, "HEAD"), utc_now())
    add_commit(
        root,
        ((cell.id.record_path, _record(cell, chance)) for cell in every),
        checkout=False,
    )


def _record(cell: Cell, chance: random.Random) -> bytes:
    """Return a record as large as those of real runs, whose scores and times differ."""
    failed = chance.random() < 0.02
    seconds = chance.uniform(1, 300)
    second = f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}T"
    scores = {} if failed else {key: chance.random() for key in ("score", "balanced", "log_loss")}
    log = "".join(f"fold {fold}: {chance.random():.4f}\n" for fold in range(8))
    record = {
        "cell": {
            "benchmark": cell.id.benchmark, "participant": cell.id.participant,
            "submission": cell.id.submission, "phase": cell.id.phase, "task": cell.id.task,
        },
        "extra": {} if failed else {"n_test": 1000.0},
        "keys": {
            "prediction": cell.keys.prediction, "score": cell.keys.score,
            "parts": dict(cell.keys.parts),
        },
        "provenance": {
            "commit": f"{chance.getrandbits(160):040x}",
            "cpu": "Intel(R) Xeon(R) Processor @ 2.50GHz", "cpus": 2, "evaluator": "0.1.0",
            "finished": f"{second}04:01:10.842682+00:00", "image": "python:3.11-slim",
            "image_id": "sha256:" + "5" * 64, "isolation": "docker", "memory": 25276514304,
            "queue": "default", "reused_predictions": False,
            "started": f"{second}04:00:10.077444+00:00",
            "submission_tree": cell.keys.parts["submission"],
            "submitted": f"{second}02:02:03+00:00",
        },
        "scores": scores,
        "status": "failed" if failed else "finished",
        "steps": [
            {
                "cpu_seconds": seconds / 3 + place, "exit_code": int(failed), "gpus": [],
                "log": log if step == "scoring" else "",
                "peak_memory": chance.randint(2**20, 2**33), "step": step,
                "wall_seconds": seconds / 2 + place,
            }
            for place, step in enumerate(("ingestion", "scoring"))
        ],
        "version": 1,
    }  # fmt: skip
    if failed:
        record["error"] = {"actor": "participant", "reason": "exited with an error", "hint": "",
                           "message": MESSAGE, "step": "ingestion"}  # fmt: skip
    return (json.dumps(record, indent=2, sort_keys=True) + "\n").encode()
