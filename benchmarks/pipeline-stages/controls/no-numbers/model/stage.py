"""Labels each row with what is no number."""

import numpy as np


def run(x_train, y_train, x_test):
    return np.full(len(x_test), np.nan)
