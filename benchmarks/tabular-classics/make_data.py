"""Write input_data/ and reference_data/ from scikit-learn's copies of the four data sets.

Needs the packages in requirements.txt. Running it again gives the same bytes.
"""

import csv
from collections.abc import Iterable
from pathlib import Path

from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import train_test_split

HERE = Path(__file__).parent
LOADERS = {
    "iris": load_iris,
    "wine": load_wine,
    "breast-cancer": load_breast_cancer,
    "digits": load_digits,
}


def write(path: Path, header: Iterable[str], rows: Iterable[Iterable[float]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="ascii", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        # Ten digits are more than the sources give: every value survives exactly.
        writer.writerows([f"{value:.10g}" for value in row] for row in rows)


def main() -> None:
    for name, load in LOADERS.items():
        data = load()
        x_train, x_test, y_train, y_test = train_test_split(
            data.data, data.target, test_size=0.5, stratify=data.target, random_state=0
        )
        write(HERE / "input_data" / name / "X_train.csv", data.feature_names, x_train)
        write(HERE / "input_data" / name / "y_train.csv", ["label"], y_train[:, None])
        write(HERE / "input_data" / name / "X_test.csv", data.feature_names, x_test)
        write(HERE / "reference_data" / name / "y_test.csv", ["label"], y_test[:, None])


if __name__ == "__main__":
    main()
