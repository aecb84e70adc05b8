"""What may be known of folds whose data are not in git: ``folds.json`` of a bundle, by task.

Tools that read results ask for it where nobody has the data: names, numbers, seeds, no data.
"""

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.table_folds import DATASET, ROWS, FoldError, description

FILE = "folds.json"
_PUBLIC = ("name", "id", "constraint", "openml_task_id", "fold", "type", "metrics", "seed")
"""Keys of dataset.json that are told; columns and classes are data."""
_MAX_BYTES = 2**26


def of_task(inputs: Path, reference: Path) -> list[dict[str, Any]]:
    """Return what may be known of a task's folds, in the order of its repeats.

    ``inputs`` and ``reference`` are its folders of data: files of each repeat, or one table.
    """
    folds: list[dict[str, Any]] = []
    shared = _read(reference / DATASET)
    while True:
        repeat = str(len(folds))
        if (inputs / repeat / DATASET).is_file():
            described: Mapping[str, Any] = _read(inputs / repeat / DATASET)
        elif (reference / repeat / ROWS).is_file():
            described = shared
            with contextlib.suppress(FoldError):
                described = description(shared, _read(reference / repeat / ROWS))
        else:
            return folds
        folds.append({key: described[key] for key in _PUBLIC if key in described})


def of_repeat(stored: Mapping[str, Any], folder: str, repeat: int) -> dict[str, Any]:
    """Return what folds.json says of a repeat of the task whose data lie in ``folder``."""
    folds = stored.get(folder.rstrip("/").rpartition("/")[2])
    fold = folds[repeat] if isinstance(folds, list) and repeat < len(folds) else {}
    return fold if isinstance(fold, dict) else {}


def _read(file: Path) -> dict[str, Any]:
    read = read_json(file.read_bytes(), max_bytes=_MAX_BYTES) if file.is_file() else {}
    return read if isinstance(read, dict) else {}
