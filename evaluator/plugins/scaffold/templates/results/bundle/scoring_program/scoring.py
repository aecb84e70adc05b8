"""Compare predicted labels with the true ones.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/ (reference data) and res/ (the submission).
"""

import csv
import json
import sys
from pathlib import Path

MAX_BYTES = 2**26


def read(path: Path) -> dict[str, str]:
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES:,} bytes")
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    if not {"id", "label"} <= {*(reader.fieldnames or ())}:
        raise ValueError("its header must have the columns id and label")
    found = {row["id"]: row["label"] for row in rows}
    if len(found) < len(rows):
        raise ValueError("an id is there twice")
    return found


def main(input_dir: Path, output_dir: Path) -> None:
    true = read(input_dir / "ref" / "truth.csv")
    try:
        predicted = read(input_dir / "res" / "predictions.csv")
    except (OSError, ValueError, KeyError, csv.Error) as error:  # it can hold anything
        # The participant is shown this text, on Codabench in the log.
        message = f"predictions.csv cannot be read: {type(error).__name__}: {error}"
        (output_dir / "rejected.txt").write_text(message + "\n")
        sys.exit(message)
    right = sum(predicted.get(key) == label for key, label in true.items())
    (output_dir / "scores.json").write_text(json.dumps({"accuracy": right / len(true)}) + "\n")


main(*map(Path, sys.argv[1:3]))
