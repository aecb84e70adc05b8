"""Run the stages one after the other, each as a process of its own, and write what comes out.

Usage: ingestion.py INPUT OUTPUT SUBMISSION

PULLBENCH_STAGES names the participant's stages, with commas. Where it is not set, as on Codabench,
they are those whose folder is in the submission.

What a stage returns is held here, where no other stage can change it. Before the next one begins,
its processes have ended, and nothing of it is left.
"""

import csv
import json
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from processes import end_all, environment, forget, guard

HERE = Path(__file__).parent
MAX_BYTES = 2**24
"""What a stage may return, as JSON."""


def read(path: Path) -> list[list[float]]:
    with path.open(newline="") as file:
        rows = list(csv.reader(file))
    return [[float(value) for value in row] for row in rows[1:]]


def participants(submission_dir: Path) -> set[str]:
    told = os.environ.get("PULLBENCH_STAGES")
    if told is None:
        return {path.name for path in submission_dir.iterdir() if path.is_dir()}
    return set(told.split(","))


def run_stage(name: str, submission_dir: Path, output_dir: Path, *arguments: object) -> list:
    own = name in participants(submission_dir)
    folder = (submission_dir if own else HERE) / name
    whose = f"the {'participant' if own else 'organiser'}'s stage '{name}'"
    print(whose, flush=True)
    home = Path(tempfile.mkdtemp())
    given, returned = home / "given.json", home / "returned.json"
    given.write_text(json.dumps(arguments))
    process = subprocess.Popen(
        # Isolated: it takes no code from its home, its folder or the environment.
        [sys.executable, "-I", "-B", HERE / "run_stage.py", folder, given, returned],
        stdin=subprocess.DEVNULL, cwd=home, env=environment(home), start_new_session=True,
    )  # fmt: skip
    code = process.wait()
    end_all()
    try:
        result = json.loads(read_bounded(returned)) if code == 0 else None
    except (OSError, ValueError, RecursionError):
        result = None  # a stage can leave anything
    forget(output_dir, home)
    if home.is_dir():  # outside of a container
        home.rmdir()
    if not isinstance(result, list):
        sys.exit(f"{whose} failed, or returned no list")
    return result


def read_bounded(path: Path) -> bytes:
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError("no plain file")
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError("too large")
    return content


def main(input_dir: Path, output_dir: Path, submission_dir: Path) -> None:
    guard()
    train = read(input_dir / "train.csv")
    xs = [row[0] for row in read(input_dir / "test.csv")]
    cleaned = run_stage("clean", submission_dir, output_dir, train)
    answers = run_stage("model", submission_dir, output_dir, cleaned, xs)
    predicted = [float(y) for y in answers]
    lines = ["y", *map(repr, predicted)]
    (output_dir / "predictions.csv").write_text("\n".join(lines) + "\n")


main(*map(Path, sys.argv[1:4]))
