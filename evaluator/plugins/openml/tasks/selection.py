"""A suite or a task of a server -> its tasks, checked, those alone that are asked for."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.core.errors import Actor, PullbenchError, UsageError
from evaluator.core.formats.quantities import slug
from evaluator.plugins.openml.tasks.client import Client
from evaluator.plugins.openml.tasks.fetching import FetchedTask, fetch_tasks
from evaluator.plugins.openml.tasks.source import TYPES, Source, parse_filter

MOST_TASKS = 500
"""That a filter may select."""
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
    if source.kind == "filter":
        tell(f"{client.server} is asked for {source}")
        numbers = task_numbers(source, client)
        tell(f"{len(numbers)} tasks: {', '.join(f't/{number}' for number in numbers)}")
        text = f"Tasks of OpenML that {source} selected."
        return f"OpenML {source}", text, numbers
    tell(f"{client.server} is asked for suite {source}")
    suite = client.ask("suite", source.key)
    if not suite["tasks"]:
        raise PullbenchError(f"suite {source} has no tasks")
    first = " ".join(str(suite["description"]).split())
    return str(suite["name"]), first[:200] or f"Suite {source} of OpenML.", suite["tasks"]


def task_numbers(source: Source, client: Client) -> list[int]:
    """Return the numbers of a source's tasks. Raises PullbenchError, PlatformError."""
    if source.kind == "task":
        return [int(source.key)]
    if source.kind == "filter":
        return [int(row["tid"]) for row in selected_tasks(source, client)]
    numbers: list[int] = client.ask("suite", source.key)["tasks"]
    return numbers


def selected_tasks(source: Source, client: Client) -> list[Mapping[str, Any]]:
    """Return what a server lists of the tasks of a filter, by their numbers.

    Raises PullbenchError where there is none, or more than ``MOST_TASKS``; PlatformError.
    """
    wanted = parse_filter(str(source.key))
    rows = client.ask("tasks", {"type": TYPES[wanted.type], "options": wanted.options})
    procedures = sorted({str(row.get("estimation_procedure")) for row in rows})
    rows = [row for row in rows if wanted.procedure in ("", row.get("estimation_procedure"))]
    if not rows:
        others = f"There is {', '.join(procedures[:10])}." if procedures else ""
        raise PullbenchError(
            f"{client.server} has no tasks that {source} selects",
            hint=others or "Ask for less.", actor=Actor.ORGANISER,
        )  # fmt: skip
    if len(rows) > MOST_TASKS:
        raise PullbenchError(
            f"{source} selects {len(rows):,} tasks; at most {MOST_TASKS} are taken",
            hint="Add keys, such as procedure=, which have one task for each data set.",
            actor=Actor.ORGANISER,
        )
    return sorted(rows, key=lambda row: int(row["tid"]))


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
