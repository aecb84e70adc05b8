"""The agent's side: answers each question that the environment asks."""

import json
import runpy
import sys
import time
from pathlib import Path

shared, data, submission = map(Path, sys.argv[1:])
modulus = int((data / "modulus.txt").read_text())
answer = runpy.run_path(str(submission / "main.py"))["answer"]


def put(name, content):
    """At once: the other side sees all of a file or none of it."""
    (shared / f"{name}.part").write_text(json.dumps(content))
    (shared / f"{name}.part").replace(shared / name)


while not (shared / "stop").exists():
    try:
        question = json.loads((shared / "question").read_text())
    except FileNotFoundError:
        time.sleep(0.0002)
        continue
    (shared / "question").unlink()
    found = answer(question["step"], question["number"], modulus)
    if found is not None:
        put("answer", {"step": question["step"], "answer": found})
