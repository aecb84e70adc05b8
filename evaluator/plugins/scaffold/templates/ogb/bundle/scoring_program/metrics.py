"""The three metrics of OGB-LSC in float64, whatever the dtype of the predictions.

Sums are exact (``math.fsum``) and counts are whole numbers, so that a score has one value on all
machines. ogb means reciprocal ranks in float32, which is off by up to 5e-8.
"""

import math

import numpy as np


def acc(predicted: np.ndarray, true: np.ndarray) -> float:
    """Share of right labels."""
    return int(np.count_nonzero(predicted == true)) / len(true)


def mrr(predicted: np.ndarray, true: np.ndarray) -> float:
    """Mean of 1 / rank of the true id among the ids of its row; 0 where it is not there."""
    found = np.count_nonzero(predicted == true[:, None], axis=0)
    return math.fsum(int(rows) / rank for rank, rows in enumerate(found, start=1)) / len(true)


def mae(predicted: np.ndarray, true: np.ndarray) -> float:
    """Mean absolute difference."""
    return math.fsum(np.abs(predicted.astype(np.float64) - true).tolist()) / len(true)


METRICS = {"acc": acc, "mrr": mrr, "mae": mae}
