"""What may be known of folds whose data are not in git: ``folds.json`` of a bundle, by task.

Tools that read results ask for it where nobody has the data: names, numbers, seeds, no data.
"""

import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluator.core.errors import UsageError
from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.table_folds import DATASET, ROWS, FoldError, description
from evaluator.importing.placing import PARTS, BundleData, DataPlace

LARGE = 32 * 2**20
"""Bytes of data from which on they go below the data folder, not into git."""


FILE = "folds.json"
_PUBLIC = ("name", "id", "constraint", "openml_task_id", "fold", "type", "metrics", "seed")
"""Keys of dataset.json that are told; columns and classes are data."""
_MAX_BYTES = 2**26


def fold_facts(inputs: Path, reference: Path) -> list[dict[str, Any]]:
    """What may be known of folds, from folders of each repeat or from one table."""
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


def stored_facts(stored: Mapping[str, Any], folder: str, repeat: int) -> dict[str, Any]:
    """What folds.json says of a repeat of the task whose data lie in ``folder``."""
    folds = stored.get(folder.rstrip("/").rpartition("/")[2])
    fold = folds[repeat] if isinstance(folds, list) and repeat < len(folds) else {}
    return fold if isinstance(fold, dict) else {}


def _read(file: Path) -> dict[str, Any]:
    read = read_json(file.read_bytes(), max_bytes=_MAX_BYTES) if file.is_file() else {}
    return read if isinstance(read, dict) else {}


def pin_data(
    bundle: Path, name: str, slugs: Sequence[str], place: DataPlace, *, private: bool | None
) -> BundleData:
    """Pin data that are ``private``, or too large for git; what may be known of folds stays."""
    files = [path for part in PARTS for path in (bundle / part).rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    if not (size > LARGE if private is None else private):
        return BundleData(bytes=size)
    if place.folder is None:
        raise UsageError(
            f"{size:,} bytes of data are too many for git, and there is no data folder",
            hint="Set [tool.pullbench] data, or take fewer tasks or folds.",
        )
    pins = tuple(
        {"task": index, "file": part, "path": f"{name}/{part}/{slug}",
         "sha256": place.digest(bundle / part / slug)}
        for index, slug in enumerate(slugs)
        for part in PARTS
        if (bundle / part / slug).is_dir()
    )  # fmt: skip
    inputs, reference = (bundle / part for part in PARTS)
    folds = {slug: fold_facts(inputs / slug, reference / slug) for slug in slugs}
    text = json.dumps({slug: told for slug, told in folds.items() if told}, indent=1)
    (bundle / FILE).write_text(f"{text}\n", encoding="utf-8")
    return BundleData(bytes=size, pins=pins)
