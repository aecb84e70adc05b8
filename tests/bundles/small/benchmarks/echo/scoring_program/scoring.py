"""Writes scores in the older form, a line for each key."""

import sys
from pathlib import Path

source, output = map(Path, sys.argv[1:])
same = (source / "res" / "predictions.csv").read_text() == (
    source / "ref" / "predictions.csv"
).read_text()
(output / "scores.txt").write_text(f"agreement:{float(same)}\n")
