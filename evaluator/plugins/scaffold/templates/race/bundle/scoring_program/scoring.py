"""Report the seconds that the worker measured, and whether every result was right.

Usage: scoring.py INPUT OUTPUT, where INPUT holds res/outcome.json of the ingestion program, and
res/metadata, which the worker writes after the prediction step.
"""

import json
import re
import sys
from pathlib import Path
from typing import NoReturn

# Twice the phase's time limit, so no wrong result, however fast, ranks above a right one.
PENALTY_SECONDS = 40.0


def elapsed_seconds(metadata: Path) -> float:
    text = metadata.read_text(encoding="utf-8") if metadata.is_file() else ""
    found = re.search(r"^elapsedTime:\s*([0-9.eE+-]+)\s*$", text, re.MULTILINE)
    if not found:
        sys.exit("res/metadata gives no elapsedTime; the worker writes it, not the submission")
    return float(found[1])


def refuse(output_dir: Path, message: str) -> NoReturn:
    """End without scores: pullbench shows participants rejected.txt, Codabench the log."""
    (output_dir / "rejected.txt").write_text(message + "\n", encoding="utf-8")
    sys.exit(message)


def main(input_dir: Path, output_dir: Path) -> None:
    outcome_file = input_dir / "res" / "outcome.json"
    if not outcome_file.is_file():
        # Codabench scores a submission even after its prediction step has failed.
        refuse(output_dir, "the prediction step did not finish")
    outcome = json.loads(outcome_file.read_text(encoding="ascii"))
    seconds = elapsed_seconds(input_dir / "res" / "metadata")
    if outcome["mistake"]:
        print(f"not sorted: {outcome['mistake']}")
        scores = {"seconds": PENALTY_SECONDS, "correct": 0.0}
    else:
        scores = {"seconds": seconds, "correct": 1.0}
    (output_dir / "scores.json").write_text(json.dumps(scores) + "\n", encoding="ascii")
    print(scores)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
