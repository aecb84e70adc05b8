import pickle
from pathlib import Path

import numpy as np
from features import Features

ROUNDS = 4


def fit(X, y, weights, penalty=1.0):
    """Logistic regression with an L2 penalty, by Newton's method; y is between 0 and 1."""
    X = np.column_stack([X, np.ones(len(X))])
    ridge = np.full(X.shape[1], penalty)
    ridge[-1] = 1e-3
    beta = np.zeros(X.shape[1])
    for _ in range(15):
        p = 1 / (1 + np.exp(-np.clip(X @ beta, -30, 30)))
        gradient = X.T @ (weights * (p - y)) + ridge * beta
        curvature = (X * (weights * np.maximum(p * (1 - p), 1e-4))[:, None]).T @ X
        step = np.linalg.solve(curvature + np.diag(ridge), gradient)
        beta -= step
        if np.abs(step).max() < 1e-6:
            break
    return beta


def scores(X, beta):
    return 1 / (1 + np.exp(-np.clip(X @ beta[:-1] + beta[-1], -30, 30)))


class Model:
    """Logistic regression that takes over its own surest predictions."""

    def __init__(self, info):
        self.task = info["task"]
        self.features = Features(info["schema"])

    def train(self, X, y):
        X = self.features.fit(X).transform(X)
        y = np.array(y)
        known = y != 0 if self.task == "ssl" else np.ones(len(y), dtype=bool)
        target = (y == 1).astype(float)
        weights = np.where(known, 1.0, 0.0)
        if self.task == "pu":
            # A row without a label is a weak negative.
            weights = np.where(y == 1, (y == 0).sum() / max(1, (y == 1).sum()), 1.0)
        penalty = 1 + X.shape[1] / 10
        self.beta = fit(X, target, weights, penalty)
        for _ in range(ROUNDS if self.task != "noisy" else 0):
            guess = scores(X, self.beta)
            if self.task == "ssl":
                sure = ~known & (np.abs(guess - 0.5) > 0.3)
                target = np.where(known, target, guess)
                weights = np.where(known, 1.0, np.where(sure, 0.3, 0.0))
            else:
                # What looks most like a positive is counted less and less as a negative.
                weights = np.where(y == 1, weights, 1 - guess**2)
            self.beta = fit(X, target, weights, penalty)

    def save(self, directory):
        content = pickle.dumps((self.features, self.beta))
        Path(directory, "model.pickle").write_bytes(content)

    def load(self, directory):
        content = Path(directory, "model.pickle").read_bytes()
        self.features, self.beta = pickle.loads(content)

    def predict(self, X):
        return scores(self.features.transform(X), self.beta)
