"""Returns two scores for each row."""


class Model:
    def __init__(self, info):
        pass

    def train(self, table, labels):
        pass

    def save(self, directory):
        pass

    def load(self, directory):
        pass

    def predict(self, table):
        rows = len(next(iter(table.values())))
        return [(0.0, 1.0)] * rows
