"""The process in which a submitted model trains, or predicts.

Usage: half.py train|predict INPUT SUBMISSION WORK PIPE. ``ingestion.py`` starts it, and ends it.
"""

import csv
import json
import os
import sys
from pathlib import Path


def read_table(path: Path, schema: dict[str, str]) -> dict[str, list]:
    """Column -> values: floats for ``num``, with NaN for none; text, as it stands, for all else."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        names = next(rows)
        columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    for name, values in columns.items():
        if schema[name] == "num":
            columns[name] = [float(value) if value else float("nan") for value in values]
    return columns


def read_labels(path: Path) -> list[int]:
    header, *lines = path.read_text(encoding="ascii").splitlines()
    if header != "label":
        raise ValueError(f"{path.name}: the header is {header!r}, not 'label'")
    return [int(line) for line in lines]


def train(model: object, table: dict, work: Path, labels: list[int]) -> None:
    model.train(table, labels)
    model.save(str(work / "model"))


def predict(model: object, table: dict, work: Path) -> None:
    model.load(str(work / "model"))
    scores = [float(score) for score in model.predict(table)]
    # repr keeps every bit, and also writes nan and inf, which the scoring program refuses by row.
    text = "prediction\n" + "".join(f"{score!r}\n" for score in scores)
    (work / "predictions.csv").write_text(text, encoding="ascii")


def main(verb: str, input_dir: Path, submission_dir: Path, work: Path, pipe: int) -> None:
    # Whatever the model starts, the process that keeps the time comes first.
    os.nice(5)
    os.set_inheritable(pipe, False)
    sys.dont_write_bytecode = True
    info = json.loads((input_dir / "info.json").read_text(encoding="utf-8"))
    schema = info["schema"]
    if verb == "train":
        table = read_table(input_dir / "train.data", schema)
        labels = read_labels(input_dir / "train.solution")
    else:
        table = read_table(input_dir / "test.data", schema)
    sys.path[0] = str(submission_dir)
    from model import Model

    model = Model(info)
    os.write(pipe, b"ready\n")
    if verb == "train":
        train(model, table, work, labels)
    else:
        predict(model, table, work)
    os.write(pipe, b"done\n")


if __name__ == "__main__":
    main(sys.argv[1], *map(Path, sys.argv[2:5]), int(sys.argv[5]))
