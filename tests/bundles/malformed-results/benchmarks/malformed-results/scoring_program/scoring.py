"""Mean absolute error; trusts the file's form, which `pullbench validate` checks."""

import csv
import json
import sys
from pathlib import Path


def read(path: Path, column: str) -> dict[str, float]:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["id"]: float(row[column]) for row in csv.DictReader(file)}


def main(input_dir: Path, output_dir: Path) -> None:
    truth = read(input_dir / "ref" / "y_test.csv", "target")
    predictions = read(input_dir / "res" / "predictions.csv", "prediction")
    mae = sum(abs(predictions[key] - target) for key, target in truth.items()) / len(truth)
    (output_dir / "scores.json").write_text(json.dumps({"mae": mae}) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
