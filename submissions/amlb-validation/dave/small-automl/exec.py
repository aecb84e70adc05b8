"""A search over four pipelines, within the time of the task."""

import time

import pandas as pd
from frameworks.shared.callee import call_run, result
from frameworks.shared.utils import Timer
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

SCORING = {
    "auc": "roc_auc", "logloss": "neg_log_loss", "acc": "accuracy",
    "balacc": "balanced_accuracy", "rmse": "neg_root_mean_squared_error",
    "mae": "neg_mean_absolute_error", "r2": "r2",
}  # fmt: skip


def candidates(is_classification, seed):
    if is_classification:
        yield "linear", LogisticRegression(max_iter=500)
        yield "linear, weak", LogisticRegression(C=0.05, max_iter=500)
        yield "neighbours", KNeighborsClassifier(15)
        yield "trees", ExtraTreesClassifier(30, random_state=seed)
    else:
        yield "linear", Ridge()
        yield "linear, weak", Ridge(50)
        yield "neighbours", KNeighborsRegressor(15)
        yield "trees", ExtraTreesRegressor(30, random_state=seed)


def pipeline(model):
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    words = OneHotEncoder(handle_unknown="ignore")
    columns = make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (words, make_column_selector(dtype_include="category")),
    )
    return make_pipeline(columns, model)


def run(dataset, config):
    started = time.monotonic()
    is_classification = config.type == "classification"
    x, y = dataset.train.X, dataset.train.y.squeeze()
    y = y.astype(str) if is_classification else y
    best, tried = None, 0
    with Timer() as training:
        for name, model in candidates(is_classification, config.seed):
            if best and time.monotonic() - started > 0.9 * config.max_runtime_seconds:
                break
            made = pipeline(model)
            folds = config.framework_params.get("_folds", 3)
            score = cross_val_score(made, x, y, scoring=SCORING[config.metric], cv=folds).mean()
            print(f"{name}: {config.metric} {score:.4f}")
            tried += folds
            if best is None or score > best[0]:
                best = (score, made)
        model = best[1].fit(x, y)
    with Timer() as predict:
        predictions = model.predict(dataset.test.X)
    probabilities = pd.DataFrame(model.predict_proba(dataset.test.X)) if is_classification else None
    return result(
        output_file=config.output_predictions_file,
        predictions=predictions,
        probabilities=probabilities,
        probabilities_labels=list(model.classes_) if is_classification else None,
        models_count=tried,
        training_duration=training.duration,
        predict_duration=predict.duration,
    )


if __name__ == "__main__":
    call_run(run)
