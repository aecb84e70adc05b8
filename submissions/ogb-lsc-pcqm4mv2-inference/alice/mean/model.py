"""The mean gap of the training molecules for every molecule."""


class Model:
    def predict(self, smiles: list[str]) -> list[float]:
        return [5.8314] * len(smiles)
