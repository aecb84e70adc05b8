"""Tries the organiser's method on a data set, and keeps the truth for the scoring program."""

import runpy
import sys
from pathlib import Path

method, data, output = map(Path, sys.argv[1:])
numbers = [int(word) for word in (data / "numbers.txt").read_text().split()]
found = runpy.run_path(str(method / "method.py"))["add"](numbers)
(output / "found.txt").write_text(f"{found}\n")
(output / "truth.txt").write_text((data / "sum.txt").read_text())
