"""The mean gap for each molecule."""


class Model:
    def predict(self, smiles):
        return [5.77] * len(smiles)
