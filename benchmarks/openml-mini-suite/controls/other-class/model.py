"""Predicts a class that is not there, with certainty of every class."""

import numpy as np


class Model:
    def fit(self, features, labels):
        self.classes_ = sorted(set(labels))

    def predict(self, features):
        return np.full(len(features), " ".join(self.classes_))

    def predict_proba(self, features):
        return np.ones((len(features), len(self.classes_)))
