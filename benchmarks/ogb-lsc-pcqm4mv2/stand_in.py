"""Write a generated data set: the truth for scoring, and what participants predict from."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True, kw_only=True)
class StandIn:
    """A generated data set of OGB-LSC's size."""

    name: str
    """Of the bundle."""
    task: dict[str, Any]
    """task.json without mode and rows."""
    truth: dict[str, np.ndarray]
    """By mode: train, valid and the modes of the test. Whole numbers, as they are stored."""
    inputs: dict[str, np.ndarray]
    """By mode, what is predicted from."""


def write(data: StandIn, arguments: list[str], bundle: Path) -> None:
    """Do what the arguments ask for.

    Without any, write reference_data/test-dev; with ``--private FOLDER``, the reference data of
    the other modes of the test into a runner's data folder; with ``--inputs FOLDER``, what
    participants are given: inputs of every mode, and the truth of train and valid.
    """
    if not arguments:
        _reference(data, "test-dev", bundle / "reference_data" / "test-dev")
    elif len(arguments) == 2 and arguments[0] == "--private":
        for mode in data.truth.keys() - {"train", "valid", "test-dev"}:
            _reference(data, mode, Path(arguments[1]) / data.name / mode)
    elif len(arguments) == 2 and arguments[0] == "--inputs":
        for mode, array in data.inputs.items():
            save(Path(arguments[1]) / f"{mode}.npy", array)
        for mode in ("train", "valid"):
            save(Path(arguments[1]) / f"{mode}_truth.npy", data.truth[mode])
    else:
        raise SystemExit("usage: make_data.py [--private FOLDER | --inputs FOLDER]")


def _reference(data: StandIn, mode: str, folder: Path) -> None:
    rows = {name: len(array) for name, array in data.truth.items() if name != "train"}
    for name in (mode, "valid"):
        save(folder / f"{name}.npy", data.truth[name])
    task = {**data.task, "mode": mode, "rows": rows}
    (folder / "task.json").write_text(json.dumps(task, indent=2) + "\n", encoding="ascii")


def save(path: Path, array: np.ndarray) -> None:
    """Write an array; the same one gives the same bytes, as a pinned digest asks for."""
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, array, allow_pickle=False)
