"""Predicts what is no number."""


class Model:
    def predict(self, smiles):
        return ["nan"] * len(smiles)
