"""Predicts no row."""

import numpy as np


class Model:
    def fit(self, features, labels):
        pass

    def predict(self, features):
        return np.array([])
