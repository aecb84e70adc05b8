"""Labels drawn at random, alike on each run."""

import numpy as np


class Model:
    def train_predict(self, data, time_budget, n_class, schema):
        return np.random.default_rng(0).integers(n_class, size=len(data["test_indices"]))
