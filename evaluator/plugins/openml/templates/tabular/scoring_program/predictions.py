"""Reads predictions.csv, which a participant's program wrote, and checks it against the fold."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rows import read_rows


class RejectedError(Exception):
    """What is wrong with the predictions, for the participant."""


@dataclass
class Predictions:
    predictions: np.ndarray
    """Labels as in ``classes``, or numbers."""
    probabilities: np.ndarray | None
    """Rows x classes, in their order."""
    quantiles: np.ndarray | None = None
    """Rows x levels."""


def read_predictions(file: Path, meta: dict, rows: int) -> Predictions:
    """Raise RejectedError with the first fault."""
    labels = [str(label) for label in meta.get("classes") or []]
    levels = [str(level) for level in meta.get("quantile_levels") or []]
    try:
        columns = read_rows(file, rows, 1 + len(labels) + len(levels))
    except ValueError as error:
        raise RejectedError(str(error)) from None
    if "predictions" not in columns:
        raise RejectedError("predictions.csv has no column 'predictions'")
    if meta["type"] in ("binary", "multiclass"):
        return _classification(columns, labels)
    found = Predictions(_numbers(columns, "predictions"), None)
    if meta["type"] == "timeseries" and any(name in columns for name in levels):
        found.quantiles = np.column_stack([_numbers(columns, name) for name in levels])
    return found


def _classification(columns: dict[str, list[str]], classes: list[str]) -> Predictions:
    labels = _spelling(classes)
    given = {labels(name): name for name in columns if labels(name) is not None}
    # Columns of classes come before 'predictions'; a class may be called that, too.
    if "predictions" not in classes:
        given.pop("predictions", None)
    probabilities = None
    if given:
        missing = [label for label in classes if label not in given]
        if missing:
            raise RejectedError(
                f"predictions.csv has no probabilities of {_listed(missing, 'class')}"
            )
        probabilities = np.column_stack([_numbers(columns, given[label]) for label in classes])
        if (probabilities < 0).any() or (probabilities > 1 + 1e-6).any():
            raise RejectedError("predictions.csv holds probabilities below 0 or above 1")
        if (probabilities.sum(axis=1) <= 0).any():
            raise RejectedError("predictions.csv holds a row whose probabilities are all 0")
    predicted = []
    for row, text in enumerate(columns["predictions"], start=1):
        label = labels(text)
        if label is None:
            raise RejectedError(f"row {row}: {text[:60]!r} is none of the classes")
        predicted.append(label)
    return Predictions(np.asarray(predicted, dtype=object), probabilities)


def _spelling(classes: list[str]):
    """Return a function: text -> class, or None.

    Frameworks that encode write labels in lower case, and numbers as 1.0 for 1.
    """
    exact = {label: label for label in classes}
    loose: dict[str, str | None] = {}
    for label in classes:
        key = _plain(label)
        loose[key] = None if key in loose else label
    return lambda text: exact.get(text) or loose.get(_plain(text))


def _plain(text: str) -> str:
    text = text.strip().lower()
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)


def _numbers(columns: dict[str, list[str]], name: str) -> np.ndarray:
    if name not in columns:
        raise RejectedError(f"predictions.csv has no column '{name}'")
    values = []
    for row, text in enumerate(columns[name], start=1):
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise RejectedError(
                f"row {row}, column '{name[:60]}': {text[:60]!r} is no finite number"
            )
        values.append(value)
    return np.asarray(values)


def _listed(names: list[str], what: str) -> str:
    shown = ", ".join(repr(name[:60]) for name in names[:5])
    return f"{what} {shown}" if len(names) == 1 else f"{len(names)} {what}es, such as {shown}"
