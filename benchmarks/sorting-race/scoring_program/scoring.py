"""Check every result and report the seconds that the worker measured.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/sorted.bin, res/results.bin and
res/metadata, which the worker writes after the prediction step.
"""

import json
import re
import struct
import sys
from pathlib import Path
from typing import NoReturn

RUNS = 15  # five rounds of three orders in ingestion.py
# Twice the phase's time limit, so no wrong result, however fast, ranks above a right one.
PENALTY_SECONDS = 40.0


def elapsed_seconds(metadata: Path) -> float:
    text = metadata.read_text(encoding="utf-8") if metadata.is_file() else ""
    found = re.search(r"^elapsedTime:\s*([0-9.eE+-]+)\s*$", text, re.MULTILINE)
    if not found:
        sys.exit("res/metadata gives no elapsedTime; the worker writes it, not the submission")
    return float(found[1])


def first_mistake(results: bytes, expected: bytes) -> str | None:
    size = len(expected)
    for run in range(RUNS):
        result = results[run * size : (run + 1) * size]
        if result != expected:
            found_values = struct.iter_unpack("<I", result)
            wanted_values = struct.iter_unpack("<I", expected)
            pairs = zip(found_values, wanted_values, strict=True)
            for position, ((found,), (wanted,)) in enumerate(pairs):
                if found != wanted:
                    return f"run {run + 1}, position {position}: {found} instead of {wanted}"
    return None


def refuse(output_dir: Path, message: str) -> NoReturn:
    """End without scores: pullbench shows participants rejected.txt, Codabench the log."""
    (output_dir / "rejected.txt").write_text(message + "\n", encoding="utf-8")
    sys.exit(message)


def main(input_dir: Path, output_dir: Path) -> None:
    expected = (input_dir / "ref" / "sorted.bin").read_bytes()
    results_file = input_dir / "res" / "results.bin"
    results = results_file.read_bytes() if results_file.is_file() else b""
    if len(results) != RUNS * len(expected):
        # Codabench scores a submission even after its prediction step has failed.
        done = len(results) // len(expected)
        refuse(output_dir, f"{done} of {RUNS} results: the prediction step did not finish")
    seconds = elapsed_seconds(input_dir / "res" / "metadata")

    mistake = first_mistake(results, expected)
    if mistake:
        print(f"not sorted: {mistake}")
        scores = {"seconds": PENALTY_SECONDS, "correct": 0.0}
    else:
        scores = {"seconds": seconds, "correct": 1.0}
    (output_dir / "scores.json").write_text(json.dumps(scores) + "\n", encoding="ascii")
    print(scores)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
