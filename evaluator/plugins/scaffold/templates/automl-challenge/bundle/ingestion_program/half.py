"""The process in which a submitted model trains, or predicts.

Usage: half.py train|predict WORK SUBMISSION PIPE HIDDEN. WORK has info.json, model/ and data/.
``ingestion.py`` starts it, and ends it. It says whether the folder HIDDEN is ('hidden' or 'open'),
and then 'ready' when the model is made, waits for a line until its data are there, and says 'done'.
"""

import csv
import itertools
import json
import os
import sys
from pathlib import Path

from hiding import hide

MAX_STAGES = 100


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


def train(model: object, schema: dict[str, str], work: Path) -> None:
    table = read_table(work / "data" / "train.data", schema)
    model.train(table, read_labels(work / "data" / "train.solution"))
    model.save(str(work / "model"))


def predict(model: object, schema: dict[str, str], work: Path) -> None:
    model.load(str(work / "model"))
    table = read_table(work / "data" / "test.data", schema)
    # repr keeps every bit, and also writes nan and inf, which the scoring program refuses by row.
    text = "prediction\n" + "".join(f"{float(score)!r}\n" for score in model.predict(table))
    (work / "predictions.csv").write_text(text, encoding="ascii")
    if hasattr(model, "staged_predict"):
        stages = itertools.islice(model.staged_predict(table), MAX_STAGES)
        lines = (",".join(repr(float(score)) for score in stage) + "\n" for stage in stages)
        (work / "stages.csv").write_text("".join(lines), encoding="ascii")


def main(verb: str, work: Path, submission: Path, pipe: int, hidden: Path) -> None:
    # Whatever the model starts, the process that keeps the time comes first.
    os.nice(5)
    os.set_inheritable(pipe, False)
    sys.dont_write_bytecode = True
    info = json.loads((work / "info.json").read_text(encoding="utf-8"))
    schema = dict(info["schema"])
    os.write(pipe, b"hidden\n" if hide(hidden) else b"open\n")
    sys.path[0] = str(submission)
    from model import Model

    model = Model(info)
    os.write(pipe, b"ready\n")
    sys.stdin.readline()
    if verb == "train":
        train(model, schema, work)
    else:
        predict(model, schema, work)
    os.write(pipe, b"done\n")


if __name__ == "__main__":
    main(sys.argv[1], *map(Path, sys.argv[2:4]), int(sys.argv[4]), Path(sys.argv[5]))
