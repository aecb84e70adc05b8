"""``pullbench import openml``: a suite or a task of a server -> a directory below benchmarks/."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from evaluator.core.errors import UsageError
from evaluator.core.formats.quantities import slug
from evaluator.core.importers.folder import Folder
from evaluator.core.importers.importer import Importer, ReadBundle, Request
from evaluator.plugins.openml.tabular.bundle import TabularBundle, TabularTask, write_bundle
from evaluator.plugins.openml.tabular.fold_descriptions import pin_data
from evaluator.plugins.openml.tabular.metrics import DEFAULT
from evaluator.plugins.openml.tabular.writing import type_of
from evaluator.plugins.openml.tasks.client import SERVER, Client
from evaluator.plugins.openml.tasks.fetching import FetchedTask
from evaluator.plugins.openml.tasks.folds import write_folds
from evaluator.plugins.openml.tasks.options import (
    memory_option,
    private_option,
    server_option,
    timeout_option,
)
from evaluator.plugins.openml.tasks.provenance import (
    changes,
    provenance,
    refuse_changed,
    write_provenance,
)
from evaluator.plugins.openml.tasks.selection import Selection, select_tasks, task_names
from evaluator.plugins.openml.tasks.source import parse_source
from evaluator.plugins.openml.tasks.splits import Fold

CACHE = "build/openml"
"""Cache of complete tasks, in the repository."""
_MEMORY = 4 * 2**30


def read(
    folder: Folder,
    request: Request,
    *,
    source: str,
    tasks: Sequence[str],
    folds: int | None,
    seconds: int,
    memory: int | None,
    private: bool | None,
    server: str | None,
    patience: float,
) -> ReadBundle:
    """Bring in an OpenML suite (s/271 or its alias) or one task (t/3), with official splits.

    Also tasks by their properties: tasks:rows=500..100000,classes=2..,tag=uci --name NAME. Which
    ones the server listed is pinned in openml.json.

    All repeats become folds of one benchmark; data, splits and their digests are kept, so that
    evaluation needs no network. Splits that are not whole are refused.
    """
    suite = parse_source(source)
    client = Client(server=server or suite.server or SERVER, seconds=patience)
    if suite.kind == "filter" and request.name is None:
        raise UsageError("what a filter selects has no name", hint="Give it one with --name.")
    selection = select_tasks(suite, client, request.root / CACHE, tasks, request.tell)
    name = request.name or slug(selection.title)
    if not name:
        return ReadBundle(name="")
    by_name = dict(zip(task_names(selection.tasks), selection.tasks, strict=True))
    content = provenance(client.server, str(suite), by_name)
    refuse_changed(request.target(name), content)
    for line in changes(request.target(name), content):
        request.tell(line)
    chosen = {key: task.folds[:folds] for key, task in by_name.items()}
    for key, task in by_name.items():
        try:
            write_folds(
                task, chosen[key], folder.root, key, _about(task, seconds, memory or _MEMORY)
            )
        except ValueError as error:
            raise UsageError(f"t/{task.id}: {error}") from None
        request.tell(f"{key}: {len(chosen[key])} folds written")
    data = pin_data(folder.root, name, list(by_name), request.data, private=private)
    write_provenance(folder.root, content)
    write_bundle(
        folder.root,
        TabularBundle(
            title=selection.title, description=selection.description, private=data.pins,
            overview=_overview(selection, str(suite), client.server, by_name),
            tasks=[_entry(key, task, len(chosen[key]), seconds, memory or _MEMORY)
                for key, task in by_name.items()],
        ),
    )  # fmt: skip
    counts = sorted({len(part) for part in chosen.values()})
    each = "" if len(counts) == 1 else f"{counts[0]} to "
    request.tell(f"{len(chosen)} tasks of {each}{counts[-1]} folds")
    return ReadBundle(name=name, data=data)


IMPORTER = Importer(
    options=(
        click.argument("source"),
        server_option,
        click.option(
            "-t", "--task", "tasks", multiple=True, help="Only this task; may be repeated."
        ),
        click.option(
            "--folds", type=click.IntRange(min=1), help="Take the first folds of each task alone."
        ),
        click.option(
            "--seconds", type=click.IntRange(min=1), default=3600, show_default=True,
            help="Time limit of one fold.",
        ),
        memory_option,
        private_option,
        timeout_option,
    ),
    read=read,
)  # fmt: skip


def _about(task: FetchedTask, seconds: int, memory: int) -> Callable[[Fold], Mapping[str, Any]]:
    # What frameworks may use leaves them the time to end that the AutoML Benchmark leaves them.
    usable = max(seconds // 2, seconds - 3600, 1)
    budget = {"max_runtime_seconds": usable, "job_timeout_seconds": seconds, "cores": 1,
              "max_mem_size_mb": memory // 2**20}  # fmt: skip

    def about(fold: Fold) -> dict[str, Any]:
        return {"id": f"openml.org/t/{task.id}", "seed": fold.number, "budget": budget}

    return about


def _entry(name: str, task: FetchedTask, folds: int, seconds: int, memory: int) -> TabularTask:
    return TabularTask(
        slug=name, name=name, folds=folds, seconds=seconds, cpus=1, memory=memory,
        description=f"OpenML task {task.id}: {task.rows} rows, "
        f"{len(task.dataset['features']) - 1} features.",
        metrics=DEFAULT[type_of(task.about["labels"])], is_rows=True,
    )  # fmt: skip


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
        "Benchmark runs as it stands, too.", "",
    ]  # fmt: skip
    return "\n".join(lines)
