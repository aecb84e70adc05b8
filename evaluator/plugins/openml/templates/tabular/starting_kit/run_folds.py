"""Try a submission on all folds in one process, without containers: for code that you trust.

Usage, from the folder of the benchmark: python starting_kit/run_folds.py SUBMISSION [TASK...]

Prints one line of JSON for each fold. A fold that fails has an ``error``; the last line counts.
``overhead`` are the seconds of a fold beyond those that the submission itself took.
"""

import contextlib
import io
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

BUNDLE = Path(__file__).resolve().parents[1]
for part in ("scoring_program", "ingestion_program"):
    sys.path.insert(0, str(BUNDLE / part))

import ingestion  # noqa: E402
import scoring  # noqa: E402


def forget(folder: Path) -> None:
    """Take the submission's modules out, so that each fold starts with fresh ones."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).is_relative_to(folder):
            del sys.modules[name]
    sys.path[:] = [path for path in sys.path if path != str(folder)]


def fold_folders(task: str, number: str, scratch: Path) -> tuple[Path, Path]:
    """Return the input and the reference data of a fold; rows of a table are laid out first."""
    reference = BUNDLE / "reference_data" / task
    if not (reference / "table.parquet").is_file():
        return BUNDLE / "input_data" / task / number, reference / number
    from evaluator.core.formats.table_folds import (
        lay_out,  # of pullbench, which has to be installed
    )

    lay_out(reference, int(number), scratch / "fold")
    return scratch / "fold/input_data", scratch / "fold/reference_data"


def run_fold(task: str, number: str, submission: Path, scratch: Path) -> dict[str, Any]:
    """Run and score one fold."""
    inputs, reference = fold_folders(task, number, scratch)
    row: dict[str, Any] = {"task": task, "fold": int(number)}
    started = time.perf_counter()
    log = io.StringIO()
    with contextlib.redirect_stdout(log), contextlib.redirect_stderr(log):
        code = ingestion.main(inputs, scratch, submission)
    forget(submission)
    if code:
        return {**row, "error": log.getvalue().strip().splitlines()[-1]}
    own = json.loads((scratch / "metadata.json").read_text(encoding="utf-8"))["run_duration"]
    meta = json.loads((reference / "dataset.json").read_text(encoding="utf-8"))
    truth = scoring.read_truth(reference, meta)
    try:
        found = scoring.read_predictions(scratch / "predictions.csv", meta, len(truth["truth"]))
        with contextlib.redirect_stdout(log):
            row |= scoring.evaluate(meta, truth, found)
    except scoring.RejectedError as error:
        return {**row, "error": str(error)}
    return {**row, "duration": own, "overhead": time.perf_counter() - started - own}


def main(submission: Path, tasks: list[str]) -> int:
    sys.dont_write_bytecode = True
    names = tasks or sorted(path.name for path in (BUNDLE / "reference_data").iterdir())
    failed = count = 0
    for task in names:
        folders = [path.name for path in (BUNDLE / "reference_data" / task).iterdir()
                   if path.is_dir()]  # fmt: skip
        for number in sorted(folders, key=int):
            scratch = Path(tempfile.mkdtemp(prefix="fold_"))
            try:
                row = run_fold(task, number, submission, scratch)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
            count += 1
            failed += "error" in row
            print(json.dumps(row), flush=True)
    print(json.dumps({"folds": count, "failed": failed}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2:]))
