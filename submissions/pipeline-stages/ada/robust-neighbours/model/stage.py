"""The majority among the seven nearest training rows; of equal ones the smallest label."""

import numpy as np


def run(x_train, y_train, x_test):
    distances = np.linalg.norm(x_test[:, None, :] - x_train[None, :, :], axis=2)
    nearest = y_train[np.argsort(distances, axis=1, kind="stable")[:, :7]]
    return np.array([np.bincount(row).argmax() for row in nearest])
