"""Metrics of classification and regression as the AutoML Benchmark defines them.

``score`` returns the plain value, losses not negated.
"""

import numpy as np

HIGHER_IS_BETTER = frozenset({"auc", "acc", "balacc", "r2"})


def score(
    metric: str,
    truth: np.ndarray,
    predictions: np.ndarray,
    probabilities: np.ndarray | None,
    labels: list[str],
) -> float:
    """Raise ValueError for a metric that is unknown or needs something else."""
    if metric in ("acc", "balacc"):
        right = np.asarray(truth) == np.asarray(predictions)
        if metric == "acc":
            return float(right.mean())
        recalls = [right[truth == label].mean() for label in labels if (truth == label).any()]
        return float(np.mean(recalls))
    if metric in ("auc", "logloss"):
        if probabilities is None:
            raise ValueError(f"'{metric}' needs probabilities")
        return (
            _auc(truth, probabilities, labels)
            if metric == "auc"
            else _logloss(truth, probabilities, labels)
        )
    y, p = np.asarray(truth, dtype=float), np.asarray(predictions, dtype=float)
    if metric == "mae":
        return float(np.abs(y - p).mean())
    if metric == "mse":
        return float(np.square(y - p).mean())
    if metric == "rmse":
        return float(np.sqrt(np.square(y - p).mean()))
    if metric == "r2":
        spread = np.square(y - y.mean()).sum()
        return float(1 - np.square(y - p).sum() / spread) if spread else 0.0
    raise ValueError(f"there is no metric '{metric}'")


def _auc(truth: np.ndarray, probabilities: np.ndarray, labels: list[str]) -> float:
    if len(labels) != 2:
        raise ValueError("'auc' is for two classes")
    positive = np.asarray(truth) == labels[1]
    if positive.all() or not positive.any():
        raise ValueError("'auc' needs test rows of both classes")
    _, place, counts = np.unique(probabilities[:, 1], return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    wins = ranks[positive].sum() - positive.sum() * (positive.sum() + 1) / 2
    return float(wins / (positive.sum() * (~positive).sum()))


def _logloss(truth: np.ndarray, probabilities: np.ndarray, labels: list[str]) -> float:
    tiny = np.finfo(float).eps
    p = np.clip(probabilities, tiny, 1 - tiny)
    p = p / p.sum(axis=1, keepdims=True)
    columns = np.asarray([labels.index(label) for label in truth])
    return float(-np.log(p[np.arange(len(p)), columns]).mean())
