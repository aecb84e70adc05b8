"""Train the submitted model in one process, and predict in another, each within its budget.

Usage: ingestion.py INPUT OUTPUT SUBMISSION. Needs the standard library alone.

Whatever the model does, the output holds outcome.json in the end; predictions.csv stands beside it
where both halves kept their budgets.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from clock import Ending, run
from processes import clear, end_all, forget, guard

DEFAULTS = {"start_time_budget": 30, "time_budget": 1200, "pred_time_budget": 600}
HALVES = {"training": ("train", "time_budget"), "prediction": ("predict", "pred_time_budget")}
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


def take_predictions(made: Path, target: Path) -> str:
    """Copy the predictions as data; say what is wrong where they are none."""
    if made.is_symlink() or not made.is_file():
        return "prediction left no predictions"
    if made.stat().st_size > MAX_PREDICTIONS:
        return "prediction returned more than can be read"
    target.write_bytes(made.read_bytes())
    return ""


def main(input_dir: Path, output_dir: Path, submission_dir: Path) -> None:
    guard()
    budgets = read_budgets(input_dir)
    work = Path(tempfile.mkdtemp(prefix="work-"))
    (work / "model").mkdir()
    outcome: dict[str, object] = {"reason": ""}
    try:
        for half, (verb, budget_key) in HALVES.items():
            budget, start_budget = budgets[budget_key], budgets["start_time_budget"]
            ending = run(
                [sys.executable, str(Path(__file__).with_name("half.py")), verb,
                 str(input_dir), str(submission_dir), str(work)],
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
            outcome["reason"] = describe(half, ending, budget, start_budget)
            if outcome["reason"]:
                print(outcome["reason"])
                clear(output_dir)
                break
            if verb == "train":
                # Nothing of the training but what ``save`` wrote.
                forget(output_dir, work, keep=work / "model")
        else:
            clear(output_dir)
            made = work / "predictions.csv"
            outcome["reason"] = take_predictions(made, output_dir / "predictions.csv")
    finally:
        end_all()
        shutil.rmtree(work, ignore_errors=True)
    (output_dir / "outcome.json").write_text(json.dumps(outcome) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
