"""Histogram gradient boosting with native categories."""

from sklearn.ensemble import HistGradientBoostingClassifier


class Model(HistGradientBoostingClassifier):
    def __init__(self):
        super().__init__(
            max_iter=50, categorical_features="from_dtype", early_stopping=False, random_state=0
        )
