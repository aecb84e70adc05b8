"""Columns -> CSV, some lines at a time: numbers as Python writes them, text that does not act."""

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import groupby, repeat
from types import NoneType
from typing import Any

import msgspec
import numpy as np

from evaluator.formats.csv_cells import ACTING, inert
from evaluator.leaderboard.table import Floats

LINES = 1000
"""That are in memory at once: of 10,000 rows and 90 columns all would be 100 MB."""
_END = "\n\0"
"""Of a line for Python's writer, which quotes both; no text holds the second."""
_MARKS = (",", '"', "\r", "\0", *(f"\n{first}" for first in sorted(ACTING - {"\n"})))
"""What a cell must not hold, or begin with, to be written as it is."""
_LEAST, _MOST = 1e-4, 1e15
"""Between these Python writes numbers without exponents, as msgspec does ten times as fast."""
_encode = msgspec.json.Encoder().encode
Column = Sequence[Any] | Floats
"""Values by row; in an array, NaN where there is none."""


def csv_parts(names: Sequence[str], columns: Sequence[Column]) -> Iterator[str]:
    """Yield the head, and then the lines, as pandas writes them of a frame.

    Names may stand there twice, for some are a stranger's.
    """
    (head,) = _texts([[name] for name in names])
    yield f"{head}\n"
    count = max(map(len, columns), default=0)
    runs = [(are_numbers, list(run)) for are_numbers, run in groupby(columns, key=_are_numbers)]
    for start in range(0, count, LINES):
        here = slice(start, start + LINES)
        parts = [
            _numbers(np.stack([one[here] for one in run], axis=1))
            if are_numbers
            else _texts([list(one[here]) for one in run])
            for are_numbers, run in runs
        ]
        yield "".join(f"{','.join(line)}\n" for line in zip(*parts, strict=True))


def _are_numbers(column: Column) -> bool:
    return isinstance(column, np.ndarray)


def _texts(columns: Sequence[Sequence[Any]]) -> list[str]:
    """Return lines of cells of any kind, without their ends."""
    plain = [texts for column in columns if (texts := _plain(column)) is not None]
    if len(plain) == len(columns):
        return [*map(",".join, zip(*plain, strict=True))]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=_END)
    # An empty cell ends each line, since Python puts quotes around one that stands alone.
    cells = (map(inert, column) for column in columns)
    writer.writerows(zip(*cells, repeat(""), strict=False))
    return [line[:-1] for line in text.getvalue().split(_END)[:-1]]


def _plain(column: Sequence[Any]) -> Sequence[str] | None:
    """Return cells as they are written, where none needs quotes or a mark; else None.

    That is nearly always so, and is seen sooner of all of them together than of each.
    """
    kinds = {*map(type, column)}
    if kinds <= {int, bool, NoneType}:
        return ["" if value is None else str(value) for value in column]
    if not kinds <= {str, NoneType}:
        return None
    cells = ["" if value is None else value for value in column]
    together = "\n".join(["", *cells])
    if together.count("\n") > len(cells) or any(mark in together for mark in _MARKS):
        return None
    return cells


def _numbers(values: Floats) -> list[str]:
    """Return lines of numbers, by row and column, without their ends."""
    size = np.abs(values)
    usual = (((size >= _LEAST) & (size < _MOST)) | (size == 0) | np.isnan(size)).all(axis=1)
    return [
        _encode(line)[1:-1].decode().replace("null", "")
        if is_usual
        else ",".join("" if value != value else repr(value) for value in line)
        for line, is_usual in zip(values.tolist(), usual.tolist(), strict=True)
    ]
