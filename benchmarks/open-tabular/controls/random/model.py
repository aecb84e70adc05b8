"""Labels drawn at random, alike on each run."""

import numpy as np


class Model:
    def fit(self, features, labels):
        self.labels = np.unique(labels)

    def predict(self, features):
        return np.random.default_rng(0).choice(self.labels, len(features))
