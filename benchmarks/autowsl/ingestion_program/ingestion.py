"""Train the submitted model in one process, and predict in another, each within its budget.

Usage: ingestion.py INPUT OUTPUT SUBMISSION. Needs the standard library alone.

Whatever the model does, the output holds outcome.json in the end. If both halves kept their
budgets, predictions.csv is beside it, and stages.csv if the model has ``staged_predict``.
"""

import contextlib
import json
import os
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

from clock import Ending, run
from processes import clear, end_all, forget, guard, is_alone

DEFAULTS = {"start_time_budget": 5, "time_budget": 1200, "pred_time_budget": 600}
HALVES = {
    "training": ("train", "time_budget", ("train.data", "train.solution")),
    "prediction": ("predict", "pred_time_budget", ("test.data",)),
}
# With a budget of seconds, nobody needs more; it keeps a reader of the predictions safe.
MAX_PREDICTIONS = 2**26


def read_budgets(input_dir: Path) -> dict[str, float]:
    info = json.loads((input_dir / "info.json").read_text(encoding="utf-8"))
    return {key: float(info.get(key, default)) for key, default in DEFAULTS.items()}


def describe(half: str, ending: Ending, budget: float, start_budget: float) -> str:
    """Say in one sentence why a half counts for nothing; empty where it counts."""
    if ending.stopped == "start":
        return (
            f"{half}: importing model.py and making Model(info) was stopped after "
            f"{ending.start_seconds:.2f} s; the budget for it is {start_budget:g} s"
        )
    if ending.stopped == "budget":
        return f"{half} was stopped after {ending.seconds:.2f} s; its budget is {budget:g} s"
    if not ending.done:
        what = f"signal {-ending.code}" if ending.code < 0 else f"exit code {ending.code}"
        return f"{half} ended with {what} before it was done; the log says more"
    return ""


def organisers_fault(ending: Ending) -> str:
    """Say what no participant can mend; empty where there is nothing."""
    if ending.stopped == "loading":
        return "the program of the benchmark did not come so far as to begin with the model"
    if not ending.hidden and is_alone():
        return (
            "the files of a data set cannot be hidden from a model on this machine: its kernel, or "
            "the profile of its containers, lacks Landlock"
        )
    return ""


def lay_out(work: Path, input_dir: Path) -> None:
    """Put into a half's folder what it may see from its start."""
    (work / "data").mkdir()
    shutil.copyfile(input_dir / "info.json", work / "info.json")


def give(work: Path, input_dir: Path, names: tuple[str, ...]) -> None:
    """Put its data into a half's folder, never through what a model may have put there before."""
    with contextlib.suppress(OSError):
        for name in names:
            with (work / "data" / name).open("xb") as file:
                file.write((input_dir / name).read_bytes())


def take_predictions(work: Path, output_dir: Path, name: str) -> str:
    """Copy a file of predictions as data; say what is wrong if it is none."""
    path = work / name
    if path.is_symlink() or not path.is_file():
        return f"prediction left no {name}"
    if path.stat().st_size > MAX_PREDICTIONS:
        return f"prediction left more in {name} than can be read"
    (output_dir / name).write_bytes(path.read_bytes())
    return ""


def main(input_dir: Path, output_dir: Path, submission_dir: Path) -> None:
    guard()
    budgets = read_budgets(input_dir)
    work = Path(tempfile.mkdtemp(prefix="work-"))
    (work / "model").mkdir()
    outcome: dict[str, object] = {"organiser": "", "reason": ""}
    try:
        for half, (verb, budget_key, names) in HALVES.items():
            lay_out(work, input_dir)
            budget, start_budget = budgets[budget_key], budgets["start_time_budget"]
            ending = run(
                [sys.executable, str(Path(__file__).with_name("half.py")), verb, str(work),
                 str(submission_dir)],
                str(input_dir), partial(give, work, input_dir, names),
                start_budget=start_budget, budget=budget,
            )  # fmt: skip
            outcome |= {
                f"{half}_start_seconds": ending.start_seconds,
                f"{half}_seconds": ending.seconds,
                f"{half}_budget": budget,
            }
            print(
                f"{half}: {ending.seconds:.2f} s of {budget:g} s,"
                f" after {ending.start_seconds:.2f} s of {start_budget:g} s for the start;"
                f" all its processes were gone {ending.ending_seconds:.2f} s later"
            )
            outcome["organiser"] = organisers_fault(ending)
            outcome["reason"] = describe(half, ending, budget, start_budget)
            if outcome["organiser"] or outcome["reason"]:
                print(outcome["organiser"] or outcome["reason"])
                clear(output_dir)
                break
            if verb == "train":
                # Nothing of the training but what ``save`` wrote.
                forget(output_dir, work, keep=work / "model")
        else:
            clear(output_dir)
            outcome["reason"] = take_predictions(work, output_dir, "predictions.csv")
            if not outcome["reason"] and os.path.lexists(work / "stages.csv"):
                outcome["reason"] = take_predictions(work, output_dir, "stages.csv")
    finally:
        end_all()
        shutil.rmtree(work, ignore_errors=True)
    (output_dir / "outcome.json").write_text(json.dumps(outcome) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
