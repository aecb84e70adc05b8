"""Predicts no molecule."""


class Model:
    def predict(self, smiles):
        return []
