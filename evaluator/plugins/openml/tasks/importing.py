"""``pullbench import openml``: a suite or a task of a server -> a directory below benchmarks/."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from evaluator.core.errors import PullbenchError, UsageError
from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.quantities import slug
from evaluator.importing.folder import SourceFolder
from evaluator.importing.importer import Importer, ImportRequest, ReadBundle
from evaluator.plugins.openml.tabular.bundle import MEMORY, small_budget, table_task, write_bundle
from evaluator.plugins.openml.tabular.writing import Fold
from evaluator.plugins.openml.tasks.client import SERVER, OpenmlClient
from evaluator.plugins.openml.tasks.fetching import CACHE, FetchedTask, write_folds
from evaluator.plugins.openml.tasks.source import (
    Selection,
    memory_option,
    parse_source,
    private_option,
    select_tasks,
    server_option,
    task_names,
    tasks_option,
)


def read(
    folder: SourceFolder,
    request: ImportRequest,
    *,
    source: str,
    tasks: Sequence[str],
    folds: int | None,
    seconds: int,
    memory: int | None,
    private: bool | None,
    server: str | None,
) -> ReadBundle:
    """Bring in an OpenML suite (s/271 or its alias) or one task (t/3), with official splits.

    Also tasks by their properties: tasks:rows=500..100000,classes=2..,tag=uci --name NAME. Which
    ones the server listed is pinned in openml.json.

    All repeats become folds of one benchmark; data, splits and their digests are kept, so that
    evaluation needs no network. Splits that are not whole are refused.
    """
    memory = memory or MEMORY
    # What frameworks may use leaves them the time to end that the AutoML Benchmark leaves them.
    budget = small_budget(seconds, max(seconds // 2, seconds - 3600, 1), memory)
    suite = parse_source(source)
    client = OpenmlClient(server=server or suite.server or SERVER)
    if suite.kind == "filter" and request.name is None:
        raise UsageError("what a filter selects has no name", hint="Give it one with --name.")
    selection = select_tasks(suite, client, request.root / CACHE, tasks, request.tell)
    name = request.name or slug(selection.title)
    if not name:
        return ReadBundle(name="")
    by_name = dict(zip(task_names(selection.tasks), selection.tasks, strict=True))
    target = request.target(name)
    pin_tasks(folder.root, target, client.server, str(suite), by_name, request.tell)
    chosen = {key: task.folds[:folds] for key, task in by_name.items()}
    for key, task in by_name.items():
        try:
            write_folds(task, chosen[key], folder.root, key, partial(fold_keys, task, budget))
        except ValueError as error:
            raise UsageError(f"t/{task.id}: {error}") from None
        request.tell(f"{key}: {len(chosen[key])} folds written")
    entries = [
        table_task(key, task.rows, len(task.dataset["features"]) - 1, task.about["labels"], task.id,
                   len(chosen[key]), seconds=seconds, memory=memory)
        for key, task in by_name.items()
    ]  # fmt: skip
    counts = sorted({len(part) for part in chosen.values()})
    each = "" if len(counts) == 1 else f"{counts[0]} to "
    request.tell(f"{len(chosen)} tasks of {each}{counts[-1]} folds")
    return write_bundle(
        folder, request, name, entries, title=selection.title, private=private,
        description=selection.description,
        overview=_overview(selection, str(suite), client.server, by_name),
    )  # fmt: skip


IMPORTER = Importer(
    options=(
        click.argument("source"),
        server_option,
        tasks_option,
        click.option(
            "--folds", type=click.IntRange(min=1), help="Take the first folds of each task alone."
        ),
        click.option(
            "--seconds", type=click.IntRange(min=1), default=3600, show_default=True,
            help="Time limit of one fold.",
        ),
        memory_option,
        private_option,
    ),
    read=read,
)  # fmt: skip


def fold_keys(task: FetchedTask, budget: Mapping[str, int], fold: Fold) -> dict[str, Any]:
    """What dataset.json says of a fold."""
    return {"id": f"openml.org/t/{task.id}", "seed": fold.number, "budget": budget}


def _overview(
    selection: Selection, source: str, server: str, tasks: Mapping[str, FetchedTask]
) -> str:
    lines = [
        f"# {selection.title}", "", selection.description, "",
        f"Made from `{source}` of `{server}`. Data and official splits lie in this benchmark, so "
        "that evaluation needs no network; `openml.json` has their digests.", "",
        "Each data set is a task, and each fold a repeat of it: number = repeat x folds + fold. "
        "`result` is ROC AUC for two classes, else negated log loss, and negated RMSE for "
        "regression: higher is better.", "",
        "| Data set | Task | Rows | Folds | Licence |", "|---|---|---|---|---|",
        *(
            f"| {name} | t/{task.id} | {task.rows} | {len(task.folds)} | "
            f"{task.dataset['licence'] or 'not said'} |"
            for name, task in tasks.items()
        ), "",
        "A submission is `model.py` with a class `Model`: `fit(X, y)`, `predict(X)` and, for "
        "classes, `predict_proba(X)`, on pandas frames. A framework module of the AutoML "
        "Benchmark runs as it is, too.", "",
    ]  # fmt: skip
    return "\n".join(lines)


FILE = "openml.json"
_DATASET = ("id", "name", "version", "licence", "md5", "status", "format")


def pin_tasks(
    bundle: Path, target: Path, server: str, source: str, tasks: Mapping[str, FetchedTask],
    tell: Callable[[str], None] = lambda _: None,
) -> None:  # fmt: skip
    """Write openml.json; compare with ``target``. Raises PullbenchError where data changed."""
    content = {
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
    (bundle / FILE).write_text(json.dumps(content, indent=1) + "\n", encoding="ascii")
    try:
        past = read_json((target / FILE).read_bytes(), max_bytes=2**24)
        past_tasks = {item["task"]: item for item in past["tasks"].values()}
        if past["server"] != server or not all(isinstance(number, int) for number in past_tasks):
            return
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
    for task in tasks.values():
        old = past_tasks.get(task.id, {})
        for new, key, word in (
            (task.splits_sha256, "splits_sha256", "splits"),
            (task.data_sha256, "data_sha256", "data"),
        ):
            if old and old[key] != new:
                raise PullbenchError(
                    f"the {word} of t/{task.id} are no longer those of "
                    f"benchmarks/{target.name}: {new[:12]}, not {old[key][:12]}",
                    hint="Import under another --name: scores on both cannot be compared.",
                )
    numbers = {task.id for task in tasks.values()}
    for changed, words in (
        (numbers - set(past_tasks), "are new"),
        (set(past_tasks) - numbers, "are no longer among them"),
    ):
        if changed and past.get("source") == source:
            names = ", ".join(f"t/{task}" for task in sorted(changed))
            tell(f"since benchmarks/{target.name} was made, {names} {words}")
