from pathlib import Path


class Model:
    """The same score for every row: what nothing is worth."""

    def __init__(self, info):
        pass

    def train(self, X, y):
        self.share = sum(label == 1 for label in y) / len(y)

    def save(self, directory):
        Path(directory, "share").write_text(repr(self.share))

    def load(self, directory):
        self.share = float(Path(directory, "share").read_text())

    def predict(self, X):
        return [self.share] * len(next(iter(X.values())))
