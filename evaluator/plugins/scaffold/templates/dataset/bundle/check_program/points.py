"""Read a file of points.

The check and the scoring program read with this file, which is the same in both: what one accepts
the other reads alike.
"""

import re
from pathlib import Path

HEADER = "x,y,label"
MAX_BYTES = 2**20
# One way to write a number, and no sign in a label that a reader could take for a separator.
NUMBER = r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?(?:e-?[0-9]{1,2})?"
LINE = re.compile(rf'({NUMBER}),({NUMBER}),([^\s,"](?:[^,"]{{0,38}}[^\s,"])?)')


def read(path: Path, faults: list[str]) -> list[tuple[float, float, str]]:
    """Return the points of a file; what is wrong with it is added to the faults."""
    if path.stat().st_size > MAX_BYTES:
        faults.append(f"{path.name} is larger than 1 MiB")
        return []
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        faults.append(f"{path.name} is not UTF-8")
        return []
    if not text.endswith("\n"):
        faults.append(f"{path.name}: its last line does not end")
    header, *lines = text.removesuffix("\n").split("\n")
    if header != HEADER:
        faults.append(f"{path.name}, line 1: the header must be {HEADER}")
        return []
    points = []
    for number, line in enumerate(lines, start=2):
        parts = LINE.fullmatch(line)
        if parts and parts[3].isprintable():
            points.append((float(parts[1]), float(parts[2]), parts[3]))
        else:
            faults.append(f"{path.name}, line {number}: not two numbers such as -1.5 and a label")
    return points
