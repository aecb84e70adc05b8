"""Fit one method on the training data and write predictions.csv for the test rows.

Usage: make_predictions.py METHOD DATA_FOLDER OUTPUT_FILE      (needs scikit-learn 1.7.2)
"""

import sys
from pathlib import Path

import numpy as np
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import LinearRegression, RidgeCV
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

METHODS = {
    "mean": DummyRegressor(strategy="mean"),
    "median": DummyRegressor(strategy="median"),
    "linear": LinearRegression(),
    "ridge": make_pipeline(StandardScaler(), RidgeCV(alphas=np.logspace(-2, 3, 26))),
    "nearest-neighbours": make_pipeline(StandardScaler(), KNeighborsRegressor(n_neighbors=15)),
    "random-forest": RandomForestRegressor(
        n_estimators=500, min_samples_leaf=5, random_state=0, n_jobs=1
    ),
    "gradient-boosting": GradientBoostingRegressor(
        n_estimators=150, learning_rate=0.05, max_depth=2, subsample=0.7, random_state=0
    ),
}


def read(path: Path) -> np.ndarray:
    return np.loadtxt(path, delimiter=",", skiprows=1)


def main(method: str, data: str, output: str) -> None:
    folder = Path(data)
    model = METHODS[method].fit(read(folder / "X_train.csv"), read(folder / "y_train.csv"))
    test = read(folder / "X_test.csv")
    predictions = model.predict(test[:, 1:])
    lines = [f"{id_:.0f},{value:.4f}" for id_, value in zip(test[:, 0], predictions, strict=True)]
    Path(output).write_text("\n".join(["id,prediction", *lines]) + "\n", encoding="ascii")


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in METHODS:
        sys.exit(f"{__doc__}\nMETHOD is one of {', '.join(METHODS)}")
    main(*sys.argv[1:])
