"""Compares a sum with the right one."""

import json
import sys
from pathlib import Path

source, output = map(Path, sys.argv[1:])
found, wanted = ((source / folder / "sum.txt").read_text().strip() for folder in ("res", "ref"))
(output / "scores.json").write_text(json.dumps({"right": float(found == wanted)}))
