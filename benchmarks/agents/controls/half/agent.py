"""Answers half of the tasks."""

import json
import sys
from pathlib import Path

source, output = map(Path, sys.argv[1:])
tasks = [json.loads(line) for line in (source / "tasks.jsonl").read_text().splitlines()]
lines = (json.dumps({"id": task["id"], "answer": "100"}) + "\n" for task in tasks[:10])
(output / "answers.jsonl").write_text("".join(lines))
