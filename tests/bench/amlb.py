"""What a fold costs beyond its framework; 10,000 folds planned and put together."""

import json
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from evaluator import pipeline
from evaluator.board.leaderboard import Board
from evaluator.clock import utc_now
from tests.bench.planning import _records
from tests.bench.repository import COMPETITION, TASK, add_commit, bundle, repository, submission

ROOT = Path(__file__).parents[2]
NAME = "amlb-validation"
ENTRY = f"submissions/{NAME}/alice/constant-predictor"
TASKS, FOLDS, METHODS = 100, 10, 10
# What any framework does before it begins: it imports pandas and reads its tables.
OWN = (
    "import time; t = time.perf_counter(); import pandas as pd; "
    "[pd.read_parquet(f'/data/{n}.parquet') for n in ('train', 'test')]; "
    "print(time.perf_counter() - t)"
)


def fold_overhead() -> Iterator[tuple[str, float, str]]:
    """Folds in containers, and then all of them in one process, of one trivial framework."""
    with TemporaryDirectory(prefix="bench-") as folder:
        root = Path(folder)
        for part in (f"benchmarks/{NAME}", ENTRY):
            shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("scores"))
        subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
        (root / ".gitignore").write_text("/build/\n")
        own, cells, bare = [], [], []
        for _ in range(2):  # the first round builds the image, where it is not there
            taken = pipeline.snapshot(root)
            chosen = pipeline.choose(taken, utc_now(), (NAME,), fresh=True)
            started = time.perf_counter()
            done = pipeline.run(taken, chosen, engine="docker", lanes=1, fresh=True)
            seconds = (time.perf_counter() - started) / len(done.records)
            assert not done.failed
        for record in done.records.values():
            cells.append(sum(step.wall_seconds for step in record.steps))
            own.append(sum(v for k, v in record.extra.items() if k.endswith("_duration")))
        data = root / f"benchmarks/{NAME}/input_data/titanic/0"
        for _ in range(5):
            said = subprocess.run(
                ["docker", "run", "--rm", "--network=none", "--cpus=1", f"--volume={data}:/data:ro",
                 "localhost/pullbench/tabular:1", "python3", "-c", OWN],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            bare.append(float(said.stdout))
    framework = statistics.median(own) + statistics.median(bare)
    yield "fold_seconds", seconds, "s"
    yield "fold_steps_seconds", statistics.median(cells), "s"
    yield "fold_framework_seconds", framework, "s"
    yield "fold_overhead", seconds - framework, "s"
    yield from fold_overhead_in_process()


def fold_overhead_in_process() -> Iterator[tuple[str, float, str]]:
    """All folds in one process, as the starting kit runs them."""
    kit = ROOT / "benchmarks" / NAME / "starting_kit/run_folds.py"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-B", kit, ROOT / ENTRY],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    rows = [json.loads(line) for line in done.stdout.splitlines()[:-1]]
    # Of the first fold, imports are a part.
    values = [row["overhead"] for row in rows[1:]]
    yield "fold_overhead_in_process", statistics.median(values), "s"


def folds_10k() -> Iterator[tuple[str, float, str]]:
    """Plan 100 data sets x 10 folds x 10 methods, all with records, and put the board together."""
    with repository() as root:
        add_commit(root, _many())
        add_commit(root, dict(_folded(root)))
        plans, boards = [], []
        for _ in range(3):
            started = time.perf_counter()
            taken = pipeline.snapshot(root, "HEAD")
            plan = pipeline.plan(taken, utc_now())
            plans.append(time.perf_counter() - started)
            assert (plan.total, len(plan.missing)) == (TASKS * FOLDS * METHODS, 0)
            started = time.perf_counter()
            board: Board = pipeline.leaderboard_at(root, "folds", phase=None, task=None, at="HEAD")
            boards.append(time.perf_counter() - started)
            assert len(board.rows) == METHODS
    yield "plan_folds_10k", statistics.median(plans), "s"
    yield "aggregate_folds_10k", statistics.median(boards), "s"


def _many() -> dict[str, bytes]:
    files = bundle("folds", "sleep 0", TASKS)
    tasks = "".join(
        TASK.format(index=index).replace(
            "}\n", f", input_data: input/{index}, reference_data: reference/{index}}}\n"
        )
        for index in range(TASKS)
    )
    text = COMPETITION.format(title="folds", tasks=tasks, indexes=", ".join(map(str, range(TASKS))))
    extra = f"  repeats: {FOLDS}\n  repeat_data: true\n  aggregate: mean_rank\n"
    files["benchmarks/folds/competition.yaml"] = (text + extra).encode()
    for task in range(TASKS):
        for fold in range(FOLDS):
            for part in ("input", "reference"):
                files[f"benchmarks/folds/{part}/{task}/{fold}/data"] = f"{task} {fold}".encode()
    for index in range(METHODS):
        files |= submission("folds", f"person{index}", "entry")
    return files


def _folded(root: Path) -> Iterator[tuple[str, bytes]]:
    """Records of all folds, whose scores differ."""
    for place, (path, content) in enumerate(_records(root)):
        record = json.loads(content)
        record["cell"]["repeat"] = int(path.rpartition("/")[2].split(".")[1])
        record["scores"] = {"score": (place * 7919 % 1000) / 1000}
        yield path, (json.dumps(record, indent=2, sort_keys=True) + "\n").encode()
