"""The first class, and the same probabilities, for every row."""

import numpy as np


class Model:
    def __init__(self, config):
        pass

    def fit(self, x, y):
        self.classes_ = sorted(set(y))

    def predict(self, x):
        return np.full(len(x), self.classes_[0])

    def predict_proba(self, x):
        return np.full((len(x), len(self.classes_)), 1 / len(self.classes_))
