"""What guessing is worth: labels drawn as often as they occur in the training data."""

import numpy as np


class Model:
    def fit(self, features: np.ndarray, labels: np.ndarray) -> None:  # noqa: ARG002
        self.labels = labels

    def predict(self, features: np.ndarray) -> np.ndarray:
        return np.random.default_rng(0).choice(self.labels, size=len(features))
