"""Train the submitted model on one fold; write predictions.csv.

Usage: ingestion.py INPUT OUTPUT SUBMISSION

INPUT holds train.parquet, test.parquet (without the target) and dataset.json; SUBMISSION holds
model.py with a class Model. Probabilities stand in one column for each class, in lexicographic
order, as in the AutoML Benchmark.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd


def as_probabilities(given: object, model: object, classes: list[str], rows: int) -> pd.DataFrame:
    """Order the columns of predict_proba by the classes; what the model never saw gets 0."""
    table = np.asarray(given, dtype=float)
    labels = [str(label) for label in getattr(model, "classes_", classes)]
    if table.shape != (rows, len(labels)):
        sys.exit(f"predict_proba returned shape {table.shape}, not ({rows}, {len(labels)})")
    columns = dict(zip(labels, table.T, strict=True))
    return pd.DataFrame({label: columns.get(label, np.zeros(rows)) for label in classes})


def main(input_dir: Path, output_dir: Path, submission_dir: Path) -> None:
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(submission_dir))
    from model import Model

    meta = json.loads((input_dir / "dataset.json").read_text(encoding="utf-8"))
    train = pd.read_parquet(input_dir / "train.parquet")
    test = pd.read_parquet(input_dir / "test.parquet")
    y = train.pop(meta["target"])
    classes = [str(label) for label in meta["classes"]]
    if classes:
        y = y.astype(str)

    model = Model()
    model.fit(train, y)
    predicted = np.asarray(model.predict(test))
    if predicted.shape != (len(test),):
        sys.exit(f"predict returned shape {predicted.shape} for {len(test)} rows")
    table = pd.DataFrame(index=range(len(test)))
    if classes and hasattr(model, "predict_proba"):
        table = as_probabilities(model.predict_proba(test), model, classes, len(test))
    table["predictions"] = predicted
    table.to_csv(output_dir / "predictions.csv", index=False)
    print(f"trained on {len(train)} rows, predicted {len(test)}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
