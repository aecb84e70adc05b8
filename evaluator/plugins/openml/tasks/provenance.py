"""Provenance of a bundle's data and splits, with their digests."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluator.core.errors import PullbenchError
from evaluator.core.formats.json_reader import read_json
from evaluator.plugins.openml.tasks.fetching import FetchedTask

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
    (bundle / FILE).write_text(json.dumps(content, indent=1) + "\n", encoding="ascii")


def changes(target: Path, content: Mapping[str, Any]) -> Iterator[str]:
    """Yield in words which tasks a source has now that a benchmark made of it has not, and back."""
    former = _former(target)
    if former is None or any(former.get(key) != content[key] for key in ("server", "source")):
        return
    before, now = (
        {item["task"] for item in version["tasks"].values()} for version in (former, content)
    )
    for tasks, words in ((now - before, "are new"), (before - now, "are no longer among them")):
        if tasks:
            names = ", ".join(f"t/{task}" for task in sorted(tasks))
            yield f"since benchmarks/{target.name} was made, {names} {words}"


def _former(target: Path) -> Mapping[str, Any] | None:
    """Return what a benchmark says of its tasks; None where it says nothing that can be read."""
    try:
        former = read_json((target / FILE).read_bytes(), max_bytes=2**24)
        tasks: Mapping[str, Any] = former["tasks"]
        if not all(isinstance(item["task"], int) for item in tasks.values()):
            return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    content: Mapping[str, Any] = former
    return content


def refuse_changed(target: Path, content: Mapping[str, Any]) -> None:
    """Raise PullbenchError where a server changed splits or data under the same number."""
    former = _former(target)
    if former is None or former.get("server") != content["server"]:
        return
    former_tasks = {item["task"]: item for item in former["tasks"].values()}
    for item in content["tasks"].values():
        old = former_tasks.get(item["task"], item)
        for key, word in (("splits_sha256", "splits"), ("data_sha256", "data")):
            if old[key] != item[key]:
                raise PullbenchError(
                    f"the {word} of t/{item['task']} are no longer those of "
                    f"benchmarks/{target.name}: {item[key][:12]}, not {old[key][:12]}",
                    hint="Import under another --name: scores on both cannot be compared.",
                )
