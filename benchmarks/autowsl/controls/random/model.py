"""Scores drawn at random, alike on each run."""

import random


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
        generator = random.Random(0)
        return [generator.random() for _ in range(rows)]
