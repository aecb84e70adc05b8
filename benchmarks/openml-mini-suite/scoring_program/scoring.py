"""Score the predictions of one fold.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/truth.parquet and ref/dataset.json, and
res/predictions.csv and res/metadata.json from the ingestion program.

``result`` is the first metric, negated where it is a loss: higher is always better.
"""

import csv
import json
import math
import sys
from pathlib import Path
from typing import NoReturn

import metrics
import numpy as np
import pyarrow.parquet as pq

LOSSES = frozenset({"logloss", "mae", "mse", "rmse"})
TIMES = ("training_duration", "predict_duration", "models_count")
MAX_BYTES = 2**28


def refuse(output_dir: Path, message: str) -> NoReturn:
    """End without scores: pullbench shows participants rejected.txt, Codabench the log."""
    (output_dir / "rejected.txt").write_text(message + "\n", encoding="utf-8")
    sys.exit(message)


def read_columns(file: Path, rows: int) -> dict[str, list[str]]:
    if file.is_symlink() or not file.is_file():
        raise ValueError("the file predictions.csv is missing")
    if file.stat().st_size > MAX_BYTES:
        raise ValueError("predictions.csv is larger than 256 MiB")
    with file.open(encoding="utf-8", newline="") as text:
        header, *lines = csv.reader(text)
    if len(lines) != rows:
        raise ValueError(f"predictions.csv has {len(lines)} rows for {rows} test rows")
    if "predictions" not in header or any(len(line) != len(header) for line in lines):
        raise ValueError("predictions.csv has no column 'predictions', or rows of other lengths")
    return dict(zip(header, map(list, zip(*lines, strict=True)), strict=True))


def numbers(values: list[str], name: str) -> np.ndarray:
    found = np.asarray([float(value) for value in values])
    if not np.isfinite(found).all():
        raise ValueError(f"column '{name[:60]}' holds what is no finite number")
    return found


def evaluate(meta: dict, truth: list, columns: dict[str, list[str]]) -> dict[str, float]:
    classes = [str(label) for label in meta["classes"]]
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


def read_times(file: Path) -> dict[str, float]:
    """Return what the ingestion program measured; a participant's code may have written it."""
    try:
        if file.is_symlink() or file.stat().st_size > 2**20:
            return {}
        said = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return {
        key: float(value)
        for key in TIMES
        if isinstance(said, dict)
        and isinstance(value := said.get(key), int | float)
        and math.isfinite(value)
    }


def main(input_dir: Path, output_dir: Path) -> None:
    meta = json.loads((input_dir / "ref" / "dataset.json").read_text(encoding="utf-8"))
    truth = pq.read_table(input_dir / "ref" / "truth.parquet")["truth"].to_pylist()
    try:
        columns = read_columns(input_dir / "res" / "predictions.csv", len(truth))
        scores = evaluate(meta, truth, columns)
    except (ValueError, UnicodeDecodeError, csv.Error) as error:
        refuse(output_dir, str(error)[:300])
    scores = {**read_times(input_dir / "res" / "metadata.json"), **scores}
    (output_dir / "scores.json").write_text(json.dumps(scores) + "\n", encoding="ascii")
    print(scores)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
