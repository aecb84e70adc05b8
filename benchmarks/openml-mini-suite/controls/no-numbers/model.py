"""Gives each class a probability that is no number."""

import numpy as np


class Model:
    def fit(self, features, labels):
        self.classes_ = sorted(set(labels))

    def predict(self, features):
        return np.full(len(features), self.classes_[0])

    def predict_proba(self, features):
        return np.full((len(features), len(self.classes_)), np.nan)
