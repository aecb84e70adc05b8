"""Area under the ROC curve of predicted scores, and its curve over the stages of a model.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/*.solution (one file) and res/ what the
ingestion program wrote. Needs the standard library alone.
"""

import json
import math
import sys
from pathlib import Path
from typing import NoReturn

SECONDS = [
    f"{half}_{what}"
    for half in ("training", "prediction")
    for what in ("seconds", "budget", "start_seconds")
]
MAX_STAGES = 100


def read_truth(folder: Path) -> list[bool]:
    """Labels of the test rows: 1 is positive, 0 and -1 are negative."""
    found = sorted(folder.glob("*.solution"))
    if len(found) != 1:
        sys.exit(f"the reference data hold {len(found)} files *.solution, not one")
    header, *lines = found[0].read_text(encoding="ascii").splitlines()
    if header != "label":
        sys.exit(f"the header of the reference data is {header!r}, not 'label'")
    truth = [int(line) == 1 for line in lines]
    if len(set(truth)) != 2:
        sys.exit("the reference data hold one class alone: there is no ROC curve")
    return truth


def read_predictions(path: Path, rows: int, output_dir: Path) -> list[float]:
    header, *lines = path.read_text(encoding="ascii", errors="replace").splitlines() or [""]
    if header != "prediction":
        refuse(output_dir, f"the header of the predictions is {header[:40]!r}, not 'prediction'")
    return to_values(lines, rows, "predict", output_dir)


def read_stages(path: Path, rows: int, output_dir: Path) -> list[list[float]]:
    """Predictions of each stage; none from a model without ``staged_predict``."""
    if not path.is_file():
        return []
    stages = path.read_text(encoding="ascii", errors="replace").splitlines()
    if len(stages) > MAX_STAGES:
        refuse(output_dir, f"there are {len(stages)} stages, more than {MAX_STAGES}")
    return [
        to_values(stage.split(","), rows, f"stage {number} of staged_predict", output_dir)
        for number, stage in enumerate(stages, start=1)
    ]


def to_values(texts: list[str], rows: int, source: str, output_dir: Path) -> list[float]:
    """Return a finite number for each test row, or refuse what ``source`` returned."""
    if len(texts) != rows:
        refuse(output_dir, f"{source} returned {len(texts)} values for {rows} test rows")
    values = []
    for number, text in enumerate(texts, start=1):
        try:
            value = float(text)
        except ValueError:
            refuse(output_dir, f"{source} returned {text[:40]!r} for row {number}, not a number")
        if not math.isfinite(value):
            refuse(output_dir, f"{source} returned {value} for row {number}, not a finite number")
        values.append(value)
    return values


def roc_auc(truth: list[bool], values: list[float]) -> float:
    """Chance that a positive stands above a negative; a tie counts half."""
    order = sorted(range(len(values)), key=values.__getitem__)
    doubled = 0  # twice the sum of the positives' ranks: whole numbers, hence exact
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        doubled += (start + end + 1) * sum(truth[place] for place in order[start:end])
        start = end
    positives = sum(truth)
    pairs = positives * (len(truth) - positives)
    return (doubled - positives * (positives + 1)) / (2 * pairs)


def refuse(output_dir: Path, message: str) -> NoReturn:
    """End without scores: pullbench shows participants rejected.txt, Codabench the log."""
    (output_dir / "rejected.txt").write_text(message + "\n", encoding="utf-8")
    sys.exit(message)


def main(input_dir: Path, output_dir: Path) -> None:
    truth = read_truth(input_dir / "ref")
    outcome_file = input_dir / "res" / "outcome.json"
    if not outcome_file.is_file():
        refuse(output_dir, "the prediction step did not come to its end")
    outcome = json.loads(outcome_file.read_text(encoding="ascii"))
    if outcome.get("organiser"):
        sys.exit(outcome["organiser"])
    if outcome["reason"]:
        refuse(output_dir, outcome["reason"])
    values = read_predictions(input_dir / "res" / "predictions.csv", len(truth), output_dir)
    stages = read_stages(input_dir / "res" / "stages.csv", len(truth), output_dir)
    if stages:
        series = {"x": [*range(1, len(stages) + 1)], "y": [roc_auc(truth, one) for one in stages]}
        curves = {"series": {"auc": series}, "x": "stage of the model", "y": "ROC AUC"}
        (output_dir / "curves.json").write_text(json.dumps(curves) + "\n", encoding="ascii")
    scores = {"auc": roc_auc(truth, values), **{key: outcome[key] for key in SECONDS}}
    (output_dir / "scores.json").write_text(json.dumps(scores) + "\n", encoding="ascii")
    print(scores)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
