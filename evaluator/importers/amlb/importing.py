"""``pullbench import amlb``: a benchmark definition and a constraint -> a bundle."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluator.errors import InvalidInputError, UsageError
from evaluator.formats.bundle import FILE_NAME, parse_bundle
from evaluator.formats.extension import Limits
from evaluator.formats.quantities import slug, unique_slugs
from evaluator.importers.amlb.constraints import Constraint, find_constraint, job_timeout
from evaluator.importers.amlb.definition import TaskDefinition, chosen, read_definition
from evaluator.importers.amlb.downloads import Downloads
from evaluator.importers.amlb.folds import TaskWriter, WrittenTask
from evaluator.importers.amlb.locations import DatasetError, Places
from evaluator.importers.amlb.openml_hook import definitions, write_openml
from evaluator.importers.amlb.overview import overview
from evaluator.importers.folder import Folder
from evaluator.importers.importing import Imported, workplace
from evaluator.importers.notes import Notes
from evaluator.importers.openml.asking import ask
from evaluator.importers.openml.client import Client
from evaluator.importers.openml.fetching import FetchedTask, fetch_tasks
from evaluator.importers.openml.importing import CACHE
from evaluator.importers.openml.provenance import provenance, refuse_changed, write_provenance
from evaluator.importers.openml.source import parse_source
from evaluator.importers.tabular.bundle import TabularBundle, TabularTask, write_bundle
from evaluator.importers.tabular.placing import DataPlace, decide, settle

_OPENML = re.compile(r"(?:test\.)?openml/[st]/\d+")


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the command line says."""

    constraint: str = "test"
    constraints: Sequence[Path] = ()
    tasks: Sequence[str] = ()
    folds: Sequence[int] = ()
    folders: dict[str, Path] = field(default_factory=dict)
    """``input``, ``user``, ``output``, ``root``."""
    digests: Path | None = None
    pin: bool = False
    seed: int = 0
    inference_time: bool = False
    name: str | None = None
    force: bool = False


def import_amlb(
    definition: str, root: Path, options: Options, client: Client, place: DataPlace,
    tell: Callable[[str], None],
) -> Imported:  # fmt: skip
    """Bring a definition into the repository at ``root``: a file, or ``openml/s/271``.

    ``client`` asks the OpenML server. Every fault of every task is reported before anything is
    written. Raises UsageError, InvalidInputError, PlatformError.
    """
    constraint = find_constraint(options.constraint, options.constraints)
    notes = Notes()
    asked = _asked(definition, root, options, constraint, client, notes, tell)
    name = options.name or slug(asked.title)
    target = root / "benchmarks" / name
    with workplace(root) as work:
        bundle = Folder(work / "bundle", notes)
        bundle.root.mkdir()
        written = _write_tasks(asked, options, notes, bundle.root, work)
        if notes.refused:
            return Imported(name=name, files=frozenset(), problems=tuple(notes.problems))
        _check_limits(asked.tasks, notes, asked.source)
        pairs = [(task, made) for task, made in zip(asked.tasks, written, strict=True) if made]
        if asked.fetched:
            tasks = {made.slug: asked.fetched[number] for task, made in pairs
                     if (number := task.openml_task_id)}  # fmt: skip
            content = provenance(client.server, asked.source, tasks)
            refuse_changed(target, content)
            write_provenance(bundle.root, content)
        data = decide(bundle.root, name, [made.slug for _, made in pairs], place)
        write_bundle(
            bundle.root,
            TabularBundle(
                title=asked.title.replace("-", " ").replace("_", " ").capitalize(),
                description=f"The AutoML Benchmark definition {asked.source} under the constraint "
                f"{options.constraint}.",
                tasks=[_entry(task, made) for task, made in pairs],
                overview=overview(asked.source, options.constraint, pairs),
                private=data.pins,
            ),
        )
        _, found = parse_bundle(name, bundle.read(FILE_NAME), bundle.files)
        notes.problems += found
        if notes.refused:
            return Imported(name=name, files=frozenset(), problems=tuple(notes.problems))
        settle(bundle.root, target, work, data, place, force=options.force)
    tell(data.where)
    placed = Folder(target, notes)
    return Imported(name=name, files=placed.files, problems=tuple(notes.problems))


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What is to be imported."""

    title: str
    source: str
    """Name of the definition, for messages and pages."""
    beside: Path
    """Folder of the definition."""
    tasks: Sequence[TaskDefinition]
    fetched: Mapping[int, FetchedTask]
    """Tasks of OpenML by number."""


def _asked(
    definition: str, root: Path, options: Options, constraint: Constraint, client: Client,
    notes: Notes, tell: Callable[[str], None],
) -> _Asked:  # fmt: skip
    path = find_definition(definition, options)
    if path is None:
        asked = ask(parse_source(definition), client, root / CACHE, options.tasks, tell)
        made = definitions(asked.tasks, constraint)
        fetched = {task.id: task for task in asked.tasks}
        return _Asked(title=definition.replace("/", "-"), source=definition, beside=Path(),
                      tasks=made, fetched=fetched)  # fmt: skip
    tasks, problems = read_definition(path, constraint)
    wanted, left_out = chosen(tasks, options.tasks)
    notes.problems += problems
    for name in left_out:
        notes.note(path.name, f"the task '{name}' is not enabled and is left out")
    if not wanted:
        raise UsageError(f"no task of {path.name} is enabled")
    numbers = dict.fromkeys(task.openml_task_id for task in wanted if task.openml_task_id)
    try:
        found = fetch_tasks(client, list(numbers), root / CACHE, tell=tell)
    except InvalidInputError as error:
        # What is wrong with file data sets is said together with it.
        notes.problems += error.problems
        found = []
    return _Asked(title=path.stem, source=path.name, beside=path.parent, tasks=wanted,
                  fetched={task.id: task for task in found})  # fmt: skip


def is_openml(definition: str) -> bool:
    """Say whether a definition is a suite or a task of OpenML."""
    return _OPENML.fullmatch(definition) is not None


def find_definition(name: str, options: Options) -> Path | None:
    """Find a definition: a file, or a name below ``{user}/benchmarks``; None for OpenML's.

    Raises UsageError.
    """
    if is_openml(name):
        return None
    path = Path(name)
    if path.is_file():
        return path
    user = options.folders.get("user")
    for folder in (user / "benchmarks", user / "resources" / "benchmarks") if user else ():
        if (folder / f"{name}.yaml").is_file():
            return folder / f"{name}.yaml"
    raise UsageError(
        f"there is no benchmark definition '{name}'",
        hint="Give a file, or openml/s/271; --user names a folder with benchmarks/NAME.yaml.",
    )


def _write_tasks(
    asked: _Asked, options: Options, notes: Notes, bundle: Path, work: Path
) -> list[WrittenTask | None]:
    places = Places(
        folders=options.folders,
        beside=asked.beside,
        work=work,
        downloads=Downloads(work / "downloads", options.digests, pin=options.pin),
    )
    writer = TaskWriter(
        bundle=bundle, places=places, notes=notes, source=asked.source,
        folds=tuple(options.folds), seed=options.seed, inference_time=options.inference_time,
        budget=budget,
    )  # fmt: skip
    slugs = unique_slugs([task.name for task in asked.tasks], "task")
    written: list[WrittenTask | None] = []
    for task, task_slug in zip(asked.tasks, slugs, strict=True):
        made: WrittenTask | None = None
        try:
            if task.openml_task_id is None:
                made = writer.write_files(task, task_slug)
            elif task.openml_task_id in asked.fetched:
                made = write_openml(task, task_slug, writer, asked.fetched)
        except (DatasetError, UsageError) as error:
            hint = error.hint if isinstance(error, UsageError) else ""
            notes.refuse(f"{asked.source}: {task.name}", str(error.args[0]), hint)
        written.append(made)
    return written


def cores(task: TaskDefinition) -> float:
    """Return the cores of a task; those of a bundle's default where it sets none."""
    wanted = task.limits.cores or -1
    return float(wanted) if wanted > 0 else Limits().cpus


def memory(task: TaskDefinition) -> int:
    """Return the bytes of memory of a task; those of a bundle's default where it sets none."""
    wanted = task.limits.max_mem_size_mb or -1
    return wanted * 2**20 if wanted > 0 else Limits().memory


def budget(task: TaskDefinition) -> dict[str, Any]:
    """Return what a framework is told that it may use."""
    seconds = task.limits.max_runtime_seconds or 3600
    return {
        "max_runtime_seconds": seconds,
        "job_timeout_seconds": job_timeout(seconds),
        "cores": max(1, int(cores(task))),
        "max_mem_size_mb": memory(task) // 2**20,
        "min_vol_size_mb": task.limits.min_vol_size_mb,
    }


def _entry(task: TaskDefinition, made: WrittenTask) -> TabularTask:
    return TabularTask(
        slug=made.slug, name=task.name, description=task.description or task.id,
        folds=len(made.folds), seconds=job_timeout(task.limits.max_runtime_seconds or 3600),
        cpus=cores(task), memory=memory(task), metrics=made.metrics,
    )  # fmt: skip


def _check_limits(tasks: Sequence[TaskDefinition], notes: Notes, file: str) -> None:
    """Say what no container can be given, or is given by default."""
    plain: Constraint = tasks[0].limits
    if any((task.limits.cores or -1) < 1 for task in tasks):
        notes.note(file, f"cores are not set for some tasks; they get {Limits().cpus:g}")
    if any((task.limits.max_mem_size_mb or -1) < 1 for task in tasks):
        size = Limits().memory // 2**20
        notes.note(file, f"max_mem_size_mb is not set for some tasks; they get {size} MB")
    if any((task.limits.min_vol_size_mb or -1) > 0 for task in tasks):
        notes.note(file, "min_vol_size_mb is told to frameworks, and disks are not made larger")
    if plain.ec2_instance_type or plain.ec2_volume_type:
        notes.note(file, "keys of AWS are left out: cells run on the benchmark's own queue")
