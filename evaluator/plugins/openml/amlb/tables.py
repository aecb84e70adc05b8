"""A pair of files -> two tables with AMLB's types, the target and the type of the task.

CSV: text is categorical, with the categories of the training rows; numbers stay numbers. ARFF:
nominal attributes are categorical, with the values that are declared. Parquet keeps its types.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.core.formats.paths import shown
from evaluator.plugins.openml.amlb.locations import DatasetError
from evaluator.plugins.openml.tabular.arff import read_arff_file

if TYPE_CHECKING:
    import pandas as pd

_TYPES = ("binary", "multiclass", "regression", "timeseries")
_NAMES = ("target", "class")


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One fold. Both tables hold the target."""

    train: pd.DataFrame
    test: pd.DataFrame
    target: str
    type: str
    """``binary``, ``multiclass`` or ``regression``."""


def read_pair(train: Path, test: Path, target: Any, kind: str | None) -> Pair:
    """Read a fold. ``target`` is an index, a name or None. Raises DatasetError."""
    import pandas as pd

    check_type(kind)
    # The training file's extension decides, as over there.
    reader = _READERS.get(train.suffix.lower())
    if reader is None:
        raise DatasetError(
            f"'{shown(train.name)}' is none of {', '.join(sorted(_READERS))}, which can be read"
        )
    tables = []
    for file in (train, test):
        try:
            tables.append(reader(file))
        except (ValueError, OSError, pd.errors.ParserError) as error:
            text = " ".join(str(error).split())[:200]
            raise DatasetError(f"'{shown(file.name)}' cannot be read: {text}") from None
    first, second = tables
    missing = [str(name) for name in first.columns if name not in second.columns]
    if missing:
        raise DatasetError(f"'{shown(test.name)}' lacks the column '{shown(missing[0])}'")
    second = second[list(first.columns)]
    name = find_target(list(first.columns), target)
    if kind in ("binary", "multiclass") or first[name].dtype == object:
        first, second = _as_classes(first, second, name)
    kind = kind or _inferred(first[name])
    return Pair(train=first, test=_typed_as(second, first, name), target=str(name), type=kind)


def check_type(kind: str | None) -> None:
    """Raise DatasetError for a type that no task has."""
    if kind is not None and kind not in _TYPES:
        raise DatasetError(f"type '{shown(str(kind))}' is none of {', '.join(_TYPES)}")


def find_target(columns: list[Any], target: Any) -> Any:
    """Return the column by index or name; else the first named target or class; else the last."""
    if isinstance(target, int) and not isinstance(target, bool):
        if not -len(columns) <= target < len(columns):
            raise DatasetError(f"target {target} is no index of {len(columns)} columns")
        return columns[target]
    if target is not None:
        if target not in columns:
            raise DatasetError(f"there is no column '{shown(str(target))}' to be the target")
        return target
    return next((name for name in columns if str(name).lower() in _NAMES), columns[-1])


def _inferred(column: pd.Series) -> str:
    import pandas as pd

    if not isinstance(column.dtype, pd.CategoricalDtype):
        return "regression"
    return "binary" if len(column.cat.categories) == 2 else "multiclass"


def _as_classes(
    first: pd.DataFrame, second: pd.DataFrame, name: Any
) -> tuple[pd.DataFrame, pd.DataFrame]:
    first, second = first.copy(), second.copy()
    if str(first[name].dtype) != "category":
        first[name] = first[name].astype("category")
    return first, second


def _typed_as(test: pd.DataFrame, train: pd.DataFrame, target: Any) -> pd.DataFrame:
    """Give test rows the training rows' categories; what is unknown there is missing.

    The target keeps every label: a row whose class is nowhere in training is still a row.
    """
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


def _csv(file: Path) -> pd.DataFrame:
    import pandas as pd

    return _text_as_categories(pd.read_csv(file, low_memory=False))


def _parquet(file: Path) -> pd.DataFrame:
    import pandas as pd

    return _text_as_categories(pd.read_parquet(file))


def _text_as_categories(table: pd.DataFrame) -> pd.DataFrame:
    import pandas as pd

    for name in table.columns:
        column = table[name]
        if pd.api.types.is_object_dtype(column.dtype) or pd.api.types.is_string_dtype(column.dtype):
            if isinstance(column.dtype, pd.CategoricalDtype):
                continue
            table[name] = column.map(str, na_action="ignore").astype("category")
    return table


def _arff(file: Path) -> pd.DataFrame:
    return read_arff_file(file)[0]


_READERS = {".csv": _csv, ".arff": _arff, ".parquet": _parquet, ".pq": _parquet}
