"""``pullbench import openml``: a suite or a task of a server -> a directory below benchmarks/."""

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.errors import InvalidInputError, PullbenchError, UsageError
from evaluator.formats.bundle import parse_bundle
from evaluator.formats.quantities import slug
from evaluator.formats.schema import read_json
from evaluator.importers.openml.bundling import (
    PARTS,
    PROVENANCE,
    Plan,
    bundle_files,
    provenance,
    task_names,
    write_data,
)
from evaluator.importers.openml.client import Client
from evaluator.importers.openml.fetching import FetchedTask, fetch_tasks
from evaluator.importers.openml.source import Source

LARGE = 32 * 2**20
"""Bytes of data from which on they go below the data folder, not into git."""


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
    private: bool | None = None
    """Whether data go below the data folder; None decides by size."""
    force: bool = False


@dataclass(frozen=True, kw_only=True)
class Made:
    """What came of it."""

    name: str
    tasks: int
    folds: int
    bytes: int
    private: bool


def import_openml(
    request: Request, client: Client, root: Path, *, data: Path | None,
    digest: Callable[[Path], str], tell: Callable[[str], None],
) -> Made:  # fmt: skip
    """Write the bundle into the repository at ``root``.

    ``data`` is the data folder of this machine, ``digest`` that of a private folder. Raises
    UsageError, InvalidInputError, PlatformError; then nothing is written, but what was fetched
    whole is kept below build/openml.
    """
    title, description, numbers = _asked(request.source, client)
    name = request.name or slug(title)
    if not name:
        raise UsageError("the suite's name gives no name", hint="Choose one with --name.")
    target = root / "benchmarks" / name
    if target.exists() and not request.force:
        raise UsageError(
            f"benchmarks/{name} is there already",
            hint="Choose another name with --name, or replace it with --force.",
        )
    tasks = fetch_tasks(client, numbers, root / "build" / "openml", tell=tell)
    tasks = _chosen(tasks, request.tasks)
    plan = Plan(
        title=title, description=description, source=str(request.source), server=client.server,
        tasks=tasks, folds=_folds(tasks, request.folds), seconds=request.seconds,
    )  # fmt: skip
    _unchanged(target, plan)
    build = root / "build"
    work = Path(tempfile.mkdtemp(prefix="import-", dir=build))
    try:
        return _write(plan, request, name, work, root, data, digest, tell)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _asked(source: Source, client: Client) -> tuple[str, str, list[int]]:
    if source.kind == "task":
        return f"OpenML task {source.key}", f"Task {source.key} of OpenML.", [int(source.key)]
    suite = client.ask("suite", source.key)
    if not suite["tasks"]:
        raise PullbenchError(f"suite {source} has no tasks")
    first = " ".join(str(suite["description"]).split())
    return str(suite["name"]), first[:200] or f"Suite {source} of OpenML.", suite["tasks"]


def _chosen(tasks: list[FetchedTask], wanted: Sequence[str]) -> list[FetchedTask]:
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


def _folds(tasks: Sequence[FetchedTask], wanted: int | None) -> int:
    counts = {len(task.folds) for task in tasks}
    if wanted is None and len(counts) == 1:
        return counts.pop()
    fewest = min(counts)
    if wanted is None or wanted > fewest:
        some = ", ".join(f"t/{task.id} {len(task.folds)}" for task in tasks[:20])
        raise UsageError(
            f"the tasks have {fewest} to {max(counts)} folds, and a benchmark has as many of "
            f"each: {some}",
            hint=f"Take the first with --folds, at most {fewest}, or choose tasks with --task.",
        )
    return wanted


def _unchanged(target: Path, plan: Plan) -> None:
    """Refuse splits or data that a server has changed under the same number."""
    file = target / PROVENANCE
    if not file.is_file():
        return
    try:
        former = read_json(file.read_bytes(), max_bytes=2**24)
        tasks: Mapping[str, Any] = former["tasks"]
        known = {item["task"]: item for item in tasks.values()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return
    if former.get("server") != plan.server:
        return
    for item in provenance(plan)["tasks"].values():
        old = known.get(item["task"], item)
        for key, word in (("splits_sha256", "splits"), ("data_sha256", "data")):
            if old[key] != item[key]:
                raise PullbenchError(
                    f"the {word} of t/{item['task']} are no longer those of "
                    f"benchmarks/{target.name}: {item[key][:12]}, not {old[key][:12]}",
                    hint="Import under another --name: scores on both cannot be compared.",
                )


def _write(
    plan: Plan, request: Request, name: str, work: Path, root: Path, data: Path | None,
    digest: Callable[[Path], str], tell: Callable[[str], None],
) -> Made:  # fmt: skip
    write_data(plan, work / "data", tell)
    size = sum(path.stat().st_size for path in (work / "data").rglob("*") if path.is_file())
    aside = request.private if request.private is not None else size > LARGE
    pins: list[dict[str, Any]] = []
    if aside:
        if data is None:
            raise UsageError(
                f"{size:,} bytes of data are too many for git, and there is no data folder",
                hint="Set [tool.pullbench] data, or take fewer with --task and --folds.",
            )
        for index, task in enumerate(task_names(plan.tasks)):
            pins += [
                {"task": index, "file": part, "path": f"{name}/{part}/{task}",
                 "sha256": digest(work / "data" / part / task)}
                for part in PARTS
            ]  # fmt: skip
    bundle = work / "bundle"
    for path, (content, executable) in bundle_files(plan, pins).items():
        place = bundle / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        place.chmod(0o755 if executable else 0o644)
    if not aside:
        for part in PARTS:
            (work / "data" / part).rename(bundle / part)
    files = frozenset(
        path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file()
    )
    _, problems = parse_bundle(name, (bundle / "competition.yaml").read_bytes(), files)
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise InvalidInputError(errors)
    if aside and data is not None:
        _replace(work / "data", data / name)
    _replace(bundle, root / "benchmarks" / name)
    return Made(name=name, tasks=len(plan.tasks), folds=plan.folds, bytes=size, private=aside)


def _replace(made: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        shutil.rmtree(target)
    shutil.move(made, target)
