from pathlib import Path


class Model:
    """The same score for every row: the share of positive training labels."""

    def __init__(self, info):
        self.info = info

    def train(self, table, labels):
        rows = len(next(iter(table.values())))
        self.share = sum(label == 1 for label in labels) / rows

    def save(self, directory):
        Path(directory, "share").write_text(repr(self.share))

    def load(self, directory):
        self.share = float(Path(directory, "share").read_text())

    def predict(self, table):
        return [self.share] * len(next(iter(table.values())))
