"""Labels no node."""

import numpy as np


class Model:
    def train_predict(self, data, time_budget, n_class, schema):
        return np.array([], dtype=int)
