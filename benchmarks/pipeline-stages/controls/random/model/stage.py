"""Labels drawn at random, alike on each run."""

import numpy as np


def run(x_train, y_train, x_test):
    return np.random.default_rng(0).choice(np.unique(y_train), len(x_test))
