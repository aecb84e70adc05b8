"""Suites and tasks of a server, as people write them (s/271, t/3, an alias, tasks:rows=500..)."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import click

from evaluator.core.errors import Actor, PullbenchError, UsageError
from evaluator.core.formats.paths import shown
from evaluator.core.formats.quantities import slug, to_bytes
from evaluator.plugins.openml.tasks.client import SERVER, OpenmlClient
from evaluator.plugins.openml.tasks.fetching import FetchedTask, fetch_tasks

PREFIX = "tasks:"
TYPES = {"classification": 1, "regression": 2}
_RANGES = {
    "rows": "number_instances", "features": "number_features", "classes": "number_classes",
    "missing": "number_missing_values",
}  # fmt: skip
_WORDS = {"tag": "tag", "data_tag": "data_tag", "name": "data_name", "status": "status"}
_STATUSES = ("active", "in_preparation", "deactivated", "all")
_RANGE = re.compile(r"(?P<least>\d{1,12})?(?P<dots>\.\.)?(?P<most>\d{1,12})?")
_WORD = re.compile(r"[\w.()+-]{1,128}")
_ENDLESS = 10**12


@dataclass(frozen=True, kw_only=True)
class TaskFilter:
    """What a server is asked for."""

    type: str = "classification"
    options: dict[str, str] = field(default_factory=dict)
    """As OpenML's API names them; ranges are written ``500..100000``."""
    procedure: str = ""
    """Name of the estimation procedure; the server cannot be asked for one."""


def parse_filter(text: str) -> TaskFilter:
    """Read ``tasks:KEY=VALUE,KEY=VALUE``. Raises UsageError."""
    kind, procedure = "classification", ""
    options: dict[str, str] = {}
    parts = [part.partition("=") for part in text.removeprefix(PREFIX).split(",") if part.strip()]
    names = [name.strip() for name, _, _ in parts]
    if len(set(names)) < len(names):
        raise UsageError(f"'{shown(text)}' has a key twice")
    for name, (_, _, written) in zip(names, parts, strict=True):
        value = written.strip()
        if name == "type" and value in TYPES:
            kind = value
        elif name == "procedure" and value:
            procedure = value
        elif name in _RANGES:
            options[_RANGES[name]] = _range(name, value)
        elif name in _WORDS and _WORD.fullmatch(value):
            if name == "status" and value not in _STATUSES:
                raise _fault("status", value, f"It is one of {', '.join(_STATUSES)}.")
            options[_WORDS[name]] = value
        else:
            raise _fault(name, value, _HELP)
    return TaskFilter(type=kind, options=options, procedure=procedure)


_HELP = (
    f"Keys are type ({' or '.join(TYPES)}), {', '.join(_RANGES)} (7, 500.., ..5000, 2..10), "
    f"{', '.join(_WORDS)} and procedure."
)


def _range(name: str, text: str) -> str:
    match = _RANGE.fullmatch(text)
    if match is None or not (match["least"] or match["most"]):
        raise _fault(name, text, "Write 7, 500.., ..5000 or 2..10.")
    if match["dots"] is None:
        return text
    least, most = int(match["least"] or 0), int(match["most"] or _ENDLESS)
    if least > most:
        raise _fault(name, text, "Nothing lies between.")
    return f"{least}..{most}"


def _fault(name: str, value: str, hint: str) -> UsageError:
    return UsageError(f"'{shown(name)}={shown(value)}' selects no tasks", hint=hint)


TEST_SERVER = "https://test.openml.org/api/v1/xml"
_NUMBERED = re.compile(r"(?:(?P<host>openml|test\.openml)/)?(?P<kind>[st])/(?P<number>\d+)")
_ALIAS = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,127}")


@dataclass(frozen=True, kw_only=True)
class TaskSource:
    """A suite, a task, or tasks by their properties."""

    kind: Literal["suite", "task", "filter"]
    key: int | str
    """Number, a suite's alias, or a filter as it is written."""
    server: str | None = None
    """Where the text names one."""

    def __str__(self) -> str:
        if isinstance(self.key, str):
            return self.key
        return f"{self.kind[0]}/{self.key}"


def parse_source(text: str) -> TaskSource:
    """Read an argument of the command line. Raises UsageError."""
    match = _NUMBERED.fullmatch(text)
    if match:
        hosts = {"openml": SERVER, "test.openml": TEST_SERVER, None: None}
        return TaskSource(
            kind="suite" if match["kind"] == "s" else "task",
            key=int(match["number"]),
            server=hosts[match["host"]],
        )
    if text.startswith(PREFIX):
        parse_filter(text)
        return TaskSource(kind="filter", key=text)
    if not _ALIAS.fullmatch(text) or text.isdecimal():
        raise UsageError(
            f"'{text}' is neither a suite nor a task",
            hint="Write s/271 for a suite, t/3 for a task, a suite's alias, or tasks:KEY=VALUE,… "
            "for tasks by their properties.",
        )
    return TaskSource(kind="suite", key=text)


server_option = click.option(
    "--server", metavar="URL",
    help=f"API of another server than {SERVER}, such as https://test.openml.org/api/v1/xml.",
)  # fmt: skip


def _size(_context: click.Context, _option: click.Parameter, text: str | None) -> int | None:
    try:
        return None if text is None else to_bytes(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


tasks_option = click.option(
    "-t", "--task", "tasks", multiple=True, help="Only this task; may be repeated."
)
memory_option = click.option(
    "--memory", metavar="SIZE", callback=_size,
    help="Memory of a fold of each task that sets none, such as 8 GiB; 4 GiB by default.",
)  # fmt: skip
private_option = click.option(
    "--private/--in-git", default=None,
    help="Where data go: below the data folder, pinned, or into git; by size by default.",
)  # fmt: skip

MOST_TASKS = 500
"""That a filter may select."""
_NUMBER = re.compile(r"(?:t/)?(\d+)")


@dataclass(frozen=True, kw_only=True)
class Selection:
    """What a server says."""

    title: str
    description: str
    tasks: Sequence[FetchedTask]


def select_tasks(
    source: TaskSource, client: OpenmlClient, cache: Path, wanted: Collection[str],
    tell: Callable[[str], None],
) -> Selection:  # fmt: skip
    """Fetch all tasks, or those wanted by number (``3``, ``t/3``) or name of the data set."""
    title, description, numbers = _list_tasks(source, client, tell)
    by_number = {str(number): number for number in numbers}
    given = {text: match[1] for text in wanted if (match := _NUMBER.fullmatch(text))}
    if len(given) == len(set(wanted)) and set(given.values()) <= set(by_number):
        # Nobody waits for the data of tasks that were not asked for.
        numbers = [number for number in numbers if str(number) in given.values()] or numbers
    tasks = fetch_tasks(client, numbers, cache, tell=tell)
    return Selection(title=title, description=description, tasks=_wanted_tasks(tasks, wanted))


def _list_tasks(
    source: TaskSource, client: OpenmlClient, tell: Callable[[str], None]
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


def task_numbers(source: TaskSource, client: OpenmlClient) -> list[int]:
    """The numbers of a source's tasks. Raises PullbenchError, PlatformError."""
    if source.kind == "task":
        return [int(source.key)]
    if source.kind == "filter":
        return [int(row["tid"]) for row in selected_tasks(source, client)]
    numbers: list[int] = client.ask("suite", source.key)["tasks"]
    return numbers


def selected_tasks(source: TaskSource, client: OpenmlClient) -> list[Mapping[str, Any]]:
    """What a server lists of the tasks of a filter. Raises PullbenchError, PlatformError."""
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


def _wanted_tasks(tasks: list[FetchedTask], wanted: Collection[str]) -> list[FetchedTask]:
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
    """A folder's name for each task: that of its data set, unless two share it."""
    names = [slug(str(task.dataset["name"])) or f"task-{task.id}" for task in tasks]
    return [
        name if names.count(name) == 1 else f"{name}-t{task.id}"
        for name, task in zip(names, tasks, strict=True)
    ]
