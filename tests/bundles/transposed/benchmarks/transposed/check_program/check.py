"""Takes numbers, and their sum."""

import json
import sys
from pathlib import Path

source, output = map(Path, sys.argv[1:])
words = (source / "res" / "numbers.txt").read_text().split()
wrong = [word for word in words if not word.isdigit()]
if wrong:
    (output / "rejected.txt").write_text(f"'{wrong[0]}' is no whole number\n")
    sys.exit(1)
(output / "scores.json").write_text(json.dumps({"numbers": len(words)}))
