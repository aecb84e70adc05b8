"""Metrics of forecasts as the AutoML Benchmark defines them. All are losses.

Rows are time steps; the rows of one item stand together. ``scale`` is the item's mean absolute
seasonal error in the training data, repeated for each of its steps.
"""

from dataclasses import dataclass

import numpy as np

METRICS = ("mase", "mape", "smape", "wape", "rmse", "mse", "mae", "mql", "wql", "sql")


@dataclass
class Forecast:
    truth: np.ndarray
    predictions: np.ndarray
    items: np.ndarray
    scale: np.ndarray
    quantiles: np.ndarray | None
    """Steps x levels."""
    levels: np.ndarray


def score(metric: str, forecast: Forecast) -> float:
    """Raise ValueError for a metric that is unknown, or needs quantiles that are not there."""
    error = np.abs(forecast.truth - forecast.predictions)
    size = np.abs(forecast.truth)
    if metric in ("mql", "wql", "sql"):
        if forecast.quantiles is None:
            raise ValueError(f"'{metric}' needs quantiles")
        above = forecast.quantiles >= forecast.truth[:, None]
        loss = 2 * np.abs(
            (forecast.quantiles - forecast.truth[:, None]) * (above - forecast.levels)
        )
        if metric == "mql":
            return float(loss.mean())
        if metric == "wql":
            return float(loss.mean(axis=1).sum() / size.sum())
        return _mean(_by_item(loss.mean(axis=1) / forecast.scale, forecast.items))
    with np.errstate(divide="ignore", invalid="ignore"):
        if metric == "mase":
            return _mean(_by_item(error / forecast.scale, forecast.items))
        if metric == "mape":
            return _mean(error / size)
        if metric == "smape":
            return _mean(error / ((size + np.abs(forecast.predictions)) / 2))
        if metric == "wape":
            return float(error.sum() / size.sum())
    if metric == "mae":
        return float(error.mean())
    if metric in ("mse", "rmse"):
        mse = float(np.square(error).mean())
        return mse if metric == "mse" else mse**0.5
    raise ValueError(f"there is no metric '{metric}' of forecasts")


def _by_item(values: np.ndarray, items: np.ndarray) -> np.ndarray:
    _, place = np.unique(items, return_inverse=True)
    return np.bincount(place, weights=values) / np.bincount(place)


def _mean(values: np.ndarray) -> float:
    return float(np.mean(values[np.isfinite(values)]))
