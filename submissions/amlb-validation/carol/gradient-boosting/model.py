"""A class with fit and predict, and no framework around it."""

from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor


class Model:
    def __init__(self, config):
        classes = config.type == "classification"
        made = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
        self._model = made(random_state=config.seed, categorical_features="from_dtype", max_iter=30)
        if classes:
            self.predict_proba = self._model.predict_proba

    @property
    def classes_(self):
        return self._model.classes_

    def fit(self, x, y):
        self._model.fit(x, y)

    def predict(self, x):
        return self._model.predict(x)
