"""Our scorers of OGB-LSC's files against ogb's own evaluators, at full size and side by side.

Where ogb is not installed, ours alone are measured. To have both:

    python -m venv ../with-ogb
    ../with-ogb/bin/pip install --no-deps ogb==1.3.6
    ../with-ogb/bin/pip install torch==2.13.0 numpy pandas scikit-learn tqdm six urllib3
    PULLBENCH_OGB_PYTHON=../with-ogb/bin/python python -m tests.bench ogb_lsc
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.figures import Value
from tests.bench.sizes import size

ROOT = Path(__file__).parents[2]
NAMES = ("mag240m", "wikikg90mv2", "pcqm4mv2")
VARIABLE = "PULLBENCH_OGB_PYTHON"

# Each program is a process of its own: memory is then that of one scoring, and ogb has its Python.
OURS = """\
import json, sys, time
from pathlib import Path
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1] + "/scoring_program")
import numpy as np
from scoring import METRICS, main, read_predictions, read_task, read_truth
root = Path(sys.argv[2])
task = read_task(root / "ref")
times = []
for _ in range(int(sys.argv[3])):
    began = time.perf_counter()
    main(root, root)
    times.append(time.perf_counter() - began)
array = read_predictions(root / "res", task)[0][task.mode]
true = read_truth(root / "ref", task, task.mode)
bare = []
for _ in range(int(sys.argv[3])):
    began = time.perf_counter()
    value = METRICS[task.metric](array, true)
    bare.append(time.perf_counter() - began)
# Not ru_maxrss: it begins with what the parent process had.
status = Path("/proc/self/status").read_text()
peak = int(status.split("VmHWM:")[1].split()[0]) * 1024
print(json.dumps({"value": value, "all": sorted(times), "eval": sorted(bare), "peak": peak}))
"""
THEIRS = """\
import json, sys, time
import ogb.utils
ogb.utils.smiles2graph = None  # else PCQM4Mv2Evaluator is not there without rdkit
from pathlib import Path
import numpy as np
from ogb.lsc import MAG240MEvaluator, PCQM4Mv2Evaluator, WikiKG90Mv2Evaluator
root = Path(sys.argv[1])
task = json.loads((root / "ref/task.json").read_text())
true = np.load(root / "ref/test-dev.npy")
true = true if task["divisor"] == 1 else true / task["divisor"]
evaluators = {"acc": MAG240MEvaluator, "mrr": WikiKG90Mv2Evaluator, "mae": PCQM4Mv2Evaluator}
evaluator = evaluators[task["metric"]]()
def score(array):
    if task["metric"] == "mrr":
        return evaluator.eval({"h,r->t": {"t_pred_top10": array, "t": true}})["mrr"]
    return evaluator.eval({"y_pred": array, "y_true": true})[task["metric"]]
whole, bare = [], []
for _ in range(int(sys.argv[2])):
    began = time.perf_counter()
    with np.load(root / f"res/{task['stem']}_test-dev.npz") as file:
        array = file[task["key"]]
    middle = time.perf_counter()
    value = score(array)
    whole.append(time.perf_counter() - began)
    bare.append(time.perf_counter() - middle)
print(json.dumps({"value": float(value), "all": sorted(whole), "eval": sorted(bare)}))
"""
DRAW = """\
import json, sys
import numpy as np
from pathlib import Path
root = Path(sys.argv[1])
task = json.loads((root / "ref/task.json").read_text())
true = np.load(root / "ref/test-dev.npy")
random = np.random.default_rng(1)
right = random.random(len(true)) < 0.5
if task["width"]:
    array = np.arange(10)[None, :] + random.integers(0, 9**8, (len(true), 1))
    array[right, random.integers(0, 10, len(true))[right]] = true[right]
elif task["divisor"] > 1:
    array = true / task["divisor"] + random.normal(0, 0.1, len(true))
else:
    array = np.where(right, true, random.integers(0, task["high"], len(true)))
name = root / "res" / f"{task['stem']}_test-dev.npz"
np.savez_compressed(name, **{task["key"]: array.astype(task["dtype"])})
"""
ROUNDS = size(7, 1)


def ogb_lsc() -> Iterator[Value]:
    """Score a full-size file of each data set."""
    theirs = os.environ.get(VARIABLE, "")
    for name in NAMES:
        bundle = ROOT / "benchmarks" / f"ogb-lsc-{name}"
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            root = Path(folder)
            (root / "res").mkdir()
            (root / "ref").symlink_to(bundle / "reference_data" / "test-dev")
            _run(sys.executable, DRAW, folder)
            ours = _run(sys.executable, OURS, str(bundle), folder, str(ROUNDS))
            yield f"ogb_{name}_score_seconds", _median(ours["all"]), "s"
            yield f"ogb_{name}_peak_memory", ours["peak"] / 1e6, "MB"
            if theirs:
                other = _run(theirs, THEIRS, folder, str(ROUNDS))
                ratio = _median(ours["all"]) / _median(other["all"])
                yield f"ogb_{name}_ours_vs_ogb", ratio, "ratio, with reading and checks"
                ratio = _median(ours["eval"]) / _median(other["eval"])
                yield f"ogb_{name}_metric_vs_ogb", ratio, "ratio, metric alone"
                yield f"ogb_{name}_ogb_seconds", _median(other["all"]), "s"
                apart = abs(ours["value"] - other["value"])
                yield f"ogb_{name}_difference_1e-9", apart * 1e9, "1e-9"


def _median(ordered: list[float]) -> float:
    return ordered[len(ordered) // 2]


def _run(python: str, program: str, *arguments: str) -> dict[str, Any]:
    done = subprocess.run(
        [python, "-c", program, *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return dict(json.loads(done.stdout.splitlines()[-1])) if done.stdout else {}
