"""Asks once, while the other side runs; there is no ingestion program between them."""

import json
import sys
import time
from pathlib import Path

source, shared, output = map(Path, sys.argv[1:])
factor = int((source / "ref" / "factor.txt").read_text())
(shared / "question.part").write_text("6")
(shared / "question.part").replace(shared / "question")
while not (shared / "answer").exists() and not (source / "res" / "metadata").exists():
    time.sleep(0.01)
answer = int((shared / "answer").read_text())
(output / "scores.json").write_text(json.dumps({"score": float(answer == 6 * factor)}))
