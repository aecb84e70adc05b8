"""Sort the same integers fifteen times with the submitted function and keep every result.

Usage: ingestion.py INPUT OUTPUT SUBMISSION

Nothing is timed here: a clock in this process is within the submission's reach.
"""

import struct
import sys
from pathlib import Path

ROUNDS = 5


def to_bytes(result: object, count: int) -> bytes:
    if not isinstance(result, list) or len(result) != count:
        sys.exit(f"sort.py: sort() did not return a list of {count} integers")
    try:
        return struct.pack(f"<{count}I", *result)
    except struct.error as error:
        sys.exit(f"sort.py: sort() returned something that was not in the list: {error}")


def main(input_dir: Path, output_dir: Path, submission_dir: Path) -> None:
    # Leave no __pycache__ in the submission where it is writable, as it is outside a container.
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(submission_dir))
    from sort import sort

    data = (input_dir / "values.bin").read_bytes()
    count = len(data) // 4
    values = list(struct.unpack(f"<{count}I", data))
    ascending = sorted(values)
    # All orders have one right answer, so one small reference file checks every run.
    orders = {"random": values, "ascending": ascending, "descending": ascending[::-1]}

    with (output_dir / "results.bin").open("wb") as results:
        for number in range(1, ROUNDS + 1):
            for order, numbers in orders.items():
                # A copy: the function may sort in place.
                results.write(to_bytes(sort(numbers.copy()), count))
                print(f"round {number} of {ROUNDS}, {order}: done", flush=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
