"""Helpers for tables and arrays that framework modules import. scikit-learn only where needed."""

from typing import Any

import numpy as np
import pandas as pd


def read_csv(
    path: Any, nrows: int | None = None, header: bool = True, index: bool = False,
    as_data_frame: bool = True, dtype: Any = None, timestamp_column: str | None = None,
) -> Any:  # fmt: skip
    table = pd.read_csv(
        path, nrows=nrows, header=0 if header else None, index_col=0 if index else None,
        dtype=dtype, parse_dates=[timestamp_column] if timestamp_column else None,
    )  # fmt: skip
    return table if as_data_frame else table.to_numpy()


def write_csv(
    data: Any, path: str, header: bool = True, columns: Any = None, index: bool = False,
    append: bool = False,
) -> None:  # fmt: skip
    table = data if isinstance(data, pd.DataFrame) else to_data_frame(data, columns)
    table.to_csv(path, header=header, index=index, mode="a" if append else "w")


def is_data_frame(data: object) -> bool:
    return isinstance(data, pd.DataFrame)


def to_data_frame(data: Any, column_names: Any = None) -> pd.DataFrame:
    if data is None:
        return pd.DataFrame()
    if isinstance(data, dict):
        return pd.DataFrame.from_dict(data)
    return pd.DataFrame(data, columns=column_names)


def reorder_dataset(
    path: str, target_src: int = 0, target_dest: int = -1, save: bool = True
) -> Any:
    """Move the target's column of a CSV file; the new file is beside it."""
    table = pd.read_csv(path)
    names = list(table.columns)
    name = names.pop(target_src)
    names.insert(len(names) + 1 + target_dest if target_dest < 0 else target_dest, name)
    moved = table[names]
    if not save:
        return moved.to_numpy()
    place = path.rpartition(".")[0] + f"_target_{target_dest}.csv"
    moved.to_csv(place, index=False)
    return place


class Encoder:
    """Labels <-> numbers. Labels are compared as text, without spaces around them and case,
    where that keeps them apart; a label that is not known is missing."""

    def __init__(
        self, type: str = "label", target: bool = True, encoded_type: type = int,  # noqa: A002
        missing_policy: str = "ignore", missing_values: Any = None, missing_replaced_by: Any = "",
        normalize_fn: Any = None,
    ) -> None:  # fmt: skip
        self.type = type
        self.for_target = target
        self.encoded_type = encoded_type
        self.missing_policy = missing_policy
        self.missing_values = missing_values
        self.missing_replaced_by = missing_replaced_by
        self.normalize_fn = normalize_fn
        self.classes: np.ndarray | None = None

    def fit(self, vector: Any) -> "Encoder":
        if self.type != "no-op":
            if vector is None:
                raise ValueError("labels are needed to encode them")
            self.classes = np.asarray(sorted({str(value) for value in vector}))
            short = [label.strip().lower() for label in self.classes]
            exact = len(set(short)) < len(short)
            self._fold = str if exact else _plain
            self._codes = {self._fold(label): code for code, label in enumerate(self.classes)}
        return self

    def fit_transform(self, vector: Any) -> Any:
        return self.fit(vector).transform(vector)

    def transform(self, vec: Any, **_: Any) -> Any:
        one = isinstance(vec, str)
        values = pd.Series([vec] if one else np.asarray(vec, dtype=object).reshape(-1))
        if self.type == "no-op":
            done = values.to_numpy()
            done = done.astype(float) if self.encoded_type is float else done
        else:
            known = {value: self._codes.get(self._fold(str(value))) for value in values.unique()}
            codes = values.map(known).astype(float).to_numpy()
            if self.type == "one-hot":
                done = (codes[:, None] == np.arange(len(self.classes))).astype(self.encoded_type)
            elif self.encoded_type is int and np.isnan(codes).any():
                strange = sorted({str(key) for key, code in known.items() if code is None})
                raise ValueError(f"labels are not known: {', '.join(strange[:5])}")
            else:
                done = codes.astype(self.encoded_type)
        return done[0] if one else done

    def inverse_transform(self, vec: Any, **_: Any) -> Any:
        if self.type == "no-op":
            return vec
        codes = np.asarray(vec)
        codes = (
            codes.argmax(axis=1) if codes.ndim == 2 and codes.shape[1] > 1 else codes.reshape(-1)
        )
        return self.classes[codes.astype(int)]


def _plain(label: str) -> str:
    return label.strip().lower()


def impute_array(
    X_fit: Any, *X_s: Any, missing_values: Any = np.nan, strategy: Any = "mean",
    keep_empty_features: bool = False,
) -> Any:  # fmt: skip
    """Fill what is missing with a statistic of each column of the first array."""
    if strategy is None:
        return [X_fit, *X_s]
    first = np.asarray(X_fit, dtype=float)
    fill = _fills(pd.DataFrame(first), strategy)
    keep = np.ones(first.shape[1], dtype=bool)
    if not keep_empty_features:
        keep = ~np.isnan(first).all(axis=0)
    fill = np.nan_to_num(fill)
    arrays = (first, *(np.asarray(other, dtype=float) for other in X_s))
    done = [np.where(np.isnan(array), fill, array)[:, keep] for array in arrays]
    return done if X_s else done[0]


def impute_dataframe(
    X_fit: pd.DataFrame, *X_s: pd.DataFrame, missing_values: Any = np.nan,
    strategy: Any = "mean",
) -> Any:  # fmt: skip
    if strategy is None:
        return [X_fit, *X_s]
    fill = dict(zip(X_fit.columns, _fills(X_fit, strategy), strict=True))
    done = [table.fillna(value=fill) for table in (X_fit, *X_s)]
    return done if X_s else done[0]


def _fills(table: pd.DataFrame, strategy: Any) -> np.ndarray:
    if isinstance(strategy, tuple):
        return np.full(table.shape[1], strategy[1])
    if strategy in ("mode", "most_frequent"):
        modes = [column.mode() for _, column in table.items()]
        return np.asarray([mode.iloc[0] if len(mode) else np.nan for mode in modes])
    return getattr(table, strategy)().to_numpy()
