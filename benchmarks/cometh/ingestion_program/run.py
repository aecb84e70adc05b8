"""Run a submission in Python: the function ``program(bulk, reference)`` of its program.py.

Usage: run.py PROGRAM BULK REFERENCE RESULT
"""

import runpy
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np


class Table(NamedTuple):
    """A matrix with the names of its rows and columns."""

    values: np.ndarray
    rows: list[str]
    columns: list[str]


def read_table(path: Path) -> Table:
    header, *lines = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    values = np.array([[float(word) for word in line[1:]] for line in lines])
    return Table(values, [line[0] for line in lines], header[1:])


def write_proportions(found: object, samples: list[str], path: Path) -> None:
    """A mapping is of cell types; an array, of components that nobody has named."""
    corner = "cell_type" if isinstance(found, Mapping) else "component"
    rows = found if isinstance(found, Mapping) else dict(enumerate(found, start=1))
    lines = ["\t".join([corner, *samples])]
    for name, values in rows.items():
        # repr keeps every bit, and also writes nan, which the scoring program refuses by row.
        words = [repr(float(value)) for value in np.asarray(values).ravel()]
        lines.append("\t".join([str(name), *words]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(program: Path, bulk_file: Path, reference_file: Path, result: Path) -> None:
    sys.dont_write_bytecode = True
    sys.path[0] = str(program.parent)
    names = runpy.run_path(str(program), run_name="program")
    if not callable(names.get("program")):
        sys.exit("program.py has no function program(bulk, reference)")
    bulk = read_table(bulk_file)
    found = names["program"](bulk, read_table(reference_file))
    write_proportions(found, bulk.columns, result)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:5]))
