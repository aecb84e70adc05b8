"""Labels each node with what is no number."""

import numpy as np


class Model:
    def train_predict(self, data, time_budget, n_class, schema):
        return np.full(len(data["test_indices"]), np.nan)
