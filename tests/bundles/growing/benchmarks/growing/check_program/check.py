"""Takes numbers, and their sum; nothing of this benchmark is here but the data set."""

import json
import sys
from pathlib import Path

source, output = map(Path, sys.argv[1:])
assert not (source / "ref").exists()
data = source / "res"
numbers = (data / "input_data" / "numbers.txt").read_text().split()
wrong = [word for word in numbers if not word.lstrip("-").isdigit()]
if wrong:
    (output / "rejected.txt").write_text(f"'{wrong[0]}' is no whole number\n")
    sys.exit(1)
if sum(map(int, numbers)) != int((data / "reference_data" / "sum.txt").read_text()):
    (output / "rejected.txt").write_text("the sum is wrong\n")
    sys.exit(1)
if len(numbers) > 1:  # a check need not find out anything
    (output / "scores.json").write_text(json.dumps({"numbers": len(numbers)}))
