"""Make a model of the submission and let it predict from SMILES.

Usage: ingestion.py INPUT OUTPUT SUBMISSION. Loading, the constructor and whatever predict() does
before its first molecule are in the budget, which is measured from outside.
"""

import csv
import sys
from pathlib import Path


def main(input_dir: Path, output_dir: Path, submission: Path) -> None:
    """Write predictions.csv."""
    with (input_dir / "test.csv").open(newline="", encoding="ascii") as file:
        smiles = [row["smiles"] for row in csv.DictReader(file)]
    sys.path.insert(0, str(submission))
    from model import Model

    predicted = [float(value) for value in Model().predict(list(smiles))]
    if len(predicted) != len(smiles):
        sys.exit(f"predict() returned {len(predicted)} values for {len(smiles)} molecules")
    with (output_dir / "predictions.csv").open("w", newline="", encoding="ascii") as file:
        csv.writer(file, lineterminator="\n").writerows([["gap"], *([repr(v)] for v in predicted)])


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
