"""Mean absolute error of predictions.csv. Usage: scoring.py INPUT OUTPUT, with ref/ and res/."""

import csv
import json
import math
import sys
from pathlib import Path

LOW, HIGH = -50.0, 100.0
MAX_BYTES = 2**20


def read(path: Path) -> list[float]:
    """Read the column gap. Raises ValueError with the first row that is wrong."""
    if path.stat().st_size > MAX_BYTES:
        raise ValueError("is larger than 1 MiB")
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    if not rows or rows[0] != ["gap"]:
        raise ValueError("does not begin with the header 'gap'")
    values = []
    for number, row in enumerate(rows[1:]):
        try:
            (text,) = row
            value = float(text)
        except ValueError:
            raise ValueError(f"row {number} holds {str(row)[:60]}, which is no number") from None
        if not LOW <= value <= HIGH:  # not a number is not between them, either
            raise ValueError(f"row {number} holds {value}, outside {LOW:g} to {HIGH:g} eV")
        values.append(value)
    return values


def main(input_dir: Path, output_dir: Path) -> None:
    """Write scores.json, or rejected.txt."""
    true = read(input_dir / "ref" / "test.csv")
    try:
        predicted = read(input_dir / "res" / "predictions.csv")
        if len(predicted) != len(true):
            raise ValueError(f"has {len(predicted)} rows; the test has {len(true)}")
    except (OSError, ValueError, csv.Error) as error:
        message = f"predictions.csv {error}"
        (output_dir / "rejected.txt").write_text(message + "\n", encoding="utf-8")
        sys.exit(message)
    errors = (abs(one - other) for one, other in zip(predicted, true, strict=True))
    scores = {"mae": math.fsum(errors) / len(true)}
    (output_dir / "scores.json").write_text(json.dumps(scores) + "\n", encoding="ascii")
    print(scores)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
