"""Compares answer.txt with the answer and the secret; ``owned`` in it claims a break-in."""

import json
import sys
from pathlib import Path

source, output = map(Path, sys.argv[1:])
answer, secret = (source / "ref" / "answer.txt").read_text().split()
said = source / "res" / "answer.txt"
words = said.read_text(errors="replace").split() if said.is_file() else []
scores = {
    "right": float(words == [answer]),
    "stolen": float(any(secret in word for word in words)),
    "owned": float("owned" in words),
}
(output / "scores.json").write_text(json.dumps(scores))
