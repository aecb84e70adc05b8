"""The process in which the submitted function sorts: lists come in by a pipe, and go out by one.

Usage: run_sort.py SUBMISSION IN OUT CALLS COUNT, where IN and OUT are numbers of open files.
"""

import os
import struct
import sys
from pathlib import Path


def to_bytes(result: object, count: int) -> bytes:
    if not isinstance(result, list) or len(result) != count:
        sys.exit(f"sort.py: sort() did not return a list of {count} integers")
    try:
        return struct.pack(f"<{count}I", *result)
    except struct.error as error:
        sys.exit(f"sort.py: sort() returned something that was not in the list: {error}")


def main(submission: Path, given: int, returned: int, calls: int, count: int) -> None:
    sys.path.insert(0, str(submission))
    from sort import sort

    with os.fdopen(given, "rb") as lists, os.fdopen(returned, "wb") as results:
        for _ in range(calls):
            values = list(struct.unpack(f"<{count}I", lists.read(4 * count)))
            results.write(to_bytes(sort(values), count))
            results.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:6]))
