"""The dataset of one fold, as framework modules expect it.

The target of the test rows is a stand-in everywhere: its true values are not in this container.
"""

import os
import tempfile
from collections.abc import Iterable
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from amlb.datautils import Encoder


class DatasetType(Enum):
    binary = 1
    multiclass = 2
    regression = 3
    timeseries = 4


def _kind(dtype: Any) -> str:
    if isinstance(dtype, pd.CategoricalDtype):
        return "category"
    for name, test in (
        ("int", types.is_integer_dtype), ("float", types.is_float_dtype),
        ("number", types.is_numeric_dtype), ("datetime", types.is_datetime64_any_dtype),
    ):  # fmt: skip
        if test(dtype):
            return name
    return "string"


class Feature:
    """One column."""

    def __init__(
        self, index: int, name: str, data_type: str, values: Iterable[Any] | None = None,
        has_missing_values: bool = False, is_target: bool = False,
    ) -> None:  # fmt: skip
        self.index = index
        self.name = name
        self.data_type = data_type
        self.values = None if values is None else [str(value) for value in values]
        self.has_missing_values = has_missing_values
        self.is_target = is_target

    def is_categorical(self, strict: bool = True) -> bool:
        return self.data_type == "category" if strict else not self.is_numerical()

    def is_numerical(self) -> bool:
        return self.data_type in ("int", "float", "number")

    def _encoder(self, kind: str) -> Encoder:
        return Encoder(
            kind if self.values is not None else "no-op", target=self.is_target,
            encoded_type=int if self.is_target and not self.is_numerical() else float,
            missing_policy="mask" if self.has_missing_values else "ignore",
        ).fit(self.values)  # fmt: skip

    @cached_property
    def label_encoder(self) -> Encoder:
        return self._encoder("label")

    @cached_property
    def one_hot_encoder(self) -> Encoder:
        return self._encoder("one-hot")


class Datasplit:
    """Training or test rows: as a table, as parts, encoded, or as a file in a format."""

    def __init__(self, dataset: "Dataset", name: str, table: pd.DataFrame) -> None:
        self.dataset = dataset
        self.format = "csv" if dataset.type is DatasetType.timeseries else "parquet"
        self._name = name
        self._table = table
        self._paths: dict[str, str] = {}

    @property
    def data(self) -> pd.DataFrame:
        return self._table

    @property
    def X(self) -> pd.DataFrame:
        return self._table.drop(columns=self.dataset.target.name)

    @property
    def y(self) -> pd.DataFrame:
        return self._table[[self.dataset.target.name]]

    @cached_property
    def data_enc(self) -> np.ndarray:
        columns = [
            np.asarray(feature.label_encoder.transform(self._table.iloc[:, feature.index]))
            for feature in self.dataset.features
        ]
        return np.column_stack(columns)

    @property
    def X_enc(self) -> np.ndarray:
        return self.data_enc[:, [feature.index for feature in self.dataset.predictors]]

    @property
    def y_enc(self) -> np.ndarray:
        return self.data_enc[:, self.dataset.target.index]

    @property
    def path(self) -> str:
        return self.data_path(self.format)

    def data_path(self, format: str) -> str:  # noqa: A002
        """Write the rows in a format and return the file; ``csv``, ``arff`` or ``parquet``."""
        if format not in ("csv", "arff", "parquet"):
            raise ValueError(f"`{format}` is not among the formats arff, csv and parquet")
        if format not in self._paths:
            path = Path(self.dataset.scratch) / f"{self._name}.{format}"
            if format == "parquet":
                self._table.to_parquet(path)
            elif format == "csv":
                self._table.to_csv(path, index=False)
            else:
                _write_arff(self._table, path)
            self._paths[format] = str(path)
        return self._paths[format]

    def release(self, properties: Iterable[str] | None = None) -> None:
        self.__dict__.pop("data_enc", None)


class Dataset:
    """A fold: ``train`` and ``test``, the target, and all features."""

    def __init__(self, fold: Any) -> None:
        self._meta = fold.meta
        self.type = DatasetType[fold.meta["type"]]
        self.features = [
            Feature(
                index, str(name), _kind(column.dtype), _values(column, fold, name),
                bool(column.isna().any()), name == fold.target,
            )
            for index, (name, column) in enumerate(fold.train.items())
        ]  # fmt: skip
        for feature in self.features:
            if feature.is_target and fold.is_classification:
                feature.data_type = "category"
        self.train = Datasplit(self, "train", fold.train)
        self.test = Datasplit(self, "test", fold.test)
        if self.type is DatasetType.timeseries:
            for key in ("id_column", "timestamp_column", "freq", "seasonality",
                        "forecast_horizon_in_steps"):  # fmt: skip
                setattr(self, key, fold.meta[key])
            self._series(fold)

    def _series(self, fold: Any) -> None:
        items = fold.test[self.id_column].astype("category")
        self.repeated_item_id = items.cat.codes.to_numpy()
        errors = fold.meta.get("abs_seasonal_error") or []
        self.repeated_abs_seasonal_error = np.repeat(errors, self.forecast_horizon_in_steps)

    @cached_property
    def scratch(self) -> str:
        return tempfile.mkdtemp(prefix="amlb_", dir=os.environ.get("TMPDIR"))

    @property
    def target(self) -> Feature:
        return next(feature for feature in self.features if feature.is_target)

    @property
    def predictors(self) -> list[Feature]:
        return [feature for feature in self.features if not feature.is_target]

    def inference_subsample_files(
        self, fmt: str, with_labels: bool = False, scikit_safe: bool = False
    ) -> list[tuple[int, str]]:
        """Files of 1, 10, 100 and more test rows, ten of each size, for timing predictions."""
        found = []
        for size in (1, 10, 100, 1000, 10000):
            for index in range(10):
                rows = self.test.data.sample(size, replace=True, random_state=index)
                rows = rows if with_labels else rows.drop(columns=self.target.name)
                if scikit_safe:
                    codes = {c: rows[c].cat.codes for c in rows.select_dtypes("category")}
                    rows = rows.assign(**codes)
                path = Path(self.scratch) / f"infer_{size}_{index}.{fmt}"
                rows.to_parquet(path) if fmt == "parquet" else rows.to_csv(path, index=False)
                found.append((size, str(path)))
        return found

    def release(self) -> None:
        self.train.release()
        self.test.release()

    def __deepcopy__(self, memo: Any) -> "Dataset":
        # Modules copy it to change attributes of the copy; the tables may be shared.
        made = object.__new__(Dataset)
        made.__dict__ = dict(self.__dict__)
        return made


def _values(column: pd.Series, fold: Any, name: str) -> list[str] | None:
    if name == fold.target and fold.is_classification:
        return fold.classes
    if isinstance(column.dtype, pd.CategoricalDtype):
        return sorted(str(value) for value in column.cat.categories)
    return None


def _write_arff(table: pd.DataFrame, path: Path) -> None:
    def quoted(value: object) -> str:
        return "'" + str(value).replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = [f"@RELATION {quoted(path.stem)}"]
    for name, column in table.items():
        kind = {"int": "INTEGER", "float": "REAL", "number": "NUMERIC"}.get(_kind(column.dtype))
        if isinstance(column.dtype, pd.CategoricalDtype):
            labels = sorted(str(value) for value in column.cat.categories)
            kind = "{" + ",".join(map(quoted, labels)) + "}"
        lines.append(f"@ATTRIBUTE {quoted(name)} {kind or 'STRING'}")
    lines.append("@DATA")
    plain = [_kind(dtype) in ("int", "float", "number") for dtype in table.dtypes]
    for row in table.itertuples(index=False):
        cells = zip(row, plain, strict=True)
        lines.append(",".join("?" if pd.isna(v) else str(v) if p else quoted(v) for v, p in cells))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
