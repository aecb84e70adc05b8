"""Predicts no row."""

import numpy as np


class Model:
    def __init__(self, config):
        pass

    def fit(self, x, y):
        self.classes_ = sorted(set(y))

    def predict(self, x):
        return np.array([])
