"""Predicts the share of each class in training."""

from sklearn.dummy import DummyClassifier


class Model(DummyClassifier):
    def __init__(self):
        super().__init__(strategy="prior")
