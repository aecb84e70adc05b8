"""``pullbench import amlb``: a benchmark definition and a constraint -> a bundle."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from evaluator.core.errors import InvalidInputError, UsageError
from evaluator.core.formats.quantities import slug, unique_slugs
from evaluator.importing.folder import SourceFolder
from evaluator.importing.importer import Importer, ImportRequest, ReadBundle
from evaluator.importing.notes import Notes
from evaluator.importing.placing import workplace
from evaluator.plugins.openml.amlb.constraints import Constraint, find_constraint
from evaluator.plugins.openml.amlb.definition import (
    TaskDefinition,
    check_limits,
    enabled_tasks,
    read_definition,
)
from evaluator.plugins.openml.amlb.folds import TaskWriter, Written, definitions
from evaluator.plugins.openml.amlb.locations import DatasetError, Downloads, Places
from evaluator.plugins.openml.tabular.bundle import write_bundle
from evaluator.plugins.openml.tasks.client import SERVER, OpenmlClient
from evaluator.plugins.openml.tasks.fetching import CACHE, FetchedTask, fetch_tasks
from evaluator.plugins.openml.tasks.importing import pin_tasks
from evaluator.plugins.openml.tasks.source import (
    memory_option,
    parse_source,
    private_option,
    select_tasks,
    server_option,
    tasks_option,
)

_OPENML = re.compile(r"(?:test\.)?openml/[st]/\d+")


def read(
    folder: SourceFolder,
    request: ImportRequest,
    *,
    definition: str,
    constraint: str,
    tasks: Sequence[str],
    constraints: Sequence[Path],
    userdir: Path | None,
    digests: Path | None,
    pin: bool,
    memory: int | None,
    server: str | None,
    private: bool | None,
    **of_folds: Any,
) -> ReadBundle | None:
    """Bring in a benchmark DEFINITION of the AutoML Benchmark under a CONSTRAINT.

    DEFINITION is a file, or what OpenML has: openml/s/271, openml/t/59. Each data set becomes a
    task, each fold a repeat of it with data of its own, the constraint the limits of containers.
    Nothing is written where a task cannot be read.
    """
    folders = {
        "user": userdir or Path("~/.config/automlbenchmark").expanduser(),
        "input": Path("~/.openml/cache").expanduser(),
    }
    named_server = parse_source(definition).server if _OPENML.fullmatch(definition) else None
    client = OpenmlClient(server=server or named_server or SERVER)
    notes = folder.notes
    limits = find_constraint(constraint, constraints)
    if memory is not None and (limits.max_mem_size_mb or -1) < 1:
        limits = limits.model_copy(update={"max_mem_size_mb": memory // 2**20})
    selection = _select(definition, tasks, folders["user"], limits, client, request, notes)
    name = request.name or slug(selection.title)
    with workplace(request.root) as work:
        downloads = Downloads(work / "downloads", digests, pin=pin)
        places = Places(folders=folders, beside=selection.beside, work=work, downloads=downloads)
        writer = TaskWriter(
            bundle=folder.root, places=places, notes=notes, source=selection.source,
            constraint=constraint, **of_folds,
        )  # fmt: skip
        written = _write_tasks(selection, writer)
    if notes.refused:
        return None
    check_limits(selection.tasks, notes, selection.source)
    if selection.fetched:
        fetched = {
            task.slug: selection.fetched[number]
            for defined, (task, _) in zip(selection.tasks, written, strict=True)
            if (number := defined.openml_task_id)
        }
        target = request.target(name)
        pin_tasks(folder.root, target, client.server, selection.source, fetched)
    return write_bundle(
        folder, request, name, [task for task, _ in written], private=private,
        title=selection.title.replace("-", " ").replace("_", " ").capitalize(),
        description=f"The AutoML Benchmark definition {selection.source} under the constraint "
        f"{constraint}.",
        overview=_TEXT.format(
            name=selection.source, constraint=constraint,
            rows="\n".join(line for _, line in written),
        ),
    )  # fmt: skip


_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
IMPORTER = Importer(
    options=(
        click.argument("definition"),
        click.argument("constraint", default="test"),
        tasks_option,
        click.option(
            "-f", "--fold", "folds", type=click.IntRange(min=0), multiple=True,
            help="Only this fold; may be repeated.",
        ),
        click.option(
            "--constraints", type=_FILE, multiple=True,
            help="A file of constraints; may be repeated.",
        ),
        click.option(
            "-u", "--userdir", type=click.Path(path_type=Path, file_okay=False),
            help="What {user} stands for.",
        ),
        click.option(
            "--digests", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
            help="Digests of what is fetched, in lines `SHA-256  ADDRESS`.",
        ),
        click.option(
            "--pin", is_flag=True, help="Fetch what has no digest, and add it to that file."
        ),
        click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of fold 0."),
        click.option(
            "--inference-time", is_flag=True, help="Ask frameworks for their inference times."
        ),
        memory_option,
        server_option,
        private_option,
    ),
    read=read,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class _Selection:
    """What is to be imported."""

    title: str
    source: str
    """Name of the definition, for messages and pages."""
    beside: Path
    tasks: Sequence[TaskDefinition]
    fetched: Mapping[int, FetchedTask]


def _select(
    definition: str, names: Sequence[str], user: Path, limits: Constraint, client: OpenmlClient,
    request: ImportRequest, notes: Notes,
) -> _Selection:  # fmt: skip
    cache = request.root / CACHE
    if _OPENML.fullmatch(definition):
        selection = select_tasks(parse_source(definition), client, cache, names, request.tell)
        fetched = {task.id: task for task in selection.tasks}
        return _Selection(title=definition.replace("/", "-"), source=definition, beside=Path(),
                      tasks=definitions(selection.tasks, limits), fetched=fetched)  # fmt: skip
    path = _find_definition(definition, user)
    tasks, problems = read_definition(path, limits)
    wanted, left_out = enabled_tasks(tasks, names)
    notes.problems += problems
    for name in left_out:
        notes.note(path.name, f"the task '{name}' is not enabled and is left out")
    if not wanted:
        raise UsageError(f"no task of {path.name} is enabled")
    numbers = dict.fromkeys(task.openml_task_id for task in wanted if task.openml_task_id)
    try:
        fetched = {
            task.id: task for task in fetch_tasks(client, list(numbers), cache, tell=request.tell)
        }
    except InvalidInputError as error:
        # What is wrong with file data sets is reported together with it.
        notes.problems += error.problems
        fetched = {}
    return _Selection(title=path.stem, source=path.name, beside=path.parent, tasks=wanted,
                  fetched=fetched)  # fmt: skip


def _find_definition(name: str, user: Path) -> Path:
    path = Path(name)
    if path.is_file():
        return path
    for folder in (user / "benchmarks", user / "resources" / "benchmarks"):
        if (folder / f"{name}.yaml").is_file():
            return folder / f"{name}.yaml"
    raise UsageError(
        f"there is no benchmark definition '{name}'",
        hint="Give a file, or openml/s/271; --userdir names a folder with benchmarks/NAME.yaml.",
    )


def _write_tasks(selection: _Selection, writer: TaskWriter) -> list[Written]:
    """Write all tasks that can be written; for each other one there is a refusal in the notes."""
    slugs = unique_slugs([task.name for task in selection.tasks], "task")
    written: list[Written] = []
    for task, task_slug in zip(selection.tasks, slugs, strict=True):
        try:
            if task.openml_task_id is None:
                written.append(writer.write_files(task, task_slug))
            elif task.openml_task_id in selection.fetched:
                fetched = selection.fetched[task.openml_task_id]
                written.append(writer.write_fetched(task, task_slug, fetched))
        except (DatasetError, UsageError) as error:
            hint = error.hint if isinstance(error, UsageError) else ""
            writer.notes.refuse(f"{selection.source}: {task.name}", str(error.args[0]), hint)
    return written


_TEXT = """Tasks of the [AutoML Benchmark](https://openml.github.io/automlbenchmark/) definition \
`{name}`, under its constraint `{constraint}`.

| Task | Type | Rows | Features | Folds | Time | First metric |
|---|---|---|---|---|---|---|
{rows}

A submission is a framework module of the AutoML Benchmark as it stands: `__init__.py` with \
`run(dataset, config)`, or `exec.py` with `run`. It may also be a file `model.py` with a class \
`Model`: `fit(X, y)`, `predict(X)` and, for classes, `predict_proba(X)`.

*Time* is what a framework is told that it has (`config.max_runtime_seconds`). It is stopped at \
twice that, or an hour later where that is less. The target of test rows is not in the container: \
`dataset.test.y` holds a stand-in.

*Result* is the first metric, negated where it is a loss, so that higher is always better. Tasks \
are compared by ranks, since their metrics differ.
"""
