"""Labels no row."""

import numpy as np


def run(x_train, y_train, x_test):
    return np.array([], dtype=int)
