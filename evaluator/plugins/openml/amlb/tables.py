"""A pair of files -> two tables with AMLB's types, the target and the type of the task.

CSV: text is categorical, with the categories of the training rows; numbers stay numbers. ARFF:
nominal attributes are categorical, with the values that are declared. Parquet keeps its types.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.core.errors import some_of
from evaluator.core.formats.paths import shown
from evaluator.plugins.openml.amlb.locations import DatasetError
from evaluator.plugins.openml.tabular.arff import read_arff

if TYPE_CHECKING:
    import pandas as pd

_TYPES = ("binary", "multiclass", "regression", "timeseries")
_NAMES = ("target", "class")
_SUFFIXES = (".arff", ".csv", ".parquet", ".pq")


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One fold. Both tables hold the target; those of time series are sorted by item and time."""

    train: pd.DataFrame
    test: pd.DataFrame
    target: str
    type: str
    """``binary``, ``multiclass``, ``regression`` or ``timeseries``."""
    meta: dict[str, Any] = field(default_factory=dict)
    """What dataset.json says besides."""
    truth: dict[str, Any] = field(default_factory=dict)
    """Further columns of truth.parquet."""


def read_pair(train: Path, test: Path, target: Any, kind: str | None) -> Pair:
    """Read a fold. ``target`` is an index, a name or None. Raises DatasetError."""
    import pandas as pd

    check_type(kind)
    # The training file's extension decides, as over there.
    suffix = train.suffix.lower()
    if suffix not in _SUFFIXES:
        raise DatasetError(
            f"'{shown(train.name)}' is none of {', '.join(_SUFFIXES)}, which can be read"
        )
    tables = []
    for file in (train, test):
        try:
            tables.append(_read(file, suffix))
        except (ValueError, OSError, pd.errors.ParserError) as error:
            text = " ".join(str(error).split())[:200]
            raise DatasetError(f"'{shown(file.name)}' cannot be read: {text}") from None
    first, second = tables
    missing = [str(name) for name in first.columns if name not in second.columns]
    if missing:
        raise DatasetError(f"'{shown(test.name)}' lacks the column '{shown(missing[0])}'")
    second = second[list(first.columns)]
    name = find_target(list(first.columns), target)
    if kind in ("binary", "multiclass") or first[name].dtype in (object, bool):
        first = first.astype({name: "category"})
    kind = kind or _infer_type(first[name])
    return Pair(train=first, test=_align_types(second, first, name), target=str(name), type=kind)


def check_type(kind: str | None) -> None:
    """Raise DatasetError for a type that no task has."""
    if kind is not None and kind not in _TYPES:
        raise DatasetError(f"type '{shown(str(kind))}' is none of {', '.join(_TYPES)}")


def find_target(columns: list[Any], target: Any) -> Any:
    """The column by index or name; else the first named target or class; else the last."""
    if isinstance(target, int) and not isinstance(target, bool):
        if not -len(columns) <= target < len(columns):
            raise DatasetError(f"target {target} is no index of {len(columns)} columns")
        return columns[target]
    if target is not None:
        if target not in columns:
            names = some_of([f"'{shown(str(name))}'" for name in columns])
            raise DatasetError(
                f"there is no column '{shown(str(target))}' to be the target; there are {names}"
            )
        return target
    return next((name for name in columns if str(name).lower() in _NAMES), columns[-1])


def _infer_type(column: pd.Series) -> str:
    import pandas as pd

    if not isinstance(column.dtype, pd.CategoricalDtype):
        return "regression"
    return "binary" if len(column.cat.categories) == 2 else "multiclass"


def _align_types(test: pd.DataFrame, train: pd.DataFrame, target: Any) -> pd.DataFrame:
    """Give test rows the training rows' categories; the target keeps every label."""
    import pandas as pd

    test = test.copy()
    for name in train.columns:
        wanted, actual = train[name].dtype, test[name].dtype
        if name == target:
            if isinstance(wanted, pd.CategoricalDtype):
                test[name] = test[name].astype("object")
            continue
        if wanted == actual:
            continue
        if isinstance(wanted, pd.CategoricalDtype):
            text = pd.api.types.is_string_dtype(wanted.categories.dtype)
            values = test[name].astype("object")
            values = values.map(str, na_action="ignore") if text else values
            test[name] = values.where(values.isin(wanted.categories)).astype(wanted)
        elif pd.api.types.is_numeric_dtype(wanted) and pd.api.types.is_numeric_dtype(actual):
            continue  # whole numbers in one file and fractions in the other: both are numbers
        elif pd.api.types.is_numeric_dtype(wanted):
            test[name] = pd.to_numeric(test[name], errors="coerce")
    return test


def _read(file: Path, suffix: str) -> pd.DataFrame:
    import pandas as pd

    if suffix == ".arff":
        return read_arff(file.read_text(encoding="utf-8"))[0]
    table = read_csv(file, low_memory=False) if suffix == ".csv" else pd.read_parquet(file)
    for name in table.columns:
        column = table[name]
        is_text = pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column)
        if is_text and not isinstance(column.dtype, pd.CategoricalDtype):
            table[name] = column.map(str, na_action="ignore").astype("category")
    return table


def read_csv(source: Path | io.BytesIO, **options: Any) -> pd.DataFrame:
    """Read what commas separate, with options of pandas. Raises ValueError for anything else."""
    import pandas as pd

    table: pd.DataFrame = pd.read_csv(source, **options)
    heading = str(table.columns[0])
    if len(table.columns) == 1 and set(heading) & set(";\t"):
        raise ValueError(
            f"its first line, '{shown(heading)}', has ';' or tabs between columns: save it with "
            "commas, and with points in numbers"
        )
    return table


_NEEDED = ("freq", "forecast_horizon_in_steps", "seasonality")

_RENAMED = {
    "H": "h", "BH": "bh", "CBH": "cbh", "T": "min", "S": "s", "L": "ms", "U": "us", "N": "ns",
    "M": "ME", "BM": "BME", "CBM": "CBME", "SM": "SME", "Q": "QE", "BQ": "BQE",
    "A": "YE", "Y": "YE", "BA": "BYE", "BY": "BYE", "AS": "YS", "BAS": "BYS",
}  # fmt: skip
"""Aliases that pandas 2.2 renamed and pandas 3 no longer reads; AMLB's definitions have them."""


def read_series(file: Path, fold: int, dataset: dict[str, Any]) -> Pair:
    """Read a fold of one long CSV file, as AMLB's code makes it. Raises DatasetError.

    Fold 0 tests the last H steps of each series. Fold k > 0 first leaves out the last (k+1)·H steps
    and then tests the last H of what remains: so the H steps before those of fold 0 are tested by
    none. AMLB's page describes k·H; its code is followed, since results come from it.
    """
    import numpy as np
    import pandas as pd

    for key in _NEEDED:
        if dataset.get(key) is None:
            raise DatasetError(f"a time series needs `{key}`")
    horizon, season = (int(dataset[key]) for key in _NEEDED[1:])
    item = str(dataset.get("id_column") or "item_id")
    time = str(dataset.get("timestamp_column") or "timestamp")
    try:
        table = read_csv(file, low_memory=False)
        for name in (item, time):
            if name not in table.columns:
                raise DatasetError(f"there is no column '{name}'")
        target = str(find_target(list(table.columns), dataset.get("target")))
        table[item] = table[item].astype(str)
        table[time] = pd.to_datetime(table[time])
        freq = pd.tseries.frequencies.to_offset(current_alias(str(dataset["freq"])))
    except (ValueError, OSError) as error:
        raise DatasetError(" ".join(str(error).split())[:200]) from None
    table = table.sort_values([item, time])
    shortest = int(table.groupby(item).size().min())
    if shortest < (fold + 1) * horizon + 1:
        raise DatasetError(
            f"fold {fold} needs series of more than {(fold + 1) * horizon} steps; the shortest "
            f"has {shortest}"
        )
    if fold > 0:
        table = _steps_of_each(table, item, slice(None, -(fold + 1) * horizon))
    train = _steps_of_each(table, item, slice(None, -horizon))
    test = _steps_of_each(table, item, slice(-horizon, None))
    if train[item].nunique() < test[item].nunique():
        raise DatasetError(f"fold {fold} leaves a series without training rows")
    changes = train.groupby(item)[target].diff(season).abs()
    errors = changes.groupby(train[item]).mean().fillna(1.0).to_numpy()
    return Pair(
        train=train, test=test, target=target, type="timeseries",
        meta={
            "id_column": item, "timestamp_column": time, "freq": freq.freqstr,
            "seasonality": season, "forecast_horizon_in_steps": horizon,
            "abs_seasonal_error": [float(value) for value in errors],
        },
        truth={
            "repeated_item_id": test[item].astype("category").cat.codes.to_numpy(),
            "repeated_abs_seasonal_error": np.repeat(errors, horizon),
        },
    )  # fmt: skip


def current_alias(freq: str) -> str:
    """A frequency such as ``15T`` or ``Q-DEC`` in the aliases of today's pandas."""
    alias, dash, anchor = freq.partition("-")
    renamed = re.sub("[A-Za-z]+", lambda name: _RENAMED.get(name[0], name[0]), alias)
    return f"{renamed}{dash}{anchor}"


def most_folds(file: Path, dataset: dict[str, Any], wanted: int) -> int:
    for fold in range(wanted):
        try:
            read_series(file, fold, dataset)
        except DatasetError:
            if fold == 0:
                raise
            return fold
    return wanted


def _steps_of_each(table: pd.DataFrame, item: str, steps: slice) -> pd.DataFrame:
    rows: pd.DataFrame = table.groupby(item, as_index=False).nth(steps)  # type: ignore[assignment]
    return rows
