"""Columns -> CSV, some lines at a time: text in it is no spreadsheet's formula."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from evaluator.core.formats.plain_text import inert
from evaluator.core.leaderboard.table import Floats

LINES = 1000
"""That are in memory at once: of 10,000 rows and 90 columns all would be 100 MB."""
Column = Sequence[Any] | Floats
"""Values by row; in an array, NaN where there is none."""


def csv_parts(names: Sequence[str], columns: Sequence[Column]) -> Iterator[str]:
    """Yield the head and the first lines, and then the others.

    Names may stand there twice, for some are a stranger's.
    """
    frame = pd.DataFrame({place: _cells(column) for place, column in enumerate(columns)})
    head = [inert(name) for name in names]
    for start in range(0, max(1, len(frame)), LINES):
        lines = frame[start : start + LINES]
        yield lines.to_csv(header=False if start else head, index=False, lineterminator="\n")


def _cells(column: Column) -> pd.Series:
    if isinstance(column, np.ndarray):
        return pd.Series(column)
    return pd.Series([inert(cell) for cell in column], dtype=object)  # 1 stays 1 beside None
