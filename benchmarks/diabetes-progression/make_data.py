"""Write input_data/ and reference_data/ from scikit-learn's copy of the diabetes data.

Needs scikit-learn 1.7.2. Running it again gives the same bytes.
"""

import csv
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split

HERE = Path(__file__).parent


def write(path: Path, header: Iterable[str], rows: Iterable[Iterable[float]]) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="ascii", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        # Ten digits keep all that was measured and drop float noise: 4.804, not 4.803999999999999.
        writer.writerows([f"{value:.10g}" for value in row] for row in rows)


def main() -> None:
    # Unscaled: scikit-learn's default columns are scaled by means over all rows, the test's too.
    data = load_diabetes(scaled=False)
    quarter = np.digitize(data.target, np.quantile(data.target, [0.25, 0.5, 0.75]))
    x_train, x_test, y_train, y_test = train_test_split(
        data.data, data.target, test_size=0.25, stratify=quarter, random_state=0
    )
    ids = np.arange(1, len(y_test) + 1)
    inputs, reference = HERE / "input_data", HERE / "reference_data"
    write(inputs / "X_train.csv", data.feature_names, x_train)
    write(inputs / "y_train.csv", ["target"], y_train[:, None])
    write(inputs / "X_test.csv", ["id", *data.feature_names], np.column_stack([ids, x_test]))
    write(reference / "y_test.csv", ["id", "target"], np.column_stack([ids, y_test]))


if __name__ == "__main__":
    main()
