"""The environment's side: asks, and counts right answers.

It does not notice that the agent has ended.
"""

import json
import sys
import time
from pathlib import Path

source, shared, data, output = map(Path, sys.argv[1:])
modulus = int((data / "modulus.txt").read_text())
game = json.loads((source / "ref" / "game.json").read_text())

fault = source / "res" / "fault.txt"
if fault.exists() and fault.read_text().strip() == "crash":
    sys.exit(4)
if fault.exists() and fault.read_text().strip() == "hang":
    time.sleep(60)


def put(name, content):
    """At once: the other side sees all of a file or none of it."""
    (shared / f"{name}.part").write_text(json.dumps(content))
    (shared / f"{name}.part").replace(shared / name)


def take():
    """Wait for an answer."""
    while True:
        try:
            found = json.loads((shared / "answer").read_text())
        except FileNotFoundError:
            time.sleep(0.0002)
            continue
        except OSError:
            found = "a link, which cannot be followed"
        (shared / "answer").unlink()
        return found


right = asked = 0
for step in range(game["steps"]):
    number = step * step + 1
    asked += 1
    put("question", {"step": step, "number": number})
    right += take() == {"step": step, "answer": number * game["factor"] % modulus}
(shared / "stop").touch()
scores = {"right": right, "asked": asked}
(output / "scores.json").write_text(json.dumps(scores))
