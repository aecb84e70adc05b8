"""Accept a data set, or say everything that is wrong with it.

Usage: check.py INPUT OUTPUT, where INPUT/res holds the data set as it was submitted.
"""

import json
import sys
from pathlib import Path

from points import read

FILES = ("train.csv", "test.csv")
ROWS = (4, 1000)


def check(folder: Path) -> tuple[list[str], dict[str, float]]:
    """Return what is wrong, and figures of what is right."""
    faults = [f"{name} is missing" for name in FILES if not (folder / name).is_file()]
    if faults:
        return faults, {}
    train, test = (read(folder / name, faults) for name in FILES)
    low, high = ROWS
    faults += [
        f"{name}: {len(points)} good rows; {low} to {high:,} are taken"
        for name, points in (("train.csv", train), ("test.csv", test))
        if not low <= len(points) <= high
    ]
    labels = {row[2] for row in train}
    if not faults:
        if len(labels) < 2:
            faults.append("train.csv has one label alone")
        unknown = sorted({row[2] for row in test} - labels)
        if unknown:
            faults.append(f"test.csv has the label {unknown[0]!r}, which train.csv has not")
        known = set(train)
        faults += [
            f"test.csv, row {place}: it is in train.csv, too"
            for place, row in enumerate(test, start=1)
            if row in known
        ]
    return faults, {"training_rows": len(train), "test_rows": len(test), "labels": len(labels)}


def main(input_dir: Path, output_dir: Path) -> None:
    faults, figures = check(input_dir / "res")
    if faults:
        # The participant is shown this file.
        (output_dir / "rejected.txt").write_text("\n".join(faults[:20]) + "\n", encoding="utf-8")
        sys.exit("\n".join(faults[:20]))
    (output_dir / "scores.json").write_text(json.dumps(figures) + "\n")


main(*map(Path, sys.argv[1:3]))
