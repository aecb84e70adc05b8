"""Compares a sum with the right one."""

import json
import sys
from pathlib import Path

source, output = map(Path, sys.argv[1:])
found = int((source / "res" / "sum.txt").read_text())
wanted = int((source / "ref" / "sum.txt").read_text())
scores = {
    "right": float(found == wanted),
    "distance": abs(found - wanted),
    "token": int((source / "res" / "token.txt").read_text()),
}
(output / "scores.json").write_text(json.dumps(scores))
