"""Compare predicted labels with the true ones.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/y_test.csv and res/y_pred.csv.
"""

import json
import sys
from pathlib import Path
from typing import NoReturn


def read_labels(path: Path) -> list[int]:
    header, *lines = path.read_text(encoding="ascii").splitlines()
    if header != "label":
        sys.exit(f"{path.name}: the header is {header!r}, not 'label'")
    return [int(line) for line in lines]


def accuracy(true: list[int], predicted: list[int]) -> float:
    return sum(t == p for t, p in zip(true, predicted, strict=True)) / len(true)


def balanced_accuracy(true: list[int], predicted: list[int]) -> float:
    recalls = []
    for label in sorted(set(true)):
        of_label = [p for t, p in zip(true, predicted, strict=True) if t == label]
        recalls.append(of_label.count(label) / len(of_label))
    return sum(recalls) / len(recalls)


def refuse(output_dir: Path, message: str) -> NoReturn:
    """End without scores: pullbench shows participants rejected.txt, Codabench the log."""
    (output_dir / "rejected.txt").write_text(message + "\n", encoding="utf-8")
    sys.exit(message)


def main(input_dir: Path, output_dir: Path) -> None:
    prediction_file = input_dir / "res" / "y_pred.csv"
    if not prediction_file.is_file():
        # Codabench scores a submission even after its prediction step has failed.
        refuse(output_dir, "y_pred.csv is missing: the prediction step did not finish")
    true = read_labels(input_dir / "ref" / "y_test.csv")
    predicted = read_labels(prediction_file)
    if len(predicted) != len(true):
        refuse(output_dir, f"y_pred.csv has {len(predicted)} labels for {len(true)} test rows")

    samples = [
        {"id": str(row), "scores": {"accuracy": int(t == p)}, "texts": {"prediction": str(p)}}
        for row, (t, p) in enumerate(zip(true, predicted, strict=True), start=1)
    ]
    lines = "".join(json.dumps(sample) + "\n" for sample in samples)
    (output_dir / "samples.jsonl").write_text(lines, encoding="ascii")
    scores = {
        "accuracy": accuracy(true, predicted),
        "balanced_accuracy": balanced_accuracy(true, predicted),
    }
    (output_dir / "scores.json").write_text(json.dumps(scores) + "\n", encoding="ascii")
    print(scores)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
