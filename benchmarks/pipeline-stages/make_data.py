"""Write input_data/ and reference_data/: scikit-learn's breast cancer data with seeded damage.

Needs the packages in requirements.txt. Running it again gives the same bytes.
"""

import csv
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

HERE = Path(__file__).parent
MISSING = 0.1
"""Share of cells without a value."""
WRONG_UNIT = 0.03
"""Share of cells that are a thousand times too large, as where grams were entered for kilograms."""


def damaged(x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    result = x.copy()
    result[rng.random(x.shape) < WRONG_UNIT] *= 1000
    result[rng.random(x.shape) < MISSING] = np.nan
    return result


def write(path: Path, header: Iterable[str], rows: Iterable[Iterable[float]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="ascii", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(
            ["" if np.isnan(value) else f"{value:.10g}" for value in row] for row in rows
        )


def main() -> None:
    data = load_breast_cancer()
    x_train, x_test, y_train, y_test = train_test_split(
        data.data, data.target, test_size=0.5, stratify=data.target, random_state=0
    )
    rng = np.random.default_rng(0)
    write(HERE / "input_data" / "X_train.csv", data.feature_names, damaged(x_train, rng))
    write(HERE / "input_data" / "y_train.csv", ["label"], y_train[:, None])
    write(HERE / "input_data" / "X_test.csv", data.feature_names, damaged(x_test, rng))
    write(HERE / "reference_data" / "y_test.csv", ["label"], y_test[:, None])


if __name__ == "__main__":
    main()
