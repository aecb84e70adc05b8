"""Have the submitted function sort fifteen lists, and check every result.

Usage: ingestion.py INPUT OUTPUT SUBMISSION

The function runs in another process (run_sort.py), which gets a list when it has returned the one
before. Each is drawn when it is handed over: nobody can know it earlier, or have sorted it already.
Nothing is timed here: the worker measures the container, in which nothing else happens.
"""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

from processes import end_all, environment, forget, guard

ROUNDS = 5
ORDERS = ("random", "ascending", "descending")
COUNT = 100_000
SIZE = 4 * COUNT
"""Bytes of a list: 32-bit integers, little-endian on every machine."""


def draw(order: str) -> tuple[bytes, bytes]:
    """Draw a list; returns it in its order, and sorted."""
    drawn = os.urandom(SIZE)
    ascending = sorted(struct.unpack(f"<{COUNT}I", drawn))
    answer = struct.pack(f"<{COUNT}I", *ascending)
    if order == "descending":
        return struct.pack(f"<{COUNT}I", *reversed(ascending)), answer
    return (drawn if order == "random" else answer), answer


def first_mistake(result: bytes, answer: bytes) -> str:
    pairs = zip(struct.iter_unpack("<I", result), struct.iter_unpack("<I", answer), strict=True)
    for position, ((returned,), (wanted,)) in enumerate(pairs):
        if returned != wanted:
            return f"position {position}: {returned} instead of {wanted}"
    raise AssertionError("they are the same")


def race(lists: BinaryIO, results: BinaryIO) -> str:
    """Hand over all lists; returns the first mistake, or nothing. Raises OSError, EOFError."""
    mistake = ""
    for number in range(1, ROUNDS + 1):
        for order in ORDERS:
            given, answer = draw(order)
            lists.write(given)
            lists.flush()
            result = results.read(SIZE)
            if len(result) != SIZE:
                raise EOFError
            if result != answer and not mistake:
                mistake = f"round {number}, {order}, {first_mistake(result, answer)}"
            print(f"round {number} of {ROUNDS}, {order}: done", flush=True)
    return mistake


def main(output_dir: Path, submission_dir: Path) -> None:
    guard()
    given, to_sort = os.pipe()
    sorted_, returned = os.pipe()
    calls = ROUNDS * len(ORDERS)
    command = [Path(__file__).with_name("run_sort.py"), submission_dir, given, returned, calls,
               COUNT]  # fmt: skip
    subprocess.Popen(
        # Bytecode is not kept: where it runs outside a container, the submission can be written to.
        [sys.executable, "-B", *map(str, command)],
        stdin=subprocess.DEVNULL, env=environment(Path("/tmp")), start_new_session=True,
        pass_fds=[given, returned],
    )  # fmt: skip
    os.close(given)
    os.close(returned)
    try:
        with os.fdopen(to_sort, "wb") as lists, os.fdopen(sorted_, "rb") as results:
            mistake = race(lists, results)
    except (OSError, EOFError):
        sys.exit("sort.py ended before it had sorted every list")
    end_all()
    forget(output_dir)
    outcome = {"calls": calls, "mistake": mistake}
    (output_dir / "outcome.json").write_text(json.dumps(outcome) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*map(Path, sys.argv[2:4]))
