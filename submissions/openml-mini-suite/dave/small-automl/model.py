"""Chooses one of four pipelines by log loss in a small cross-validation, and trains it on all."""

from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

ROWS = 800


def prepared(model):
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False),
         make_column_selector(dtype_include="category")),
        remainder=StandardScaler(),
    )  # fmt: skip
    return make_pipeline(columns, model)


def candidates():
    return [
        prepared(LogisticRegression(max_iter=300)),
        prepared(SVC(probability=True, random_state=0)),
        prepared(ExtraTreesClassifier(100, min_samples_leaf=2, random_state=0)),
        HistGradientBoostingClassifier(
            max_iter=40, categorical_features="from_dtype", early_stopping=False, random_state=0
        ),
    ]


class Model:
    def fit(self, X, y):
        part, labels = X, y
        if len(X) > ROWS:
            part, _, labels, _ = train_test_split(X, y, train_size=ROWS, stratify=y, random_state=0)
        scores = [
            cross_val_score(model, part, labels, cv=3, scoring="neg_log_loss").mean()
            for model in candidates()
        ]
        best = max(range(len(scores)), key=scores.__getitem__)
        self.models_count = len(scores)
        self.chosen = candidates()[best].fit(X, y)
        self.classes_ = self.chosen.classes_
        print(f"log losses {[round(-score, 4) for score in scores]}: candidate {best}")

    def predict(self, X):
        return self.chosen.predict(X)

    def predict_proba(self, X):
        return self.chosen.predict_proba(X)
