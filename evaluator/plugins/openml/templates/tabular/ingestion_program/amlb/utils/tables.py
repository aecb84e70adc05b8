"""Small things about values and tables."""

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd


def is_sparse(data: Any) -> bool:
    if isinstance(data, pd.DataFrame):
        return any(isinstance(dtype, pd.SparseDtype) for dtype in data.dtypes)
    if isinstance(data, pd.Series):
        return isinstance(data.dtype, pd.SparseDtype)
    return hasattr(data, "toarray")


def unsparsify(*data: Any, fmt: str | None = "dense") -> Any:
    """Make dense tables and arrays; ``array`` turns tables into arrays, too."""
    done = tuple(_unsparsify(item, fmt) for item in data)
    return done if len(done) != 1 else done[0]


def _unsparsify(data: Any, fmt: str | None) -> Any:
    if fmt is None:
        return data
    if hasattr(data, "toarray"):
        return data.toarray()
    if isinstance(data, (pd.DataFrame, pd.Series)):
        if is_sparse(data):
            data = data.sparse.to_dense()
        return data.to_numpy() if fmt == "array" else data
    return data


def is_serializable_data(data: Any) -> bool:
    return isinstance(data, (pd.DataFrame, pd.Series)) or hasattr(data, "__array__")


def serialize_data(data: Any, path: str, config: Any = None) -> str:
    """Write a table or an array; no foreign pickle is ever read here."""
    table = data if isinstance(data, pd.DataFrame) else pd.DataFrame(data)
    table.columns = [str(name) for name in table.columns]
    table.to_parquet(path)
    return str(path)


def deserialize_data(path: str, config: Any = None) -> Any:
    return pd.read_parquet(Path(path))


def as_list(*values: Any) -> list[Any]:
    if len(values) != 1:
        return list(values)
    value = values[0]
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple, set)) else [value]


def flatten(values: Any, *_: Any, **__: Any) -> list[Any]:
    found: list[Any] = []
    for value in values:
        found += flatten(value) if isinstance(value, (list, tuple)) else [value]
    return found


def str2bool(text: str) -> bool:
    if str(text).lower() in ("true", "t", "yes", "y", "on", "1"):
        return True
    if str(text).lower() in ("false", "f", "no", "n", "off", "0"):
        return False
    raise ValueError(f"`{text}` is neither true nor false")


def str_sanitize(text: str) -> str:
    return re.sub(r"[^\w-]", "_", str(text))


def profile(*_: Any, **__: Any) -> Callable[[Any], Any]:
    """Do nothing: times are taken from outside."""

    def wrapped(function: Any) -> Any:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return call

    return wrapped
