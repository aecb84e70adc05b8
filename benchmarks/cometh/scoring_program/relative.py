"""Add to the scores how the error compares with that of equal proportions.

Usage: relative.py TRUTH SCORES
"""

import json
import sys
from pathlib import Path


def error_of_equal(truth: Path) -> float:
    """Mean absolute error of giving every cell type the same share."""
    rows = [line.split("\t")[1:] for line in truth.read_text(encoding="utf-8").splitlines()[1:]]
    values = [float(word) for row in rows for word in row]
    return sum(abs(value - 1 / len(rows)) for value in values) / len(values)


def main(truth: Path, scores: Path) -> None:
    found = json.loads(scores.read_text(encoding="ascii"))
    found["relative_error"] = found["mae"] / error_of_equal(truth)
    scores.write_text(json.dumps(found) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
