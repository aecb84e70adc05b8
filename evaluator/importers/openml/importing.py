"""``pullbench import openml``: a suite or a task of a server -> a directory below benchmarks/."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.errors import InvalidInputError, UsageError
from evaluator.formats.bundle import FILE_NAME, parse_bundle
from evaluator.formats.quantities import slug
from evaluator.importers.folder import Folder
from evaluator.importers.importing import workplace
from evaluator.importers.notes import Notes
from evaluator.importers.openml.asking import Asked, ask, task_names
from evaluator.importers.openml.client import Client
from evaluator.importers.openml.fetching import FetchedTask
from evaluator.importers.openml.folds import write_folds
from evaluator.importers.openml.provenance import provenance, refuse_changed, write_provenance
from evaluator.importers.openml.source import Source
from evaluator.importers.openml.splits import Fold
from evaluator.importers.tabular.bundle import TabularBundle, TabularTask, write_bundle
from evaluator.importers.tabular.metrics import DEFAULT
from evaluator.importers.tabular.placing import DataPlace, decide, settle
from evaluator.importers.tabular.writing import type_of

CACHE = "build/openml"
"""Where what was fetched whole is kept, in the repository."""
_MEMORY = 4 * 2**30


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a person asks for."""

    source: Source
    name: str | None = None
    tasks: Sequence[str] = ()
    """Numbers of tasks or names of data sets; empty is all."""
    folds: int | None = None
    """First folds of each task; None is all."""
    seconds: int = 3600
    """Limit of one fold."""
    force: bool = False


@dataclass(frozen=True, kw_only=True)
class Made:
    """What came of it."""

    name: str
    folds: Sequence[int]
    """Of each task."""
    data: str
    """How many bytes they are, and where."""


def import_openml(
    request: Request, client: Client, root: Path, *, place: DataPlace, tell: Callable[[str], None]
) -> Made:
    """Write the bundle into the repository at ``root``.

    Raises UsageError, InvalidInputError, PlatformError; then nothing is written, but what was
    fetched whole is kept below build/openml.
    """
    if request.name:
        _refuse_present(root / "benchmarks" / request.name, force=request.force)
    asked = ask(request.source, client, root / CACHE, request.tasks, tell)
    name = request.name or slug(asked.title)
    if not name:
        raise UsageError("the suite's name gives no name", hint="Choose one with --name.")
    target = root / "benchmarks" / name
    _refuse_present(target, force=request.force)
    tasks = dict(zip(task_names(asked.tasks), asked.tasks, strict=True))
    content = provenance(client.server, str(request.source), tasks)
    refuse_changed(target, content)
    folds = {key: task.folds[: request.folds] for key, task in tasks.items()}
    with workplace(root) as work:
        bundle = Folder(work / "bundle", Notes())
        for key, task in tasks.items():
            try:
                write_folds(task, folds[key], bundle.root, key, _about(task, request.seconds))
            except ValueError as error:
                raise UsageError(f"t/{task.id}: {error}") from None
            tell(f"{key}: {len(folds[key])} folds written")
        data = decide(bundle.root, name, list(tasks), place)
        write_provenance(bundle.root, content)
        write_bundle(
            bundle.root,
            TabularBundle(
                title=asked.title, description=asked.description, private=data.pins,
                overview=_overview(asked, str(request.source), client.server, tasks),
                tasks=[_entry(key, task, len(folds[key]), request.seconds)
                       for key, task in tasks.items()],
            ),
        )  # fmt: skip
        _, problems = parse_bundle(name, bundle.read(FILE_NAME), bundle.files)
        errors = [problem for problem in problems if problem.severity == "error"]
        if errors:
            raise InvalidInputError(errors)
        settle(bundle.root, target, work, data, place, force=request.force)
    return Made(name=name, folds=[len(part) for part in folds.values()], data=data.where)


def _refuse_present(target: Path, *, force: bool) -> None:
    if target.exists() and not force:
        raise UsageError(
            f"benchmarks/{target.name} is there already",
            hint="Choose another name with --name, or replace it with --force.",
        )


def _about(task: FetchedTask, seconds: int) -> Callable[[Fold], Mapping[str, Any]]:
    # What frameworks are told leaves them the time to end that the AutoML Benchmark leaves them.
    told = max(seconds // 2, seconds - 3600, 1)
    budget = {"max_runtime_seconds": told, "job_timeout_seconds": seconds, "cores": 1,
              "max_mem_size_mb": _MEMORY // 2**20}  # fmt: skip

    def about(fold: Fold) -> dict[str, Any]:
        return {"id": f"openml.org/t/{task.id}", "seed": fold.number, "budget": budget}

    return about


def _entry(name: str, task: FetchedTask, folds: int, seconds: int) -> TabularTask:
    return TabularTask(
        slug=name, name=name, folds=folds, seconds=seconds, cpus=1, memory=_MEMORY,
        description=f"OpenML task {task.id}: {task.rows} rows, "
        f"{len(task.dataset['features']) - 1} features.",
        metrics=DEFAULT[type_of(task.about["labels"])],
    )  # fmt: skip


def _overview(asked: Asked, source: str, server: str, tasks: Mapping[str, FetchedTask]) -> str:
    lines = [
        f"# {asked.title}", "", asked.description, "",
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
