"""Run the stages one after the other, each as a process of its own, and write what comes out.

Usage: ingestion.py INPUT OUTPUT SUBMISSION

PULLBENCH_STAGES names the participant's stages, with commas. Where it is not set, as on Codabench,
they are those whose folder is in the submission.
"""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
# What a process of a stage runs: arguments come in as JSON, the result goes out after a mark, so
# that a stage may print.
CALL = """
import json, sys
sys.path.insert(0, sys.argv[1])
from stage import run
print(sys.argv[2] + json.dumps(run(*json.load(sys.stdin))))
"""
MARK = "result: "


def read(path: Path) -> list[list[float]]:
    with path.open(newline="") as file:
        rows = list(csv.reader(file))
    return [[float(value) for value in row] for row in rows[1:]]


def participants(submission_dir: Path) -> set[str]:
    told = os.environ.get("PULLBENCH_STAGES")
    if told is None:
        return {path.name for path in submission_dir.iterdir() if path.is_dir()}
    return set(told.split(","))


def run_stage(name: str, submission_dir: Path, *arguments: object) -> list:
    own = name in participants(submission_dir)
    folder = (submission_dir if own else HERE) / name
    whose = f"the {'participant' if own else 'organiser'}'s stage '{name}'"
    print(whose, flush=True)
    done = subprocess.run(
        [sys.executable, "-B", "-c", CALL, folder, MARK],
        input=json.dumps(arguments), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    line = done.stdout.rpartition(MARK)[2]
    if done.returncode or not line:
        sys.exit(f"{whose} failed")
    result = json.loads(line)
    if not isinstance(result, list):
        sys.exit(f"{whose} returned no list")
    return result


def main(input_dir: Path, output_dir: Path, submission_dir: Path) -> None:
    train = read(input_dir / "train.csv")
    xs = [row[0] for row in read(input_dir / "test.csv")]
    cleaned = run_stage("clean", submission_dir, train)
    predicted = [float(y) for y in run_stage("model", submission_dir, cleaned, xs)]
    lines = ["y", *map(repr, predicted)]
    (output_dir / "predictions.csv").write_text("\n".join(lines) + "\n")


main(*map(Path, sys.argv[1:4]))
