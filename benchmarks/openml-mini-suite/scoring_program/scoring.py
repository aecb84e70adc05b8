"""Score the predictions of one fold.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/truth.parquet and ref/dataset.json, and
res/predictions.csv from the ingestion program. What that says of its own times is no score: the
participant's code may have written it. The record has those that the worker measured.

``result`` is the first metric, negated where it is a loss: higher is always better.
"""

import json
import math
import sys
from pathlib import Path
from typing import NoReturn

import metrics
import numpy as np
import pyarrow.parquet as pq
from rows import read_rows

LOSSES = frozenset({"logloss", "mae", "mse", "rmse"})


def refuse(output_dir: Path, message: str) -> NoReturn:
    """End without scores: pullbench shows participants rejected.txt, Codabench the log."""
    (output_dir / "rejected.txt").write_text(message + "\n", encoding="utf-8")
    sys.exit(message)


def numbers(values: list[str], name: str) -> np.ndarray:
    found = np.asarray([float(value) for value in values])
    if not np.isfinite(found).all():
        raise ValueError(f"column '{name[:60]}' holds what is no finite number")
    return found


def evaluate(meta: dict, truth: list, columns: dict[str, list[str]]) -> dict[str, float]:
    classes = [str(label) for label in meta["classes"]]
    if "predictions" not in columns:
        raise ValueError("predictions.csv has no column 'predictions'")
    probabilities = None
    if classes:
        truth = [str(label) for label in truth]
        predictions = columns["predictions"]
        strange = sorted(set(predictions) - set(classes))
        if strange:
            raise ValueError(f"{strange[0][:60]!r} is none of the classes")
        if set(classes) <= set(columns):
            probabilities = np.column_stack([numbers(columns[c], c) for c in classes])
            if (probabilities < 0).any() or (probabilities.sum(axis=1) <= 0).any():
                raise ValueError("predictions.csv holds probabilities that are none")
    else:
        predictions = numbers(columns["predictions"], "predictions")
    scores = {}
    for name in meta["metrics"]:
        value = metrics.score(
            name, np.asarray(truth), np.asarray(predictions), probabilities, classes
        )
        if not math.isfinite(value):
            raise ValueError(f"'{name}' is not a finite number")
        scores[name] = value
    first = meta["metrics"][0]
    return {"result": -scores[first] if first in LOSSES else scores[first], **scores}


def main(input_dir: Path, output_dir: Path) -> None:
    meta = json.loads((input_dir / "ref" / "dataset.json").read_text(encoding="utf-8"))
    truth = pq.read_table(input_dir / "ref" / "truth.parquet")["truth"].to_pylist()
    try:
        file = input_dir / "res" / "predictions.csv"
        columns = read_rows(file, len(truth), 1 + len(meta["classes"]))
        scores = evaluate(meta, truth, columns)
    except ValueError as error:
        refuse(output_dir, str(error)[:300])
    (output_dir / "scores.json").write_text(json.dumps(scores) + "\n", encoding="ascii")
    print(scores)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
