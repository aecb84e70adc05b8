"""Official splits: complete and sound, or refused.

A server that is under load sends the beginning of a file; nothing in the file's format shows it.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

_COMPLETE = frozenset({"crossvalidation", "holdout", "holdout_ordered"})
"""Procedures in which each row is either trained on or tested, in each fold."""


@dataclass(frozen=True, kw_only=True)
class Fold:
    """One fold of one repeat; rows are counted from 0, in the order of the split file."""

    number: int
    """repeat * folds + fold: the repeat of the benchmark that it becomes."""
    repeat: int
    fold: int
    train: "np.ndarray[Any, Any]"
    test: "np.ndarray[Any, Any]"


def split_digest(table: "pd.DataFrame") -> str:
    """SHA-256 of the splits, whatever the order of the file's lines."""
    ordered = table.astype("int64").sort_values(list(table.columns))
    return hashlib.sha256(ordered.to_csv(index=False).encode()).hexdigest()


def folds_of(
    table: "pd.DataFrame", *, rows: int, procedure: str, parameters: Mapping[str, str]
) -> tuple[list[Fold], list[str]]:
    """Return the folds and all that is wrong with them.

    ``table`` has the columns repeat, fold, tested and row; ``rows`` is the data set's number.
    """
    repeats = _count(parameters.get("number_repeats"))
    count = _count(parameters.get("number_folds"))
    if table.empty:
        return [], ["are empty"]
    pairs = {(int(r), int(f)) for r, f in table[["repeat", "fold"]].drop_duplicates().to_numpy()}
    repeats = repeats or len({repeat for repeat, _ in pairs})
    count = count or (len({fold for _, fold in pairs}))
    wanted = {(repeat, fold) for repeat in range(repeats) for fold in range(count)}
    faults = [f"have no repeat {r}, fold {f}" for r, f in sorted(wanted - pairs)[:3]]
    faults += [
        f"have a repeat {r}, fold {f}, and the estimation procedure has {repeats} x {count}"
        for r, f in sorted(pairs - wanted)[:3]
    ]
    folds = list(_folds(table, count))
    for fold in folds:
        fold_faults = _fold_faults(fold, rows, complete=procedure in _COMPLETE)
        faults += [f"repeat {fold.repeat}, fold {fold.fold}: {fault}" for fault in fold_faults]
    if procedure == "crossvalidation":
        faults += _untested(table, rows)
    return folds, faults


def _count(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0


def _folds(table: "pd.DataFrame", count: int) -> Iterator[Fold]:
    for key, part in table.groupby(["repeat", "fold"], sort=True):
        repeat, fold = (int(str(number)) for number in key)
        tested = part["tested"].to_numpy()
        numbers = part["row"].to_numpy()
        yield Fold(
            number=repeat * count + fold, repeat=repeat, fold=fold,
            train=numbers[~tested], test=numbers[tested],
        )  # fmt: skip


def _fold_faults(fold: Fold, rows: int, *, complete: bool) -> Iterator[str]:
    train, test = set(fold.train.tolist()), set(fold.test.tolist())
    for name, given, indices in (("training", fold.train, train), ("test", fold.test, test)):
        if not indices:
            yield f"no {name} rows"
        elif min(indices) < 0 or max(indices) >= rows:
            yield f"{name} row {max(indices)} of a data set with {rows} rows"
        if len(given) != len(indices):
            yield f"{len(given) - len(indices)} {name} rows stand there twice"
    if train & test:
        yield f"{len(train & test)} rows are trained on and tested"
    missing = rows - len(train | test)
    if complete and missing > 0:
        yield f"{missing} of the data set's {rows} rows are missing"


def _untested(table: "pd.DataFrame", rows: int) -> Iterator[str]:
    tested = table[table["tested"]]
    for repeat, part in tested.groupby("repeat", sort=True):
        times = part["row"].value_counts()
        never = rows - len(times)
        often = int((times > 1).sum())
        if never > 0 or often:
            yield f"repeat {repeat}: {never} rows are never tested, {often} more than once"
