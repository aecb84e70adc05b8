"""Score predictions in OGB's files, and recompute the validation score where its file is there.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/ (task.json and the truth) and res/ (the
submission).
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import NoReturn

import numpy as np
from archive import RefusedError, read_array
from checks import faults
from metrics import METRICS
from task import VALID, Task, read_task, read_truth


def read_predictions(folder: Path, task: Task) -> tuple[dict[str, np.ndarray], list[str]]:
    """Return the arrays by mode and every problem, so that one try shows them all."""
    names = {task.file(mode): mode for mode in (task.mode, VALID)}
    arrays: dict[str, np.ndarray] = {}
    problems = [*_wrong_names(folder, task, set(names))]
    for name, mode in names.items():
        path = folder / name
        if not path.is_file():
            continue
        try:
            array = read_array(path, task.key, task.dtype, task.shape(mode), task.rows)
        except RefusedError as error:
            problems.append(f"{name} {error}")
            continue
        found = [f"{name}: {fault}" for fault in faults(array, task.low, task.high)]
        problems += found
        if not found:
            arrays[mode] = array
    return arrays, problems


def _wrong_names(folder: Path, task: Task, wanted: set[str]) -> list[str]:
    """Say which files are not what the phase takes: none is passed over in silence."""
    given = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    problems = []
    if not (folder / task.file(task.mode)).is_file():
        problems.append(f"the file {task.file(task.mode)} is missing; its name is ogb's own")
    others = {task.file(mode): mode for mode in task.rows}
    for name in given:
        if name in wanted or not name.endswith((".npz", ".npy", ".pkl", ".pt")):
            continue
        if task.is_of_another_seed(name):
            continue
        if name in others:
            problems.append(f"{name} belongs to {others[name]}; this phase takes {task.mode}")
        else:
            problems.append(f"{name[:80]} is not a file of this phase; rename or remove it")
    return problems


def digest(array: np.ndarray) -> int:
    """Return 52 bits of the SHA-256 of the values, which equal predictions share."""
    return int(hashlib.sha256(np.ascontiguousarray(array)).hexdigest()[:13], 16)


def refuse(output_dir: Path, message: str) -> NoReturn:
    """End without scores: pullbench shows participants rejected.txt, Codabench the log."""
    (output_dir / "rejected.txt").write_text(message + "\n", encoding="utf-8")
    sys.exit(message)


def main(input_dir: Path, output_dir: Path) -> None:
    """Write scores.json, or rejected.txt."""
    reference = input_dir / "ref"
    task = read_task(reference)
    arrays, problems = read_predictions(input_dir / "res", task)
    if problems:
        refuse(output_dir, "\n".join(problems))
    metric = METRICS[task.metric]
    scores: dict[str, float] = {}
    for mode, array in arrays.items():
        column = "validation" if mode == VALID else task.metric
        scores[column] = metric(array, read_truth(reference, task, mode))
    scores["predictions_digest"] = digest(arrays[task.mode])
    (output_dir / "scores.json").write_text(json.dumps(scores) + "\n", encoding="ascii")
    print(scores)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
