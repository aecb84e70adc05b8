"""Accept a data set, or say everything that is wrong with it.

Usage: check.py INPUT OUTPUT, where INPUT/res holds the data set as it was submitted.
"""

import json
import sys
from pathlib import Path

import numpy as np
from strict_tables import read_labels, read_numbers

FILES = ("input_data/X_train.csv", "input_data/y_train.csv", "input_data/X_test.csv",
         "reference_data/y_test.csv")  # fmt: skip
ROWS, FEATURES, CLASSES = (30, 20_000), (1, 500), (2, 50)


def within(what: str, count: int, bounds: tuple[int, int], faults: list[str]) -> None:
    low, high = bounds
    if not low <= count <= high:
        faults.append(f"{what}: {count:,}; this benchmark takes {low:,} to {high:,}")


def read(folder: Path, name: str, faults: list[str]) -> tuple[list[str], np.ndarray] | None:
    """Return names and values of a file; None where it cannot be used."""
    try:
        if Path(name).name.startswith("y_"):
            return ["label"], read_labels(folder / name)
        return read_numbers(folder / name)
    except ValueError as error:
        faults.append(f"{name}: {error}")
        return None


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
    (names, x_train), (_, true), (test_names, x_test), (_, answers) = (
        tables[name] for name in FILES
    )
    if names != test_names:
        faults.append("X_train.csv and X_test.csv have different columns")
    for name, rows, targets in (("training", x_train, true), ("test", x_test, answers)):
        within(f"{name} rows", len(rows), ROWS, faults)
        if len(rows) != len(targets):
            faults.append(f"{len(rows)} {name} rows have {len(targets)} labels")
    within("features", len(names), FEATURES, faults)
    within("classes", len(set(true)), CLASSES, faults)
    unseen = sorted(set(answers) - set(true))
    if unseen:
        faults.append(f"the label {unseen[0]} is in the test rows alone")
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
