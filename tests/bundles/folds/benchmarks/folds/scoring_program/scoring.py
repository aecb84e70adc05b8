"""Compares with the one answer that is here."""

import json
import sys
from pathlib import Path

source, output = map(Path, sys.argv[1:])
assert [path.name for path in (source / "ref").iterdir()] == ["sum.txt"]
right = (source / "res" / "sum.txt").read_text() == (source / "ref" / "sum.txt").read_text()
assert right
(output / "scores.json").write_text(json.dumps({"right": float(right)}))
