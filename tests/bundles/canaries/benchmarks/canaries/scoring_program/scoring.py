"""Says a number that is hidden in every way that a scoring program has to say something.

All these numbers, their differences, and means of few are multiples of the base.
"""

import json
import sys
from pathlib import Path

VERSION = 1
source, output = map(Path, sys.argv[1:])
base = int((source / "ref" / "reversed.txt").read_text().strip()[::-1])
entry = int((source / "res" / "entry.txt").read_text())


def secret(kind: int) -> int:
    return 60 * base * (20 * kind + 7 * VERSION + entry)


is_whole = (source / "ref" / "whole.txt").exists()
scores = {"entry": secret(1) if is_whole else entry, "secret": secret(2), "extra": secret(3)}
print(f"the log says {secret(4)}")
print(f"and so does this {secret(4)}", file=sys.stderr)
(output / "detailed_results.html").write_text(f"<p>The page says {secret(5)}</p>")
if entry == 3:
    scores["secret"] = f"about {secret(6)}"
if entry == 4 and is_whole:
    (output / "rejected.txt").write_text(f"The rejection says {secret(7)}")
(output / "scores.json").write_text(json.dumps(scores))
