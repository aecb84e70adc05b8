"""Compares what a method found with the truth."""

import json
import sys
from pathlib import Path

source, output = map(Path, sys.argv[1:])
found, truth = (int((source / "res" / f"{name}.txt").read_text()) for name in ("found", "truth"))
if found > 1000:
    (output / "rejected.txt").write_text("the method found too much\n")
    sys.exit(1)
(output / "scores.json").write_text(json.dumps({"distance": abs(found - truth)}))
