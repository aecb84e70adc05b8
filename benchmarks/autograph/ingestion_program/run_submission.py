"""The process in which a submission runs: load the data, call it, leave what it returned.

Usage: run_submission.py INPUT SUBMISSION OUTCOME READY, where READY is a file descriptor.
"""

import importlib
import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy as np
from dataset import Dataset, read_dataset


def predict(dataset: Dataset, submission_dir: Path) -> object:
    """Import the submission and call it, by either protocol."""
    if not (submission_dir / "model.py").is_file():
        raise FileNotFoundError("the submission has no file model.py")
    sys.path.insert(0, str(submission_dir))
    model = _model(importlib.import_module("model"))
    if callable(getattr(model, "train_predict", None)):
        return model.train_predict(*dataset.arguments)
    model.fit(*dataset.arguments)
    return model.predict(dataset.data["test_indices"])


def _model(module: Any) -> Any:
    if not hasattr(module, "Model"):
        raise AttributeError("model.py has no class Model")
    model = module.Model()
    methods = {name for name in ("fit", "predict", "train_predict") if hasattr(model, name)}
    if "train_predict" not in methods and methods != {"fit", "predict"}:
        raise AttributeError("Model needs the method train_predict, or both fit and predict")
    return model


def as_labels(returned: object, rows: int) -> list[int]:
    """Return what a model predicted as integers; raises ValueError saying what is wrong."""
    labels = np.asarray(returned)
    if labels.shape != (rows,):
        raise ValueError(f"predictions have shape {labels.shape}; expected is ({rows},)")
    if not np.issubdtype(labels.dtype, np.number):
        raise ValueError(f"predictions are of type {labels.dtype}, not numbers")
    if not np.all(labels == np.round(labels)):
        row = int(np.argmax(labels != np.round(labels)))
        raise ValueError(f"prediction {row} is {labels[row]}, not an integer label")
    return [int(label) for label in labels]


def main(input_dir: Path, submission_dir: Path, outcome: Path, ready: int) -> None:
    dataset = read_dataset(input_dir)
    os.write(ready, b"1")
    os.close(ready)
    result: dict[str, object]
    try:
        returned = predict(dataset, submission_dir)
        result = {"labels": as_labels(returned, len(dataset.data["test_indices"]))}
    except BaseException as error:  # a submission may raise anything
        traceback.print_exc()
        result = {"error": f"{type(error).__name__}: {error}"}
    outcome.write_text(json.dumps(result), encoding="ascii")
    sys.stdout.flush()
    # Without waiting for threads and exit handlers: the labels are there.
    os._exit(0)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]), int(sys.argv[4]))
