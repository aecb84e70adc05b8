"""Asks the participant's function for a sum."""

import runpy
import sys
from pathlib import Path

data, submission, output = map(Path, sys.argv[1:])
numbers = [int(word) for word in (data / "numbers.txt").read_text().split()]
add = runpy.run_path(str(submission / "main.py"))["add"]
(output / "sum.txt").write_text(f"{add(numbers)}\n")
