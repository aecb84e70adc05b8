"""Gives each class a probability that is no number."""

import numpy as np


class Model:
    def __init__(self, config):
        pass

    def fit(self, x, y):
        self.classes_ = sorted(set(y))

    def predict(self, x):
        return np.full(len(x), self.classes_[0])

    def predict_proba(self, x):
        return np.full((len(x), len(self.classes_)), np.nan)
