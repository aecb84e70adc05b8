import pickle
from pathlib import Path

import numpy as np
from features import Features


class Model:
    """Gradient boosting of shallow trees; what has no label gets one from a first round."""

    def __init__(self, info):
        self.task = info["task"]
        self.features = Features(info["schema"])

    def boosted(self, rounds):
        # Prediction needs no scikit-learn, and its budget no second for importing it.
        from sklearn.ensemble import GradientBoostingClassifier

        # Noise in the labels wants small steps and leaves of many rows.
        return GradientBoostingClassifier(
            n_estimators=rounds,
            max_depth=3,
            learning_rate=0.08,
            subsample=0.7,
            max_features=0.5,
            min_samples_leaf=3 if self.task == "ssl" else 10,
            random_state=0,
        )

    def train(self, X, y):
        X = self.features.fit(X).transform(X)
        y = np.array(y)
        if self.task == "ssl":
            known = y != 0
            first = self.boosted(40).fit(X[known], y[known])
            share = first.predict_proba(X)[:, list(first.classes_).index(1)]
            target = np.where(known, y == 1, share > 0.5)
            weights = np.where(known, 1.0, 0.3 * np.abs(2 * share - 1))
        else:
            target = y == 1
            many = (~target).sum() / max(1, target.sum())
            weights = np.where(target, many if self.task == "pu" else 1.0, 1.0)
        if len(set(target)) < 2:
            target[0] = ~target[0]
        boosted = self.boosted(60).fit(X, target, sample_weight=weights)
        self.trees = [tree_arrays(tree.tree_) for tree in boosted.estimators_[:, 0]]

    def save(self, directory):
        content = pickle.dumps((self.features, self.trees))
        Path(directory, "model.pickle").write_bytes(content)

    def load(self, directory):
        content = Path(directory, "model.pickle").read_bytes()
        self.features, self.trees = pickle.loads(content)

    def predict(self, X):
        X = self.features.transform(X).astype(np.float32)
        return sum(leaf_values(X, *tree) for tree in self.trees)


def tree_arrays(tree):
    return (
        tree.feature,
        tree.threshold,
        tree.children_left,
        tree.children_right,
        tree.value[:, 0, 0],
    )


def leaf_values(X, feature, threshold, left, right, value):
    """Send each row down to its leaf."""
    node = np.zeros(len(X), dtype=int)
    rows = np.arange(len(X))
    while (inner := left[node] >= 0).any():
        below = X[rows, feature[node]] <= threshold[node]
        node = np.where(inner, np.where(below, left[node], right[node]), node)
    return value[node]
