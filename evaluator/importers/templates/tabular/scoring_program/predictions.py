"""Reads predictions.csv, which a participant's program wrote, and checks it against the fold."""

import csv
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MAX_BYTES = 2**30
MAX_FIELD = 2**16


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
    columns = _columns(file, rows)
    if "predictions" not in columns:
        raise RejectedError("predictions.csv has no column 'predictions'")
    if meta["type"] in ("binary", "multiclass"):
        return _classification(columns, [str(label) for label in meta["classes"]])
    found = Predictions(_numbers(columns, "predictions"), None)
    levels = [str(level) for level in meta.get("quantile_levels") or []]
    if meta["type"] == "timeseries" and any(name in columns for name in levels):
        found.quantiles = np.column_stack([_numbers(columns, name) for name in levels])
    return found


def _columns(file: Path, rows: int) -> dict[str, list[str]]:
    if file.is_symlink() or not file.is_file():
        raise RejectedError("the file predictions.csv is missing")
    if file.stat().st_size > MAX_BYTES:
        raise RejectedError("predictions.csv is larger than 1 GiB")
    csv.field_size_limit(MAX_FIELD)
    lines = []
    try:
        with file.open(encoding="utf-8", newline="") as text:
            reader = csv.reader(text)
            header = next(reader, [])
            if len(set(header)) < len(header):
                raise RejectedError("predictions.csv has two columns of the same name")
            for line in reader:
                if len(lines) == rows:
                    raise RejectedError(f"predictions.csv has more than the {rows} test rows")
                if len(line) != len(header):
                    raise RejectedError(
                        f"row {len(lines) + 1} of predictions.csv has {len(line)} values for "
                        f"{len(header)} columns"
                    )
                lines.append(line)
    except UnicodeDecodeError:
        raise RejectedError("predictions.csv is not UTF-8") from None
    except csv.Error as error:
        raise RejectedError(f"predictions.csv cannot be read: {error}") from None
    if len(lines) != rows:
        raise RejectedError(f"predictions.csv has {len(lines)} rows for {rows} test rows")
    return dict(zip(header, map(list, zip(*lines, strict=True)), strict=True)) if lines else {}


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
