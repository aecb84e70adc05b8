"""What a fold costs beyond its framework; 10,000 folds planned and put together."""

import contextlib
import io
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from evaluator.core.clock import utc_now
from evaluator.core.formats.record import Record
from evaluator.core.leaderboard.board import Board
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.core.planning.plan import PlannedCell, make_local_plan
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.core.scores.running import run
from evaluator.core.scores.selection import choose
from tests.bench.figures import Value
from tests.bench.planning import _records
from tests.bench.records import files_of
from tests.bench.repository import COMPETITION, TASK, add_commit, bundle, repository, submission
from tests.bench.sizes import size
from tests.environments import lend_libraries

ROOT = Path(__file__).parents[2]
NAME = "amlb-validation"
ENTRY = f"submissions/{NAME}/alice/constant-predictor"
ONE_FOLD = f"{NAME}/alice/constant-predictor/final/wine.0"
TASKS, FOLDS, METHODS = size((100, 10, 10), (3, 2, 2))
ROUNDS = size(3, 1)
PUBLISHED = {"container": 2.2, "in_process": 0.2}
"""Seconds that a fold of the AutoML Benchmark takes beyond its framework, without its start."""
# What any framework does before it begins: it imports pandas and reads its tables.
OWN = (
    "import time; t = time.perf_counter(); import pandas as pd; "
    "[pd.read_parquet(f'/data/{n}.parquet') for n in ('train', 'test')]; "
    "print(time.perf_counter() - t)"
)


def fold_overhead() -> Iterator[Value]:
    """Folds of one trivial framework: in containers, in forks of one process, and by themselves.

    Each round measures all of them, so that what else runs on the machine slows all alike.
    Between the records of two folds in one lane lies what a fold costs in a run; a run of one
    fold has what a run costs besides.
    """
    with TemporaryDirectory(prefix="bench-") as folder:
        root = _copy(Path(folder))
        every = size(NAME, ONE_FOLD)
        _run(root, "docker", ONE_FOLD)  # builds the image, where it is not there
        found: dict[str, list[float]] = {}
        for _ in range(ROUNDS):
            for label, engine in (("container", "docker"), ("in_process", "warm")):
                seconds, own = _run(root, engine, every)
                imported = [_imports(root) for _ in range(3)] if engine == "docker" else [0.0]
                framework = own + statistics.median(imported)
                add = found.setdefault
                add(f"fold_{label}", []).append(seconds)
                add(f"fold_framework_{label}", []).append(framework)
                add(f"fold_overhead_{label}", []).append(seconds - framework)
                began = time.perf_counter()
                _run(root, engine, ONE_FOLD)
                add(f"one_fold_run_{label}", []).append(time.perf_counter() - began)
            add("fold_overhead_starting_kit", []).append(_in_starting_kit())
    for name, values in found.items():
        yield name, statistics.median(values), "s"
        yield f"{name}_least", min(values), "s"
    for label, published in PUBLISHED.items():
        measured = statistics.median(found[f"fold_overhead_{label}"])
        yield f"fold_overhead_{label}_published_for_amlb", published, "s"
        yield f"fold_overhead_{label}_of_amlbs", measured / published, "ratio"
    yield "load", os.getloadavg()[0], "processes (1 min)"


def _run(root: Path, engine: str, cells: str) -> tuple[float, float]:
    """Evaluate; returns the median seconds from record to record, and of the framework's own."""
    taken = load_snapshot(root)
    chosen = choose(taken, utc_now(), (cells,), fresh=True)
    ends: list[float] = []

    def show(_: PlannedCell, record: Record) -> str:
        assert record.error is None, record.error
        ends.append(time.perf_counter())
        return str(record.cell)

    with contextlib.redirect_stdout(io.StringIO()):
        done = run(taken, chosen, engine=engine, lanes=1, fresh=True, show=show)
    between = [later - before for before, later in pairwise(ends)] or [0.0]
    own = [
        sum(value for key, value in record.extra.items() if key.endswith("_duration"))
        for record in done.records.values()
    ]
    return statistics.median(between), statistics.median(own)


def _imports(root: Path) -> float:
    """Seconds in which a bare container imports pandas and reads the tables of a fold."""
    data = root / f"benchmarks/{NAME}/input_data/titanic/0"
    said = subprocess.run(
        ["docker", "run", "--rm", "--network=none", "--cpus=1", f"--volume={data}:/data:ro",
         "localhost/pullbench/tabular:1", "python3", "-c", OWN],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return float(said.stdout)


def _in_starting_kit() -> float:
    """All folds in one process, as a participant may run them without pullbench."""
    kit = ROOT / "benchmarks" / NAME / "starting_kit/run_folds.py"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-B", kit, ROOT / ENTRY],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    rows = [json.loads(line) for line in done.stdout.splitlines()[:-1]]
    # Of the first fold, imports are a part.
    return statistics.median(float(row["overhead"]) for row in rows[1:])


def warm_vs_amlb() -> Iterator[Value]:
    """Eight folds of the constant predictor, here and by AMLB itself, alternating.

    The variable AMLB names a checkout of the AutoML Benchmark in whose folder ``venv`` its
    requirements are installed; without it nothing is compared.
    """
    checkout = os.environ.get("AMLB")
    with TemporaryDirectory(prefix="bench-") as folder:
        root = _copy(Path(folder))
        ours = [sys.executable, "-m", "evaluator", "-C", folder, "run", "--engine", "warm"]
        ours += ["--fresh", "--strict", *size([], [ONE_FOLD])]
        _seconds(ours, ROOT)
        if not checkout:
            yield "eight_folds_warm", _seconds(ours, ROOT), "s"
            return
        theirs = [
            f"{checkout}/venv/bin/python", "runbenchmark.py", "constantpredictor",
            str(_definition(root / "amlb")), "--outdir", str(root / "amlb/out"), "--setup",
        ]  # fmt: skip
        Path(checkout, "frameworks/constantpredictor/.setup").mkdir(exist_ok=True)
        _seconds([*theirs, "only"], Path(checkout))
        both = [
            (_seconds(ours, ROOT), _seconds([*theirs, "skip"], Path(checkout)))
            for _ in range(ROUNDS)
        ]
    yield "eight_folds_warm", statistics.median(one for one, _ in both), "s"
    yield "eight_folds_amlb", statistics.median(other for _, other in both), "s"
    yield "warm_vs_amlb", statistics.median(one / other for one, other in both), "ratio"


def _copy(root: Path) -> Path:
    """Make a repository of the benchmark and one entry, without their records."""
    for part in (f"benchmarks/{NAME}", ENTRY):
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("scores"))
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    (root / ".gitignore").write_text("/build/\n/amlb/\n")
    lend_libraries(root, NAME)
    return root


def _seconds(command: list[str], folder: Path) -> float:
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - began


def _definition(folder: Path) -> Path:
    """Write the folds of the benchmark as a definition of AMLB's, with its tables as CSV."""
    tasks = []
    for place in sorted((ROOT / "benchmarks" / NAME / "input_data").iterdir()):
        paths: dict[str, list[str]] = {"train": [], "test": []}
        for fold in sorted(place.iterdir()):
            target = json.loads((fold / "dataset.json").read_text())["target"]
            truth = ROOT / "benchmarks" / NAME / "reference_data" / place.name / fold.name
            test = pd.read_parquet(fold / "test.parquet")
            test[target] = pd.read_parquet(truth / "truth.parquet").iloc[:, 0].to_numpy()
            tables = {"train": pd.read_parquet(fold / "train.parquet"), "test": test}
            for part, table in tables.items():
                file = folder / f"{place.name}_{part}_{fold.name}.csv"
                file.parent.mkdir(exist_ok=True)
                table.to_csv(file, index=False)
                paths[part].append(str(file))
        tasks.append({
            "name": place.name, "folds": len(paths["train"]), "max_runtime_seconds": 60,
            "cores": 1, "dataset": {**paths, "target": target},
        })  # fmt: skip
    file = folder / "eight.yaml"
    file.write_text(json.dumps(tasks))
    return file


def folds_10k() -> Iterator[Value]:
    """Plan 100 data sets x 10 folds x 10 methods, all with records, and put the board together."""
    with repository() as root:
        add_commit(root, _many())
        add_commit(root, dict(files_of(_folded(root))))
        plan_seconds, board_seconds = [], []
        for _ in range(3):
            started = time.perf_counter()
            taken = load_snapshot(root, "HEAD")
            plan = make_local_plan(taken, utc_now())
            plan_seconds.append(time.perf_counter() - started)
            assert (plan.total, len(plan.missing)) == (TASKS * FOLDS * METHODS, 0)
            started = time.perf_counter()
            board: Board = leaderboard_at(root, "folds", phase=None, task=None, at="HEAD")
            board_seconds.append(time.perf_counter() - started)
            assert len(board.rows) == METHODS
    yield "plan_folds_10k", statistics.median(plan_seconds), "s"
    yield "aggregate_folds_10k", statistics.median(board_seconds), "s"


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


def _folded(root: Path) -> Iterator[Record]:
    """Records of all folds, whose scores differ."""
    for place, record in enumerate(_records(root)):
        scores = {"score": (place * 7919 % 1000) / 1000}
        yield record.replace(scores=scores)
