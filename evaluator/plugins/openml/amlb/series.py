"""Time series in one long CSV file -> a fold, as AMLB's code makes it.

Fold 0 tests the last H steps of each series. Fold k > 0 first leaves out the last (k+1)·H steps
and then tests the last H of what remains: so the H steps before those of fold 0 are tested by
none. AMLB's page describes k·H; its code is followed, since results come from it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.plugins.openml.amlb.locations import DatasetError
from evaluator.plugins.openml.amlb.tables import find_target

if TYPE_CHECKING:
    import pandas as pd

_NEEDED = ("freq", "forecast_horizon_in_steps", "seasonality")

_RENAMED = {
    "H": "h", "BH": "bh", "CBH": "cbh", "T": "min", "S": "s", "L": "ms", "U": "us", "N": "ns",
    "M": "ME", "BM": "BME", "CBM": "CBME", "SM": "SME", "Q": "QE", "BQ": "BQE",
    "A": "YE", "Y": "YE", "BA": "BYE", "BY": "BYE", "AS": "YS", "BAS": "BYS",
}  # fmt: skip
"""Aliases that pandas 2.2 renamed and pandas 3 no longer reads; AMLB's definitions have them."""


@dataclass(frozen=True, kw_only=True)
class SeriesFold:
    """One fold; rows stand by item and time."""

    train: pd.DataFrame
    test: pd.DataFrame
    target: str
    meta: dict[str, Any] = field(default_factory=dict)
    """What dataset.json says besides."""
    truth: dict[str, Any] = field(default_factory=dict)
    """Further columns of truth.parquet."""


def read_series(file: Path, fold: int, dataset: dict[str, Any]) -> SeriesFold:
    """Read a fold. Raises DatasetError."""
    import numpy as np
    import pandas as pd

    for key in _NEEDED:
        if dataset.get(key) is None:
            raise DatasetError(f"a time series needs `{key}`")
    horizon, season = (int(dataset[key]) for key in _NEEDED[1:])
    item = str(dataset.get("id_column") or "item_id")
    time = str(dataset.get("timestamp_column") or "timestamp")
    try:
        table = pd.read_csv(file, low_memory=False)
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
        table = _nth(table, item, slice(None, -(fold + 1) * horizon))
    train = _nth(table, item, slice(None, -horizon))
    test = _nth(table, item, slice(-horizon, None))
    if train[item].nunique() < test[item].nunique():
        raise DatasetError(f"fold {fold} leaves a series without training rows")
    changes = train.groupby(item)[target].diff(season).abs()
    errors = changes.groupby(train[item]).mean().fillna(1.0).to_numpy()
    return SeriesFold(
        train=train,
        test=test,
        target=target,
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
    """Return a frequency such as ``15T`` or ``Q-DEC`` in the aliases of today's pandas."""
    alias, dash, anchor = freq.partition("-")
    renamed = re.sub("[A-Za-z]+", lambda name: _RENAMED.get(name[0], name[0]), alias)
    return f"{renamed}{dash}{anchor}"


def most_folds(file: Path, dataset: dict[str, Any], wanted: int) -> int:
    """Return how many of the wanted folds the shortest series has steps for."""
    for fold in range(wanted):
        try:
            read_series(file, fold, dataset)
        except DatasetError:
            if fold == 0:
                raise
            return fold
    return wanted


def _nth(table: pd.DataFrame, item: str, steps: slice) -> pd.DataFrame:
    rows: pd.DataFrame = table.groupby(item, as_index=False).nth(steps)  # type: ignore[assignment]
    return rows
