"""What no prediction may be, each fault with the first row that has it."""

from collections.abc import Iterator

import numpy as np


def faults(array: np.ndarray, low: float, high: float) -> Iterator[str]:
    """Yield one sentence for each kind of fault. Rows are counted from 0, as numpy does."""
    if array.dtype.kind == "f":
        yield from _fault(array, np.isnan(array), "not a number (NaN)")
        yield from _fault(array, np.isinf(array), "infinite")
        usable = np.isfinite(array)
    else:
        usable = np.ones(array.shape, bool)
    if low == 0 and array.ndim == 2:
        yield from _fault(array, array < 0, "negative, and no id; padding is not accepted")
        usable &= array >= 0
    outside = usable & ((array < low) | (array > high))
    yield from _fault(array, outside, f"outside {low:g} to {high:.15g}")
    if array.ndim == 2:
        yield from _duplicates(array)


def _fault(array: np.ndarray, bad: np.ndarray, what: str) -> Iterator[str]:
    if not bad.any():
        return
    position = int(np.argmax(bad))
    row = position // (array.size // len(array))
    rows = int(np.count_nonzero(bad if bad.ndim == 1 else bad.any(axis=1)))
    yield f"row {row} holds {array.reshape(-1)[position]}, which is {what}{_others(rows - 1)}"


def _others(rows: int) -> str:
    if rows == 0:
        return ""
    return f" ({rows} other row{'s have' if rows > 1 else ' has'} this fault, too)"


def _duplicates(array: np.ndarray) -> Iterator[str]:
    ordered = np.sort(array, axis=1)
    same = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)
    if same.any():
        row, place = np.unravel_index(int(np.argmax(same)), same.shape)
        rows = int(np.count_nonzero(same.any(axis=1)))
        yield f"row {row} holds the id {ordered[row, place]} twice{_others(rows - 1)}"
