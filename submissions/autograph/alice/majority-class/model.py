"""Every node gets the class seen most often in training."""

import numpy as np


class Model:
    def fit(self, data, time_budget, n_class, schema):
        counts = np.bincount(data["train_label"]["label"], minlength=n_class)
        self.most_frequent = int(counts.argmax())

    def predict(self, test_indices):
        return np.full(len(test_indices), self.most_frequent)
