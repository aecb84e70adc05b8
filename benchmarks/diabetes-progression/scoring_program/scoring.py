"""Measure how far the predictions are from the true values.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/y_test.csv and res/predictions.csv.
"""

import csv
import json
import math
import sys
from pathlib import Path
from typing import NoReturn

LARGEST = 1e9  # of a prediction: its square, and the sum of all, are numbers then
SHOWN = 10  # enough problems to see what went wrong, few enough for a log


def read_truth(path: Path) -> dict[int, float]:
    with path.open(encoding="ascii", newline="") as file:
        return {int(row["id"]): float(row["target"]) for row in csv.DictReader(file)}


def read_predictions(path: Path, expected: set[int]) -> tuple[dict[int, float], list[str]]:
    """Return the readable predictions and every problem, so that one try shows them all."""
    predictions: dict[int, float] = {}
    problems = []
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file)
        header = next(rows, [])
        if header != ["id", "prediction"]:
            return {}, [f"the header is {','.join(header)!r}, not 'id,prediction'"]
        for number, row in enumerate(rows, start=1):
            try:
                key, value = int(row[0]), float(row[1])
                if len(row) != 2 or not abs(value) <= LARGEST:  # which NaN is not, either
                    raise ValueError
            except (IndexError, ValueError):
                problems.append(f"row {number}: {row} is not an integer id and a number")
                continue
            if key not in expected:
                problems.append(f"row {number}: there is no test row with id {key}")
            elif key in predictions:
                problems.append(f"row {number}: id {key} was given before")
            else:
                predictions[key] = value
    missing = sorted(expected - predictions.keys())
    if missing:
        more = ", ..." if len(missing) > SHOWN else ""
        ids = ", ".join(map(str, missing[:SHOWN]))
        problems.append(f"no prediction for {len(missing)} of {len(expected)} ids: {ids}{more}")
    return predictions, problems


def refuse(output_dir: Path, message: str) -> NoReturn:
    """End without scores: pullbench shows participants rejected.txt, Codabench the log."""
    (output_dir / "rejected.txt").write_text(message + "\n", encoding="utf-8")
    sys.exit(message)


def main(input_dir: Path, output_dir: Path) -> None:
    truth = read_truth(input_dir / "ref" / "y_test.csv")
    prediction_file = input_dir / "res" / "predictions.csv"
    if not prediction_file.is_file():
        refuse(output_dir, "the submission has no file predictions.csv")
    try:
        predictions, problems = read_predictions(prediction_file, set(truth))
    except (UnicodeDecodeError, csv.Error) as error:
        refuse(output_dir, f"predictions.csv is not a CSV file in UTF-8: {error}")
    if problems:
        more = [f"and {len(problems) - SHOWN} more"] if len(problems) > SHOWN else []
        lines = [f"predictions.csv: {line}" for line in problems[:SHOWN] + more]
        refuse(output_dir, "\n".join(lines))

    errors = {key: predictions[key] - target for key, target in truth.items()}
    scores = {
        "mae": math.fsum(map(abs, errors.values())) / len(errors),
        "rmse": math.sqrt(math.fsum(error**2 for error in errors.values()) / len(errors)),
    }
    samples = [
        {
            "id": str(key),
            "scores": {"mae": abs(error)},
            "texts": {"prediction": str(predictions[key])},
        }
        for key, error in errors.items()
    ]
    lines = "".join(json.dumps(sample) + "\n" for sample in samples)
    (output_dir / "samples.jsonl").write_text(lines, encoding="ascii")
    (output_dir / "scores.json").write_text(json.dumps(scores) + "\n", encoding="ascii")
    print(scores)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
