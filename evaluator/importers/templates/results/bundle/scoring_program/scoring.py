"""Compare predicted labels with the true ones.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/ (reference data) and res/ (the submission).
"""

import csv
import json
import sys
from pathlib import Path


def read(path: Path) -> dict[str, str]:
    with path.open(newline="") as file:
        return {row["id"]: row["label"] for row in csv.DictReader(file)}


def main(input_dir: Path, output_dir: Path) -> None:
    true = read(input_dir / "ref" / "truth.csv")
    predicted = read(input_dir / "res" / "predictions.csv")
    right = sum(predicted.get(key) == label for key, label in true.items())
    (output_dir / "scores.json").write_text(json.dumps({"accuracy": right / len(true)}) + "\n")


main(*map(Path, sys.argv[1:3]))
