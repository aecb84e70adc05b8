"""Fit weights.json by least squares. Usage: train.py TRAIN.csv (needs numpy)."""

import csv
import json
import sys
from pathlib import Path

import numpy as np
from model import features


def main(train: Path) -> None:
    """Write weights.json beside this file."""
    with train.open(newline="", encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    inputs = np.array([features(row["smiles"]) for row in rows])
    gaps = np.array([float(row["gap"]) for row in rows])
    ridge = 1e-3 * np.eye(inputs.shape[1])
    weights = np.linalg.solve(inputs.T @ inputs + ridge, inputs.T @ gaps)
    print("training error", np.abs(inputs @ weights - gaps).mean())
    path = Path(__file__).with_name("weights.json")
    path.write_text(json.dumps([round(float(w), 6) for w in weights]) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
