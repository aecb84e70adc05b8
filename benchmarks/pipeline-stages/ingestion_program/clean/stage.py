"""Fill every gap with the mean of the feature's training values."""

import numpy as np


def run(x_train, y_train, x_test):
    means = np.nanmean(x_train, axis=0)

    def filled(x):
        return np.where(np.isnan(x), means, x)

    return filled(x_train), y_train, filled(x_test)
