import json
import os
import sys
from pathlib import Path

given, output, submission = map(Path, sys.argv[1:])
told = os.environ["PULLBENCH_STAGES"]
seen = sorted(p.relative_to(submission).as_posix() for p in submission.rglob("*") if p.is_file())
print(json.dumps({"told": told, "seen": seen}))
own = {"shift": 0, "scale": 1, "cut": 0}
numbers = {
    stage: int((submission / stage / "number.txt").read_text()) if stage in told.split(",") else n
    for stage, n in own.items()
}
value = int((given / "number.txt").read_text())
value = (value + numbers["shift"]) * numbers["scale"] - numbers["cut"]
(output / "value.txt").write_text(f"{value}\n")
