"""A suite or a task of a server -> its tasks, checked, those alone that are asked for."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.errors import PullbenchError, UsageError
from evaluator.formats.quantities import slug
from evaluator.importers.openml.client import Client
from evaluator.importers.openml.fetching import FetchedTask, fetch_tasks
from evaluator.importers.openml.source import Source

_NUMBER = re.compile(r"(?:t/)?(\d+)")


@dataclass(frozen=True, kw_only=True)
class Selection:
    """What a server says."""

    title: str
    description: str
    tasks: Sequence[FetchedTask]
    """In the order of the suite."""


def select_tasks(
    source: Source, client: Client, cache: Path, wanted: Collection[str],
    tell: Callable[[str], None],
) -> Selection:  # fmt: skip
    """Fetch the tasks: all, or those wanted by number (``3``, ``t/3``) or name of the data set.

    Raises UsageError, PullbenchError, InvalidInputError, PlatformError.
    """
    title, description, numbers = _listed(source, client, tell)
    by_number = {str(number): number for number in numbers}
    given = {text: match[1] for text in wanted if (match := _NUMBER.fullmatch(text))}
    if len(given) == len(set(wanted)) and set(given.values()) <= set(by_number):
        # Nobody waits for the data of tasks that were not asked for.
        numbers = [number for number in numbers if str(number) in given.values()] or numbers
    tasks = fetch_tasks(client, numbers, cache, tell=tell)
    return Selection(title=title, description=description, tasks=_chosen(tasks, wanted))


def _listed(
    source: Source, client: Client, tell: Callable[[str], None]
) -> tuple[str, str, list[int]]:
    if source.kind == "task":
        return f"OpenML task {source.key}", f"Task {source.key} of OpenML.", [int(source.key)]
    tell(f"{client.server} is asked for suite {source}")
    suite = client.ask("suite", source.key)
    if not suite["tasks"]:
        raise PullbenchError(f"suite {source} has no tasks")
    first = " ".join(str(suite["description"]).split())
    return str(suite["name"]), first[:200] or f"Suite {source} of OpenML.", suite["tasks"]


def _chosen(tasks: list[FetchedTask], wanted: Collection[str]) -> list[FetchedTask]:
    if not wanted:
        return tasks
    names = {
        name.lower(): task
        for task in tasks
        for name in (str(task.id), f"t/{task.id}", str(task.dataset["name"]))
    }
    unknown = [text for text in wanted if text.lower() not in names]
    if unknown:
        raise UsageError(f"the suite has no task '{unknown[0]}'", hint="`suite show` lists them.")
    picked = {names[text.lower()].id for text in wanted}
    return [task for task in tasks if task.id in picked]


def task_names(tasks: Sequence[FetchedTask]) -> list[str]:
    """Return a folder's name for each task: that of its data set, unless two share it."""
    names = [slug(str(task.dataset["name"])) or f"task-{task.id}" for task in tasks]
    return [
        name if names.count(name) == 1 else f"{name}-t{task.id}"
        for name, task in zip(names, tasks, strict=True)
    ]
