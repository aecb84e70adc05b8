"""Read a table of numbers, in the one form that every reader takes alike.

The check, the ingestion and the scoring program read with this file, which is the same in all: a
data set that the check accepts cannot fail in the others. Plain UTF-8 without a mark; lines that
end with a line feed, the last one, too; a header of names; one way to write a number.
"""

import re
from pathlib import Path

import numpy as np

MAX_BYTES = 8 * 2**20
SMALLEST, LARGEST = 1e-12, 1e12
"""Of what is not zero: squares and sums of such numbers stay numbers, in single precision, too."""
NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,20})?(?:[eE][-+]?[0-9]{1,2})?")
LABEL = re.compile(rb"-?[1-9][0-9]{0,8}|0")
SPECIAL = frozenset('"#')
"""Signs that some readers take for something else than part of a name."""


def read_numbers(path: Path) -> tuple[list[str], np.ndarray]:
    """Return names and rows of a file of features. Raises ValueError, which says where."""
    names, rows = _read(path, NUMBER, "numbers such as -1.5 or 2e-3")
    values = np.array(rows, dtype=float).reshape(len(rows), len(names))
    sizes = np.abs(values)
    wrong = ((sizes > LARGEST) | ((sizes < SMALLEST) & (sizes > 0))).any(axis=1)
    if wrong.any():
        line = int(np.argmax(wrong)) + 2
        raise ValueError(f"line {line}: larger than {LARGEST:g}, or closer to 0 than {SMALLEST:g}")
    return names, values


def read_labels(path: Path) -> np.ndarray:
    """Return the labels of a file. Raises ValueError, which says where."""
    names, rows = _read(path, LABEL, "a whole number such as 3, of at most nine digits")
    if names != ["label"]:
        raise ValueError("its only column must be called 'label'")
    return np.array([int(row[0]) for row in rows], dtype=np.int64)


def _read(path: Path, cell: re.Pattern[bytes], what: str) -> tuple[list[str], list[list[bytes]]]:
    if not path.is_file() or path.is_symlink():
        raise ValueError("there is no such file")
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"larger than {MAX_BYTES // 2**20} MiB")
    header, *lines = path.read_bytes().split(b"\n")
    if not lines or lines.pop():
        raise ValueError("its last line does not end with a line feed")
    try:
        names = header.decode().split(",")
    except UnicodeDecodeError:
        raise ValueError("line 1: not UTF-8") from None
    if not all(name.isprintable() and name.strip() and not SPECIAL & set(name) for name in names):
        raise ValueError("line 1: not a header of names")
    rows = [line.split(b",") for line in lines]
    for number, row in enumerate(rows, start=2):
        if len(row) != len(names):
            raise ValueError(f"line {number}: {len(row)} values under {len(names)} names")
        if not all(map(cell.fullmatch, row)):
            raise ValueError(f"line {number}: not {what}")
    return names, rows
