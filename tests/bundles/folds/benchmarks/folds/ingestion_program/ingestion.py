"""Shows the participant's function a fold, and makes sure that there is no other."""

import os
import runpy
import sys
from pathlib import Path

data, submission, output = map(Path, sys.argv[1:])
assert sorted(path.name for path in data.iterdir()) == ["numbers.txt"], list(data.iterdir())
numbers = [int(word) for word in (data / "numbers.txt").read_text().split()]
assert numbers == [[1, 2], [4, 5]][int(os.environ["PULLBENCH_REPEAT"])]
add = runpy.run_path(str(submission / "main.py"))["add"]
(output / "sum.txt").write_text(f"{add(numbers)}\n")
