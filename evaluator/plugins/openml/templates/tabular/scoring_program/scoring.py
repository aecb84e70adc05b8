"""Score the predictions of one fold.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/truth.parquet and ref/dataset.json, and
res/predictions.csv from the ingestion program. What that says of its own times is no score: the
participant's code may have written it. The record has those that the worker measured.

``result`` is the first metric, negated where it is a loss: higher is always better.
samples.jsonl has the rows of the fold; pullbench keeps it if the bundle asks for samples.
"""

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import metrics
import numpy as np
import pyarrow.parquet as pq
from predictions import Predictions, RejectedError, read_predictions

MAX_SAMPLES = 100_000
"""Of larger folds none are written."""


def evaluate(meta: dict, truth: dict[str, np.ndarray], found: Predictions) -> dict[str, float]:
    """Return ``result`` and each metric that can be computed."""
    labels = [str(label) for label in meta.get("classes") or []]
    series: dict[str, object] = {}
    if meta["type"] == "timeseries":
        series = {
            "item_ids": truth["repeated_item_id"],
            "seasonal_errors": truth["repeated_abs_seasonal_error"],
        }
        if found.quantiles is not None:
            series |= {"quantiles": found.quantiles, "levels": meta["quantile_levels"]}
    answers = metrics.make_answers(
        truth["truth"], found.predictions, found.probabilities, labels, **series
    )
    scores: dict[str, float] = {}
    for place, metric in enumerate(meta["metrics"]):
        outcome = metrics.evaluate(metric, answers)
        if math.isfinite(outcome.value):
            scores[metric] = outcome.value
        elif place == 0:
            raise RejectedError(outcome.message or f"'{metric}' is not a finite number")
        else:
            print(outcome.message)
    first = meta["metrics"][0]
    return {"result": metrics.result_of(first, scores[first])[1], **scores}


def samples(meta: dict, truth: np.ndarray, said: np.ndarray) -> Iterator[dict]:
    """Yield for each row whether its class is right, or by how much its number is wrong."""
    is_class = meta["type"] in ("binary", "multiclass")
    key = "acc" if is_class else "mae"
    if key not in meta["metrics"] or meta["type"] == "timeseries" or len(said) > MAX_SAMPLES:
        return
    for row, (true, given) in enumerate(zip(truth.tolist(), said.tolist(), strict=True)):
        score = int(true == given) if is_class else abs(given - true)
        text = str(given)[:500] if is_class else f"{given:.6g}"
        text = "".join(sign if sign.isprintable() else "\ufffd" for sign in text)
        yield {"id": f"{row:06}", "scores": {key: score}, "texts": {"prediction": text}}


def read_truth(folder: Path, meta: dict) -> dict[str, np.ndarray]:
    table = pq.read_table(folder / "truth.parquet")
    found = {name: np.asarray(table[name].to_pylist()) for name in table.column_names}
    if meta["type"] in ("binary", "multiclass"):
        found["truth"] = np.asarray([str(v) for v in table["truth"].to_pylist()], dtype=object)
    return found


def main(input_dir: Path, output: Path) -> None:
    reference = input_dir / "ref"
    meta = json.loads((reference / "dataset.json").read_text(encoding="utf-8"))
    truth = read_truth(reference, meta)
    try:
        found = read_predictions(input_dir / "res" / "predictions.csv", meta, len(truth["truth"]))
        scores = evaluate(meta, truth, found)
    except RejectedError as error:
        # pullbench shows participants rejected.txt, Codabench the log.
        (output / "rejected.txt").write_text(f"{error}\n", encoding="utf-8")
        sys.exit(str(error))
    (output / "scores.json").write_text(json.dumps(scores) + "\n", encoding="ascii")
    lines = [json.dumps(one) for one in samples(meta, truth["truth"], found.predictions)]
    if lines:
        text = "\n".join(lines)
        (output / "samples.jsonl").write_text(f"{text}\n", encoding="ascii")
    print(scores)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main(*map(Path, sys.argv[1:3]))
