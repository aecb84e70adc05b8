"""Compares the first number of a data set with its sum; no other step comes before."""

import json
import sys
from pathlib import Path

source, output = map(Path, sys.argv[1:])
first = int((source / "res" / "numbers.txt").read_text().split()[0])
truth = int((source / "res" / "sum.txt").read_text())
(output / "scores.json").write_text(json.dumps({"distance": abs(first - truth)}))
