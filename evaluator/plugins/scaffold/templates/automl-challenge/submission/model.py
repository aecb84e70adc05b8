import json
import math
from pathlib import Path


class Model:
    """How far each number lies on the side of the positives; the surest column counts most."""

    def __init__(self, info):
        self.numbers = [name for name, kind in info["schema"].items() if kind == "num"]

    def train(self, table, labels):
        self.weights = {}
        for name in self.numbers:
            known = [
                (v, label == 1) for v, label in zip(table[name], labels, strict=True) if v == v
            ]
            mean = sum(v for v, _ in known) / len(known)
            spread = math.sqrt(sum((v - mean) ** 2 for v, _ in known) / len(known)) or 1.0
            positive = [v for v, is_positive in known if is_positive] or [mean]
            towards = (sum(positive) / len(positive) - mean) / spread
            self.weights[name] = (mean, spread, towards)

    def save(self, directory):
        Path(directory, "weights.json").write_text(json.dumps(self.weights))

    def load(self, directory):
        self.weights = json.loads(Path(directory, "weights.json").read_text())

    def predict(self, table):
        scores = [0.0] * len(next(iter(table.values())))
        for name, (mean, spread, towards) in self.weights.items():
            for row, value in enumerate(table[name]):
                scores[row] += 0.0 if value != value else towards * (value - mean) / spread
        return scores
