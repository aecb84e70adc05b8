"""Gives each node all labels."""

import numpy as np


class Model:
    def train_predict(self, data, time_budget, n_class, schema):
        return np.tile(np.arange(n_class), (len(data["test_indices"]), 1))
