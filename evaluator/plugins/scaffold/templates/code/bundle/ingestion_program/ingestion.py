"""Run the participant's function on the input data and write what it predicts.

Usage: ingestion.py INPUT OUTPUT SUBMISSION
"""

import csv
import sys
from pathlib import Path


def read(path: Path) -> list[list[float]]:
    with path.open(newline="") as file:
        rows = list(csv.reader(file))
    return [[float(value) for value in row] for row in rows[1:]]


def main(input_dir: Path, output_dir: Path, submission_dir: Path) -> None:
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(submission_dir))
    from model import predict

    train = [(x, y) for x, y in read(input_dir / "train.csv")]
    xs = [row[0] for row in read(input_dir / "test.csv")]
    predicted = [float(y) for y in predict(train, xs)]
    lines = ["y", *map(repr, predicted)]
    (output_dir / "predictions.csv").write_text("\n".join(lines) + "\n")
    print(f"{len(train)} rows of training, {len(predicted)} predictions")


main(*map(Path, sys.argv[1:4]))
