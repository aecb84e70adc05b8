"""Says the same for each task."""

import json
import sys
from pathlib import Path

source, output = map(Path, sys.argv[1:])
tasks = map(json.loads, (source / "tasks.jsonl").read_text().splitlines())
lines = (json.dumps({"id": task["id"], "answer": "100"}) + "\n" for task in tasks)
(output / "answers.jsonl").write_text("".join(lines))
