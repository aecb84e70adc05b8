"""Compare predicted labels with the true ones.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/test_label.tsv, and res/predictions and
res/end.yaml from the ingestion program.
"""

import json
import sys
from pathlib import Path
from typing import Any


class RejectedError(Exception):
    """What is wrong with the predictions, for the participant."""


def read_end(path: Path) -> dict[str, Any]:
    """Read how the submission ended; each line of end.yaml is a key and a JSON value."""
    try:
        pairs = [line.partition(": ") for line in path.read_text(encoding="ascii").splitlines()]
        end = {key: json.loads(value) for key, _, value in pairs}
        status, message = end["status"], end["message"]
    except (OSError, ValueError, KeyError):
        raise RejectedError(
            "end.yaml is missing: the ingestion program did not finish. Submit code, not results"
        ) from None
    if status != "success":
        raise RejectedError(message or status)
    return end


def read_predictions(path: Path, rows: int, classes: int) -> list[int]:
    """Read the column ``label``, one line for each line of test_node_id.txt."""
    try:
        header, *lines = path.read_text(encoding="ascii").splitlines()
    except OSError:
        raise RejectedError("the file 'predictions' is missing") from None
    except ValueError:
        raise RejectedError("the file 'predictions' is empty, or no plain text") from None
    if header != "label":
        raise RejectedError(f"predictions: the header is {header[:60]!r}, not 'label'")
    if len(lines) != rows:
        raise RejectedError(f"predictions: {len(lines)} labels for {rows} test nodes")
    labels = []
    for number, line in enumerate(lines, start=2):
        try:
            label = int(line)
        except ValueError:
            raise RejectedError(
                f"predictions, line {number}: {line[:60]!r} is not an integer label"
            ) from None
        if not 0 <= label < classes:
            raise RejectedError(
                f"predictions, line {number}: label {label} is none of 0 to {classes - 1}"
            )
        labels.append(label)
    return labels


def read_truth(path: Path) -> dict[str, int]:
    """Read the label of each test node, in the order of test_node_id.txt."""
    _, *lines = path.read_text(encoding="ascii").splitlines()
    pairs = (line.split("\t") for line in lines)
    return {node: int(label) for node, label in pairs}


def accuracy(true: list[int], predicted: list[int]) -> float:
    return sum(t == p for t, p in zip(true, predicted, strict=True)) / len(true)


def balanced_accuracy(true: list[int], predicted: list[int]) -> float:
    """Mean over the classes that occur of the share of their nodes with the right label."""
    recalls = []
    for label in sorted(set(true)):
        of_label = [p for t, p in zip(true, predicted, strict=True) if t == label]
        recalls.append(of_label.count(label) / len(of_label))
    return sum(recalls) / len(recalls)


def main(input_dir: Path, output_dir: Path) -> None:
    truth = read_truth(input_dir / "ref" / "test_label.tsv")
    true = list(truth.values())
    try:
        end = read_end(input_dir / "res" / "end.yaml")
        predicted = read_predictions(
            input_dir / "res" / "predictions", len(true), int(end["n_class"])
        )
    except RejectedError as error:
        # pullbench shows participants rejected.txt, Codabench the log.
        (output_dir / "rejected.txt").write_text(f"{error}\n", encoding="utf-8")
        sys.exit(str(error))
    samples = [
        {"id": node, "scores": {"accuracy": int(t == p)}, "texts": {"prediction": str(p)}}
        for (node, t), p in zip(truth.items(), predicted, strict=True)
    ]
    lines = "".join(json.dumps(sample) + "\n" for sample in samples)
    (output_dir / "samples.jsonl").write_text(lines, encoding="ascii")
    scores = {
        "accuracy": accuracy(true, predicted),
        "balanced_accuracy": balanced_accuracy(true, predicted),
        "duration_seconds": end["ingestion_duration"],
        "time_budget_seconds": end["time_budget"],
    }
    (output_dir / "scores.json").write_text(json.dumps(scores) + "\n", encoding="ascii")
    print(scores)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
