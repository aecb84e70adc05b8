"""Train the reference model on the submitted data and test it on the reference data.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/ (reference data) and res/ (the submission).
"""

import csv
import json
import math
import sys
from pathlib import Path

from model import NearestNeighbour, Point

MAX_ROWS = 40
LABELS = {"inside", "outside"}


def read(path: Path) -> tuple[list[Point], list[str]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    return [(float(row["x"]), float(row["y"])) for row in rows], [row["label"] for row in rows]


def fault(points: list[Point], labels: list[str]) -> str:
    """Say what is wrong with a submitted data set; empty where it can be used."""
    if not 1 <= len(points) <= MAX_ROWS:
        return f"train.csv has {len(points)} rows; 1 to {MAX_ROWS} are taken"
    if not all(math.isfinite(value) and abs(value) <= 2 for point in points for value in point):
        return "train.csv holds a coordinate that is not between -2 and 2"
    unknown = set(labels) - LABELS
    return f"train.csv holds labels other than {sorted(LABELS)}" if unknown else ""


def main(input_dir: Path, output_dir: Path) -> None:
    try:
        points, labels = read(input_dir / "res" / "train.csv")
        message = fault(points, labels)
    except (OSError, KeyError, TypeError, ValueError, csv.Error) as error:
        message = f"train.csv cannot be read: {error!r}"
    if message:
        # The participant is shown this text, on Codabench in the log.
        (output_dir / "rejected.txt").write_text(message + "\n")
        sys.exit(message)
    model = NearestNeighbour()
    model.fit(points, labels)
    tests, true = read(input_dir / "ref" / "test.csv")
    right = sum(found == label for found, label in zip(model.predict(tests), true, strict=True))
    (output_dir / "scores.json").write_text(json.dumps({"accuracy": right / len(true)}) + "\n")


main(*map(Path, sys.argv[1:3]))
