"""Run a submission on one dataset within the dataset's time budget.

Usage: ingestion.py INPUT OUTPUT SUBMISSION

The submission runs in another process (run_submission.py). This one takes the time and stops it:
nothing that the submission catches, forks or calls can hold it up. It always leaves end.yaml,
which says how it went, and the predictions where there are some.
"""

import json
import os
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import processes
import yaml

RUNNER = Path(__file__).with_name("run_submission.py")
MAX_OUTCOME_BYTES = 2**24


@dataclass(frozen=True)
class Outcome:
    """How a submission ended."""

    status: str
    """``success``, ``failed`` or ``timeout``."""
    duration: float
    """Seconds from the moment at which the data were in memory."""
    message: str = ""
    labels: tuple[int, ...] = ()


def run(input_dir: Path, submission_dir: Path, budget: float, scratch: Path) -> Outcome:
    """Run the submission, and end everything that it has started."""
    outcome = scratch / "outcome.json"
    is_ready, ready = os.pipe()
    child = subprocess.Popen(
        [sys.executable, RUNNER, input_dir, submission_dir, outcome, str(ready)],
        stdin=subprocess.DEVNULL, cwd=scratch, start_new_session=True, pass_fds=[ready],
    )  # fmt: skip
    os.close(ready)
    # Nothing of the submission is imported before this byte: the budget is its alone.
    if not os.read(is_ready, 1):
        sys.exit(f"the dataset could not be read (exit code {child.wait()})")
    started = time.monotonic()
    try:
        code = child.wait(budget)
    except subprocess.TimeoutExpired:
        code = None
    duration = time.monotonic() - started
    processes.end_all(child.pid)
    child.returncode = code or 0  # reaped by end_all
    if code is None or duration > budget:
        message = f"the time budget of {budget:g} s is used up: stopped after {duration:.2f} s"
        return Outcome("timeout", duration, message)
    try:
        result = json.loads(read_bounded(outcome))
    except OSError:
        return Outcome("failed", duration, f"ended with exit code {code} before it had predicted")
    except (ValueError, RecursionError):
        return Outcome("failed", duration, "left something else than predictions")
    return judge(result, duration)


def judge(result: object, duration: float) -> Outcome:
    """Read what the submission's process wrote; it may hold anything."""
    if isinstance(result, dict) and isinstance(result.get("error"), str):
        return Outcome("failed", duration, result["error"][:500])
    labels = result.get("labels") if isinstance(result, dict) else None
    if not isinstance(labels, list) or not all(type(label) is int for label in labels):
        return Outcome("failed", duration, "left something else than predictions")
    return Outcome("success", duration, labels=tuple(labels))


def read_bounded(path: Path) -> bytes:
    """Read a plain file; raises OSError for anything else, ValueError where it is too large."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise FileNotFoundError(path)
        content = file.read(MAX_OUTCOME_BYTES + 1)
    if len(content) > MAX_OUTCOME_BYTES:
        raise ValueError("too large")
    return content


def write(output_dir: Path, outcome: Outcome, config: dict[str, object]) -> None:
    """Write end.yaml and predictions."""
    if outcome.status == "success":
        text = "\n".join(["label", *map(str, outcome.labels)])
        (output_dir / "predictions").write_text(text + "\n", encoding="ascii")
    end = {
        "status": outcome.status,
        "ingestion_duration": round(outcome.duration, 3),
        "time_budget": config["time_budget"],
        "n_class": config["n_class"],
        "message": outcome.message,
    }
    lines = [f"{key}: {json.dumps(value)}\n" for key, value in end.items()]
    (output_dir / "end.yaml").write_text("".join(lines), encoding="ascii")


def main(input_dir: Path, output_dir: Path, submission_dir: Path) -> None:
    config = yaml.safe_load((input_dir / "config.yml").read_text(encoding="utf-8"))
    processes.guard()
    scratch = Path(tempfile.mkdtemp())
    outcome = run(input_dir, submission_dir, float(config["time_budget"]), scratch)
    processes.forget(output_dir, scratch)
    if scratch.is_dir():  # outside of a container
        scratch.rmdir()
    write(output_dir, outcome, config)
    print(f"{outcome.status} in {outcome.duration:.2f} s of {config['time_budget']:g} s")
    if outcome.message:
        print(outcome.message)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main(*(Path(word).resolve() for word in sys.argv[1:4]))
