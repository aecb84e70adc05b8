"""Train the submitted model on one data set and write its labels for the test rows.

Usage: ingestion.py INPUT OUTPUT SUBMISSION
"""

import sys
from pathlib import Path

import numpy as np
from strict_tables import read_labels, read_numbers


def as_labels(predicted: object, rows: int) -> np.ndarray:
    labels = np.asarray(predicted)
    if labels.shape != (rows,):
        sys.exit(f"model.py: predict returned shape {labels.shape} for {rows} rows, not ({rows},)")
    if not np.issubdtype(labels.dtype, np.number) or not np.all(labels == np.round(labels)):
        sys.exit("model.py: predict returned labels that are not integers")
    return labels.astype(int)


def main(input_dir: Path, output_dir: Path, submission_dir: Path) -> None:
    x_train, x_test = (read_numbers(input_dir / name)[1] for name in ("X_train.csv", "X_test.csv"))
    y_train = read_labels(input_dir / "y_train.csv")

    # Leave no __pycache__ in the submission where it is writable, as it is outside a container.
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(submission_dir))
    from model import Model

    model = Model()
    model.fit(x_train, y_train)
    labels = as_labels(model.predict(x_test), len(x_test))
    np.savetxt(output_dir / "y_pred.csv", labels, fmt="%d", header="label", comments="")
    print(f"trained on {len(x_train)} rows, predicted {len(labels)}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
