"""Accept a data set, or say everything that is wrong with it.

Usage: check.py INPUT OUTPUT, where INPUT/res holds the data set as it was submitted.
"""

import json
import sys
from pathlib import Path

import numpy as np

FILES = ("input_data/X_train.csv", "input_data/y_train.csv", "input_data/X_test.csv",
         "reference_data/y_test.csv")  # fmt: skip
MAX_BYTES = 8 * 2**20
ROWS, FEATURES, CLASSES = (30, 20_000), (1, 500), (2, 50)


def read(folder: Path, name: str, faults: list[str]) -> tuple[list[str], np.ndarray] | None:
    """Return the header and the numbers of a file; None where it cannot be used."""
    path = folder / name
    if path.stat().st_size > MAX_BYTES:
        faults.append(f"{name} is larger than {MAX_BYTES // 2**20} MiB")
        return None
    header, *lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines() or [""]
    columns = header.split(",")
    rows = []
    for number, line in enumerate(lines, start=2):
        cells = line.split(",")
        if len(cells) != len(columns):
            faults.append(f"{name}, line {number}: {len(cells)} values under {len(columns)} names")
            return None
        try:
            rows.append([float(cell) for cell in cells])
        except ValueError:
            faults.append(f"{name}, line {number}: not all values are numbers")
            return None
    values = np.array(rows).reshape(len(rows), len(columns))
    bad = np.flatnonzero(~np.isfinite(values).all(axis=1))
    if len(bad):
        faults.append(f"{name}, line {bad[0] + 2}: not finite")
        return None
    return columns, values


def within(what: str, count: int, bounds: tuple[int, int], faults: list[str]) -> None:
    low, high = bounds
    if not low <= count <= high:
        faults.append(f"{what}: {count:,}; this benchmark takes {low:,} to {high:,}")


def labels(name: str, table: tuple[list[str], np.ndarray], faults: list[str]) -> np.ndarray:
    columns, values = table
    if columns != ["label"]:
        faults.append(f"{name}: its only column must be called 'label'")
    column = values[:, 0]
    wrong = np.flatnonzero(column != np.round(column))
    if len(wrong):
        faults.append(f"{name}, line {wrong[0] + 2}: a label is a whole number")
    return column


def check(folder: Path) -> tuple[list[str], dict[str, float]]:
    """Return what is wrong, and figures of what is right."""
    faults = [f"{name} is missing" for name in FILES if not (folder / name).is_file()]
    faults += [
        f"{path.relative_to(folder)} belongs to no part of a data set"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.relative_to(folder).as_posix() not in FILES
        and path.parent != folder
    ]
    if faults:
        return faults, {}
    tables = {name: read(folder, name, faults) for name in FILES}
    if any(table is None for table in tables.values()):
        return faults, {}
    (names, x_train), y_train, (test_names, x_test), y_test = (tables[name] for name in FILES)
    if names != test_names:
        faults.append("X_train.csv and X_test.csv have different columns")
    true, answers = labels(FILES[1], y_train, faults), labels(FILES[3], y_test, faults)
    for name, rows, targets in (("training", x_train, true), ("test", x_test, answers)):
        within(f"{name} rows", len(rows), ROWS, faults)
        if len(rows) != len(targets):
            faults.append(f"{len(rows)} {name} rows have {len(targets)} labels")
    within("features", len(names), FEATURES, faults)
    within("classes", len(set(true)), CLASSES, faults)
    unseen = sorted(set(answers) - set(true))
    if unseen:
        faults.append(f"the label {unseen[0]:g} is in the test rows alone")
    if faults:
        return faults, {}
    known = {tuple(row) for row in x_train}
    counts = np.unique(true, return_counts=True)[1]
    return [], {
        "training_rows": len(x_train),
        "test_rows": len(x_test),
        "features": len(names),
        "classes": len(counts),
        "largest_class": counts.max() / len(true),
        "test_rows_seen_in_training": sum(tuple(row) in known for row in x_test) / len(x_test),
    }


def main(input_dir: Path, output_dir: Path) -> None:
    faults, figures = check(input_dir / "res")
    if faults:
        # The participant is shown this file.
        (output_dir / "rejected.txt").write_text("\n".join(faults[:20]) + "\n", encoding="utf-8")
        sys.exit("\n".join(faults))
    (output_dir / "scores.json").write_text(json.dumps(figures) + "\n", encoding="ascii")
    print(figures)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
