"""Run one stage: arrays in, arrays out.

Usage: run_stage.py STAGE FOLDER BEFORE AFTER, where FOLDER holds stage.py, and BEFORE and AFTER are
files of NumPy arrays.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Arrays = dict[str, np.ndarray]


def clean(stage: Callable[..., Any], given: Arrays) -> Arrays:
    x_train, y_train, x_test = map(np.asarray, stage(**given))
    features = given["x_test"].shape[1]
    expect(x_train.ndim == 2 and x_train.shape[1] == features, "clean keeps all features")
    expect(y_train.shape == (len(x_train),), "clean returns one label for each training row")
    expect(x_test.shape == given["x_test"].shape, "clean keeps all test rows")
    expect(bool(np.isfinite(x_train).all() and np.isfinite(x_test).all()), "clean leaves no gap")
    return {"x_train": x_train, "y_train": y_train, "x_test": x_test}


def features(stage: Callable[..., Any], given: Arrays) -> Arrays:
    x_train, x_test = map(np.asarray, stage(**given))
    expect(x_train.ndim == 2 and len(x_train) == len(given["x_train"]), "features keeps all rows")
    expect(
        x_test.shape == (len(given["x_test"]), x_train.shape[1]),
        "features returns test rows with the features of the training rows",
    )
    return {"x_train": x_train, "y_train": given["y_train"], "x_test": x_test}


def model(stage: Callable[..., Any], given: Arrays) -> Arrays:
    labels = np.asarray(stage(**given))
    expect(labels.shape == (len(given["x_test"]),), "model returns one label for each test row")
    expect(np.issubdtype(labels.dtype, np.integer), "model returns integers")
    return {"labels": labels}


def expect(holds: bool, what: str) -> None:
    if not holds:
        sys.exit(f"{what}; this one did not")


CHECKED = {"clean": clean, "features": features, "model": model}


def main(stage: str, folder: str, before: Path, after: Path) -> None:
    with np.load(before, allow_pickle=False) as arrays:
        given = dict(arrays)
    sys.path.insert(0, folder)
    from stage import run

    np.savez(after, **CHECKED[stage](run, given))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
