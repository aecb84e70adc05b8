"""Gaps drawn at random, alike on each run."""

import random


class Model:
    def predict(self, smiles):
        generator = random.Random(0)
        return [generator.uniform(0, 20) for _ in smiles]
