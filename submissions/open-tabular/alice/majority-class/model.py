"""The class seen most often in training, whatever the features say."""

import numpy as np


class Model:
    def fit(self, X, y):
        labels, counts = np.unique(y, return_counts=True)
        self.label = labels[counts.argmax()]

    def predict(self, X):
        return np.full(len(X), self.label)
