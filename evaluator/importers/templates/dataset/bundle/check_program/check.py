"""Accept a data set, or say everything that is wrong with it.

Usage: check.py INPUT OUTPUT, where INPUT/res holds the data set as it was submitted.
"""

import csv
import json
import math
import sys
from pathlib import Path

FILES = ("train.csv", "test.csv")
COLUMNS = ["x", "y", "label"]
MAX_BYTES = 2**20
ROWS = (4, 1000)


def read(path: Path, faults: list[str]) -> list[tuple[float, float, str]]:
    """Return the rows of a file; those that are wrong are left out and reported."""
    if path.stat().st_size > MAX_BYTES:
        faults.append(f"{path.name} is larger than 1 MiB")
        return []
    found = []
    lines = csv.reader(path.read_text("utf-8-sig", "replace").splitlines(), strict=True)
    try:
        if next(lines, None) != COLUMNS:
            faults.append(f"{path.name}, line 1: the header must be {','.join(COLUMNS)}")
            return []
        for row in lines:
            fault = fault_of(row)
            if fault:
                faults.append(f"{path.name}, line {lines.line_num}: {fault}")
            else:
                found.append((float(row[0]), float(row[1]), row[2]))
    except csv.Error as error:
        faults.append(f"{path.name}, line {lines.line_num}: {error}")
    low, high = ROWS
    if not low <= len(found) <= high:
        faults.append(f"{path.name}: {len(found)} good rows; {low} to {high:,} are taken")
    return found


def fault_of(row: list[str]) -> str:
    if len(row) != len(COLUMNS):
        return f"{len(row)} values under {len(COLUMNS)} names"
    try:
        finite = all(math.isfinite(float(word)) for word in row[:2])
    except ValueError:
        finite = False
    if not finite:
        return "x and y must be finite numbers"
    return "" if row[2] and len(row[2]) <= 40 and row[2].isprintable() else "there is no label"


def check(folder: Path) -> tuple[list[str], dict[str, float]]:
    """Return what is wrong, and figures of what is right."""
    faults = [f"{name} is missing" for name in FILES if not (folder / name).is_file()]
    if faults:
        return faults, {}
    train, test = (read(folder / name, faults) for name in FILES)
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
