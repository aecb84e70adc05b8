"""Metrics of classification and regression by the AutoML Benchmark's definitions. NumPy alone."""

import numpy as np


def score(
    name: str,
    truth: np.ndarray,
    predictions: np.ndarray,
    probabilities: np.ndarray | None,
    classes: list[str],
) -> float:
    """Return the plain value, losses not negated. Raises ValueError where it cannot be had."""
    if name in ("acc", "balacc"):
        right = truth == predictions
        if name == "acc":
            return float(right.mean())
        return float(np.mean([right[truth == label].mean() for label in np.unique(truth)]))
    if name in ("auc", "logloss"):
        if probabilities is None:
            raise ValueError(f"'{name}' needs a column of probabilities for each class")
        return (_auc if name == "auc" else _logloss)(truth, probabilities, classes)
    y = np.asarray(truth, dtype=float)
    error = np.asarray(predictions, dtype=float) - y
    if name == "rmse":
        return float(np.sqrt(np.square(error).mean()))
    if name == "mse":
        return float(np.square(error).mean())
    if name == "mae":
        return float(np.abs(error).mean())
    if name == "r2":
        return float(1 - np.square(error).sum() / np.square(y - y.mean()).sum())
    raise ValueError(f"there is no metric '{name}'")


def _auc(truth: np.ndarray, probabilities: np.ndarray, classes: list[str]) -> float:
    """Area under the ROC curve of the second class, ties counted half."""
    positive = truth == classes[1]
    if positive.all() or not positive.any():
        raise ValueError("'auc' needs test rows of both classes")
    _, place, counts = np.unique(probabilities[:, 1], return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    many = int(positive.sum())
    return float((ranks[positive].sum() - many * (many + 1) / 2) / (many * int((~positive).sum())))


def _logloss(truth: np.ndarray, probabilities: np.ndarray, classes: list[str]) -> float:
    shares = probabilities / probabilities.sum(axis=1, keepdims=True)
    tiny = np.finfo(float).eps
    columns = np.searchsorted(classes, truth)
    return float(-np.log(np.clip(shares, tiny, 1 - tiny)[np.arange(len(truth)), columns]).mean())
