"""Names that exec.py imports: those of ``amlb.utils``, and a reader of time series."""

from typing import Any

import pandas as pd
from amlb.utils import *  # noqa: F403


def load_timeseries_dataset(dataset: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read the training and test rows; the target of the latter is a stand-in."""
    train, test = (
        pd.read_csv(path, dtype={dataset.id_column: str}, parse_dates=[dataset.timestamp_column])
        for path in (dataset.train_path, dataset.test_path)
    )
    return train, test


def load_amlb_module(name: str, amlb_path: str | None = None) -> Any:
    import importlib

    return importlib.import_module(name)
