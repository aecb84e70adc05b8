"""Provenance of a bundle's data and splits, with their digests."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluator.errors import PullbenchError
from evaluator.formats.json_reader import read_json
from evaluator.importers.openml.fetching import FetchedTask

FILE = "openml.json"
_DATASET = ("id", "name", "version", "licence", "md5", "status", "format")


def provenance(server: str, source: str, tasks: Mapping[str, FetchedTask]) -> dict[str, Any]:
    """Return what ``openml.json`` holds; ``tasks`` are by the slug that they have in the bundle."""
    return {
        "server": server,
        "source": source,
        "tasks": {
            slug: {
                "task": task.id,
                "dataset": {key: task.dataset[key] for key in _DATASET},
                "procedure": task.about["procedure"],
                "parameters": task.about["parameters"],
                "folds": len(task.folds),
                "rows": task.rows,
                "data_sha256": task.data_sha256,
                "splits_sha256": task.splits_sha256,
            }
            for slug, task in tasks.items()
        },
    }


def write_provenance(bundle: Path, content: Mapping[str, Any]) -> None:
    """Write it into a bundle."""
    (bundle / FILE).write_text(json.dumps(content, indent=1) + "\n", encoding="ascii")


def refuse_changed(target: Path, content: Mapping[str, Any]) -> None:
    """Raise PullbenchError where a server changed splits or data under the same number."""
    file = target / FILE
    if not file.is_file():
        return
    try:
        former = read_json(file.read_bytes(), max_bytes=2**24)
        tasks: Mapping[str, Any] = former["tasks"]
        former_tasks = {item["task"]: item for item in tasks.values()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return
    if former.get("server") != content["server"]:
        return
    for item in content["tasks"].values():
        old = former_tasks.get(item["task"], item)
        for key, word in (("splits_sha256", "splits"), ("data_sha256", "data")):
            if old[key] != item[key]:
                raise PullbenchError(
                    f"the {word} of t/{item['task']} are no longer those of "
                    f"benchmarks/{target.name}: {item[key][:12]}, not {old[key][:12]}",
                    hint="Import under another --name: scores on both cannot be compared.",
                )
