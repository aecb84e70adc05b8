"""Train one algorithm of the organiser's on a submitted data set, and test it.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/model.py (the algorithm) and res/ (the data
set, which the check has accepted).
"""

import csv
import json
import sys
from pathlib import Path

Point = tuple[float, float]


def read(path: Path) -> tuple[list[Point], list[str]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    return [(float(row["x"]), float(row["y"])) for row in rows], [row["label"] for row in rows]


def main(input_dir: Path, output_dir: Path) -> None:
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(input_dir / "ref"))
    from model import Model

    model = Model()
    model.fit(*read(input_dir / "res" / "train.csv"))
    points, true = read(input_dir / "res" / "test.csv")
    wrong = sum(found != label for found, label in zip(model.predict(points), true, strict=True))
    (output_dir / "scores.json").write_text(json.dumps({"error": wrong / len(true)}) + "\n")


main(*map(Path, sys.argv[1:3]))
