"""Refuses predictions: the data of this board are not here, only what was published.

Usage: scoring.py OUTPUT
"""

import sys
from pathlib import Path

MESSAGE = (
    "this board takes reported results alone (kind: reported); "
    "to be evaluated, enter the benchmark autograph"
)

if __name__ == "__main__":
    Path(sys.argv[1], "rejected.txt").write_text(f"{MESSAGE}\n", encoding="ascii")
    sys.exit(MESSAGE)
