"""Compare predictions with the labels of one half of the rows.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/ (labels) and res/ (the entry). What this says
must not tell labels: there is one sentence for all that can be wrong.
"""

import csv
import json
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

ID, TARGET, METRIC = "id", "digit", "accuracy"
MAX_BYTES = 2**28
Values = Sequence[str]


def accuracy(true: Values, predicted: Values) -> float:
    return sum(a == b for a, b in zip(true, predicted, strict=True)) / len(true)


def balanced_accuracy(true: Values, predicted: Values) -> float:
    """Mean over classes of the share of their rows that are right."""
    pairs = [*zip(true, predicted, strict=True)]
    classes = sorted(set(true))
    hits = [[a == b for a, b in pairs if a == label] for label in classes]
    return math.fsum(sum(of) / len(of) for of in hits) / len(classes)


def f1_macro(true: Values, predicted: Values) -> float:
    """Mean over all classes, true or predicted, of the harmonic mean of precision and recall."""
    pairs = [*zip(true, predicted, strict=True)]
    classes = sorted({*true, *predicted})
    values = []
    for label in classes:
        both = sum(a == b == label for a, b in pairs)
        either = sum((a == label) + (b == label) for a, b in pairs)
        values.append(2 * both / either)
    return math.fsum(values) / len(classes)


def _numbers(values: Values) -> list[float]:
    numbers = [float(value) for value in values]
    if not all(map(math.isfinite, numbers)):
        raise ValueError("a prediction is no finite number")
    return numbers


def _differences(true: Values, predicted: Values) -> list[float]:
    return [a - b for a, b in zip(_numbers(true), _numbers(predicted), strict=True)]


def mean_absolute_error(true: Values, predicted: Values) -> float:
    return math.fsum(map(abs, _differences(true, predicted))) / len(true)


def root_mean_squared_error(true: Values, predicted: Values) -> float:
    return math.sqrt(math.fsum(d * d for d in _differences(true, predicted)) / len(true))


def r2(true: Values, predicted: Values) -> float:
    numbers = _numbers(true)
    mean = math.fsum(numbers) / len(numbers)
    spread = math.fsum((value - mean) ** 2 for value in numbers)
    return 1 - math.fsum(d * d for d in _differences(true, predicted)) / spread


METRICS: dict[str, Callable[[Values, Values], float]] = {
    metric.__name__: metric
    for metric in (accuracy, balanced_accuracy, f1_macro, mean_absolute_error,
                   root_mean_squared_error, r2)
}  # fmt: skip


def read(path: Path) -> dict[str, str]:
    if path.stat().st_size > MAX_BYTES:
        raise ValueError("it is too large")
    with path.open(newline="", encoding="utf-8") as file:
        return {row[ID]: row[TARGET] for row in csv.DictReader(file)}


def main(input_dir: Path, output_dir: Path) -> None:
    true = read(input_dir / "ref" / "labels.csv")
    try:
        given = read(input_dir / "res" / "predictions.csv")
        value = METRICS[METRIC]([*true.values()], [given[key] for key in true])
    except (OSError, ValueError, KeyError, TypeError, OverflowError, csv.Error):
        message = "predictions.csv has no usable prediction for each row"
        (output_dir / "rejected.txt").write_text(message + "\n")
        sys.exit(message)
    (output_dir / "scores.json").write_text(json.dumps({METRIC: value}) + "\n")


main(*map(Path, sys.argv[1:3]))
