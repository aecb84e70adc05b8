"""Ranks among the training values, from 0 to 1: no value is too far out."""

import numpy as np


def run(x_train, y_train, x_test):
    ordered = np.sort(x_train, axis=0)

    def ranks(x):
        places = [np.searchsorted(ordered[:, i], x[:, i]) for i in range(x.shape[1])]
        return np.stack(places, axis=1) / len(ordered)

    return ranks(x_train), ranks(x_test)
