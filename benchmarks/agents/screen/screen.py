"""Ask an organiser about an entry whose files hold answers, as numbers or as names.

Usage: screen.py ENTRY OUTPUT. It reads what is written plainly: what is encoded gets through.
"""

import hashlib
import json
import re
import sys
from pathlib import Path

ENOUGH = 5  # answers that differ; a program has some numbers of its own
LONGEST = 2**20  # bytes of a file


def main(entry: Path, output: Path) -> None:
    wanted = {*json.loads(Path(__file__).with_name("answers.json").read_text())}
    seen: set[str] = set()
    reason = ""
    for file in sorted(path for path in entry.rglob("*") if path.is_file()):
        if file.stat().st_size > LONGEST:
            reason = "It has a file of more than a megabyte."
            continue
        words = {*re.findall(rb"service-\d+|\d+", file.read_bytes())}
        seen |= {hashlib.sha256(word).hexdigest() for word in words} & wanted
    if len(seen) >= ENOUGH:
        reason = f"Its files have {len(seen)} of the {len(wanted)} numbers and names in answers."
    verdict = {"verdict": "ask", "reason": reason} if reason else {"verdict": "ok"}
    (output / "verdict.json").write_text(json.dumps(verdict))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
