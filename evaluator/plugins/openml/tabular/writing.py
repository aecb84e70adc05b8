"""Folds of tables as files: what a submission may see, and what the scorer compares with."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.core.formats.table_folds import DATASET, ROWS, TABLE, dataset_text, write_table
from evaluator.plugins.openml.tabular.metrics import default_metrics

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa


def write_fold(
    inputs: Path, reference: Path, train: "pd.DataFrame", test: "pd.DataFrame",
    meta: Mapping[str, Any], truth: Mapping[str, Any] | None = None,
) -> None:  # fmt: skip
    """Write a fold; tables have all columns, and ``truth`` is of test rows, beside answers."""
    target = meta["target"]
    text = dataset_text(meta)
    for folder in (inputs, reference):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / DATASET).write_text(text, encoding="utf-8")
    write_table(arrow_table(train), inputs / "train.parquet")
    write_table(arrow_table(test.drop(columns=target)), inputs / "test.parquet")
    truth_table = test[[target]].rename(columns={target: "truth"}).assign(**(truth or {}))
    write_table(arrow_table(truth_table), reference / "truth.parquet")


@dataclass(frozen=True, kw_only=True)
class Fold:
    """One fold of one repeat; rows are counted from 0, in the order of the table."""

    number: int
    """repeat * folds + fold: the repeat of the benchmark that it becomes."""
    repeat: int
    fold: int
    train: "np.ndarray[Any, Any]"
    test: "np.ndarray[Any, Any]"


KeysOf = Callable[[Fold], Mapping[str, Any]]
"""A fold -> keys of a file of it."""


def write_shared(
    reference: Path, frame: "pd.DataFrame", meta: Mapping[str, Any], folds: Sequence[Fold],
    about: KeysOf, *, origin: KeysOf = lambda _: {}, orders: Mapping[int, Sequence[int]] = {},
) -> None:  # fmt: skip
    """Write a table once, and each fold as the numbers of its rows.

    ``meta`` is dataset.json, and ``about`` says what it holds of a fold besides; what all folds say
    alike joins it. ``origin`` is what rows.json says besides. ``orders`` are those of the rows in a
    repeat of the splits: a fold that trains on the others in that order names it.
    """
    abouts = [about(fold) for fold in folds]
    shared = {key: value for key, value in abouts[0].items()
              if all(other.get(key) == value for other in abouts)}  # fmt: skip
    reference.mkdir(parents=True, exist_ok=True)
    (reference / DATASET).write_text(dataset_text({**meta, **shared}), encoding="utf-8")
    write_table(arrow_table(frame), reference / TABLE)
    for number, fold in enumerate(folds):
        keys = {key: value for key, value in abouts[number].items() if key not in shared}
        rows: dict[str, Any] = {**origin(fold), "about": keys, "rows": fold.test.tolist()}
        tested, train = set(rows["rows"]), fold.train.tolist()
        order = orders.get(fold.repeat, ())
        if train == [row for row in order if row not in tested]:
            rows["order"] = f"order-{fold.repeat}.json"
            _write_json(reference / rows["order"], list(order))
        elif train != [row for row in range(len(frame)) if row not in tested]:
            rows["train"] = train
        _write_json(reference / str(number) / ROWS, rows)


def _write_json(path: Path, content: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="ascii")


def arrow_table(frame: "pd.DataFrame") -> "pa.Table":
    import pyarrow as pa

    return pa.Table.from_pandas(frame, preserve_index=False)


def type_of(classes: Sequence[str]) -> str:
    if not classes:
        return "regression"
    return "binary" if len(classes) == 2 else "multiclass"


def describe_table(
    name: str, frame: "pd.DataFrame", target: str, labels: Sequence[str] = ()
) -> dict[str, Any]:
    """Dataset.json of a table; ``labels`` are the classes, also those that do not occur."""
    classes = sorted(labels)
    kind = type_of(classes)
    return {
        "name": name,
        "target": target,
        "type": kind,
        "features": [
            _feature(str(column), frame[column]) for column in frame.columns if column != target
        ],
        "classes": classes,
        "metrics": default_metrics(kind),
    }


def _feature(name: str, column: Any) -> dict[str, Any]:
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        return {
            "name": name, "type": "categorical",
            "categories": [str(level) for level in column.cat.categories],
        }  # fmt: skip
    if pd.api.types.is_numeric_dtype(column.dtype):
        return {"name": name, "type": "numeric"}
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return {"name": name, "type": "datetime"}
    return {"name": name, "type": "string"}


def fold_tables(
    train: "pd.DataFrame", test: "pd.DataFrame", target: str, *, classes: bool,
    labels: Sequence[str] = (),
) -> "tuple[pd.DataFrame, pd.DataFrame, list[str]]":  # fmt: skip
    """Both tables, and ``classes`` with declared ``labels``. Raises ValueError."""
    import pandas as pd

    train, test = _storable(train), _storable(test)
    if train.columns.has_duplicates:
        raise ValueError("two columns have the same name")
    if list(train.columns) != list(test.columns):
        raise ValueError("training and test rows have different columns")
    if not len(train) or not len(test):
        raise ValueError("training and test rows are needed")
    if test[target].isna().any() or train[target].isna().any():
        raise ValueError(f"the target '{target}' has missing values")
    if not classes:
        return train, test.assign(**{target: test[target].astype("float64")}), []
    first, second = _labels(train[target]), _labels(test[target])
    categories = sorted(set(first) | set(second) | set(labels))
    dtype = pd.CategoricalDtype(categories)
    return (
        train.assign(**{target: first.astype(dtype)}),
        test.assign(**{target: second.astype(dtype)}),
        categories,
    )


def whole_table(
    frame: "pd.DataFrame", target: str, *, classes: bool, labels: Sequence[str] = ()
) -> "tuple[pd.DataFrame, list[str]]":
    """A table whose rows make folds, and its classes, as ``fold_tables`` does for two."""
    table, _, names = fold_tables(frame, frame, target, classes=classes, labels=labels)
    return table, names


def _labels(column: "pd.Series") -> "pd.Series":
    """Classes as text, as they are written in predictions.csv."""
    return column.astype("object").map(str)


def _storable(table: "pd.DataFrame") -> "pd.DataFrame":
    import pandas as pd

    changed = table.reset_index(drop=True)
    changed.columns = pd.Index([str(name) for name in table.columns])
    for name, column in changed.items():
        if column.dtype == object:
            changed[name] = column.map(str, na_action="ignore")
        elif isinstance(column.dtype, pd.CategoricalDtype):
            levels = column.cat.categories
            if levels.dtype == object:
                changed[name] = column.cat.rename_categories([str(level) for level in levels])
    return changed
