"""Predicts no row."""

import numpy as np


class Model:
    def fit(self, features, labels):
        self.classes_ = sorted(set(labels))

    def predict(self, features):
        return np.array([])
