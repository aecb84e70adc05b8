"""Predicts a class that is not there, with certainty of every class."""

import numpy as np


class Model:
    def __init__(self, config):
        pass

    def fit(self, x, y):
        self.classes_ = sorted(set(y))

    def predict(self, x):
        return np.full(len(x), " ".join(map(str, self.classes_)))

    def predict_proba(self, x):
        return np.ones((len(x), len(self.classes_)))
