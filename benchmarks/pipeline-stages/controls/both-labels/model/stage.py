"""Gives each row both labels."""

import numpy as np


def run(x_train, y_train, x_test):
    return np.tile([0, 1], (len(x_test), 1))
