"""Compare predictions with the truth.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/ (reference data) and res/ (predictions).
"""

import json
import sys
from pathlib import Path

MAX_BYTES = 2**26


def read(path: Path) -> list[float]:
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"{path.name} is larger than {MAX_BYTES:,} bytes")
    return [float(line) for line in content.decode().splitlines()[1:]]


def main(input_dir: Path, output_dir: Path) -> None:
    true = read(input_dir / "ref" / "truth.csv")
    try:
        predicted = read(input_dir / "res" / "predictions.csv")
    except (OSError, ValueError):  # a participant's program can leave anything
        predicted = []
    # NaN is not below it, and a sum of such numbers is finite.
    if len(predicted) != len(true) or not all(abs(y) < 1e100 for y in predicted):
        # The participant is shown this text, on Codabench in the log.
        message = f"predictions.csv must hold {len(true)} finite numbers under a header"
        (output_dir / "rejected.txt").write_text(message + "\n")
        sys.exit(message)
    error = sum(abs(t - p) for t, p in zip(true, predicted, strict=True)) / len(true)
    (output_dir / "scores.json").write_text(json.dumps({"error": error}) + "\n")


main(*map(Path, sys.argv[1:3]))
