"""Write predictions.csv with one of several models, learned from train.csv.

Needs scikit-learn. Usage: python3 make_predictions.py MODEL
"""

import csv
import sys
from pathlib import Path

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

HERE = Path(__file__).parent
MODELS = {
    "naive-bayes": GaussianNB(var_smoothing=0.01),
    "tree": DecisionTreeClassifier(random_state=0),
    "nearest-centroid": NearestCentroid(),
    "linear-discriminant": LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
    "logistic-regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "gradient-boosting": HistGradientBoostingClassifier(random_state=0),
    "neural-network": MLPClassifier((128,), max_iter=1000, random_state=0),
    "random-forest": RandomForestClassifier(500, random_state=0),
    "extra-trees": ExtraTreesClassifier(500, random_state=0),
    "nearest-neighbours": KNeighborsClassifier(1),
    "support-vectors": SVC(gamma=0.001, C=10),
}


def read(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(newline="") as file:
        return list(csv.DictReader(file))


def pixels(rows: list[dict[str, str]]) -> list[list[int]]:
    return [[int(row[f"p{number}"]) for number in range(64)] for row in rows]


def main(name: str) -> None:
    known, asked = read("train.csv"), read("rows.csv")
    model = MODELS[name].fit(pixels(known), [row["digit"] for row in known])
    with Path("predictions.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", "digit"])
        digits = model.predict(pixels(asked))
        writer.writerows(zip((row["id"] for row in asked), digits, strict=True))


if __name__ == "__main__":
    main(sys.argv[1])
