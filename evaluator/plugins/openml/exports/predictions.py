"""Stored predictions of a submission, task by task, and publishing them at a server of OpenML."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from evaluator.core.clock import utc_now
from evaluator.core.compute.contents import Source
from evaluator.core.compute.private import PrivateParts
from evaluator.core.compute.store import stored_for
from evaluator.core.errors import PullbenchError, UsageError
from evaluator.core.formats.record import Record
from evaluator.core.formats.submission import Submission
from evaluator.core.planning.export import Exporter
from evaluator.core.planning.plan import Cell, cells
from evaluator.core.planning.snapshot import Snapshot, load_snapshot
from evaluator.core.scores.jobs import make_job
from evaluator.core.scores.runnable import data_folder
from evaluator.core.scores.running import BUILD
from evaluator.plugins.openml.suites.publishing import FoldFiles, api_key, partial_run, run_of
from evaluator.plugins.openml.tasks.client import Client


@dataclass(frozen=True, kw_only=True)
class TaskFolds:
    """One task of a submission."""

    task: str
    submission: Submission
    version: str
    """Content of the submission, in short: another one is another version of its flow."""
    files: list[FoldFiles]
    """All folds, each with a valid record and stored predictions; else empty."""
    lacking: Sequence[str]
    """Which folds are not there, and why."""


@dataclass(frozen=True, kw_only=True)
class Publication:
    """What became of one task."""

    task: str
    run: int = 0
    """Its number at the server."""
    flow: int = 0
    rows: int = 0
    error: PullbenchError | None = None
    """Why it is not published."""


def publish_runs(start: Path, name: str, client: Client) -> Iterator[Publication]:
    """Upload the stored predictions of BENCHMARK/PARTICIPANT/NAME, one run for each whole task.

    Raises UsageError for an unknown submission, or without an API key.
    """
    key = api_key()
    for folds in evaluated_folds(start, name):
        try:
            run = _run(folds, name)
        except PullbenchError as error:
            yield Publication(task=folds.task, error=error)
            continue
        answer = client.ask("publish_run", run, key=key)
        yield Publication(
            task=folds.task, run=answer["id"], flow=answer["flow"], rows=len(run["rows"])
        )


def _run(folds: TaskFolds, name: str) -> dict[str, Any]:
    """Return a run as the server takes it. Raises PullbenchError where folds are lacking."""
    if folds.lacking:
        raise partial_run(folds.lacking, f"pullbench run {name} --fresh")
    entry = folds.submission
    text = f"{entry.name or entry.id}: {entry.description}".strip(": ")
    flow = f"pullbench.{entry.id.replace('/', '.')}"
    return run_of(flow, folds.version, text[:500] or flow, folds.files)


def evaluated_folds(start: Path, name: str) -> Iterator[TaskFolds]:
    """Yield each task of BENCHMARK/PARTICIPANT/NAME. Raises UsageError for an unknown one."""
    snapshot = load_snapshot(start)
    benchmark_cells = [
        cell for cell in cells(snapshot, utc_now()) if f"{cell.id}".startswith(f"{name}/")
    ]
    if not benchmark_cells:
        raise UsageError(f"there is no submission '{name}'", hint="BENCHMARK/PARTICIPANT/NAME")
    tasks: dict[str, list[Cell]] = {}
    for cell in benchmark_cells:
        tasks.setdefault(cell.task.slug, []).append(cell)
    root = snapshot.tree.root
    records = snapshot.records(benchmark_cells[0].id.benchmark)
    private = PrivateParts(
        data=data_folder(snapshot), cache=root / BUILD / "cache" / "fetched",
        memory=partial(Path, root / BUILD), limit=snapshot.settings.max_data, isolated=False,
    )  # fmt: skip
    for task, parts in tasks.items():
        files, lacking = [], []
        for cell in parts:
            record = records.get(cell.id)
            folder, key = root / snapshot.settings.predictions, cell.keys.prediction
            stored = stored_for(folder, record, key) if record else None
            fault = _fault(record, cell, stored=stored is not None)
            if fault:
                lacking.append(f"fold {cell.id.repeat or 0} {fault}")
            elif stored is not None and not lacking:
                files.append(_files(snapshot, cell, stored.folder, private))
        yield TaskFolds(
            task=task, submission=parts[0].submission, lacking=lacking,
            version=parts[0].keys.parts["submission"][:12], files=[] if lacking else files,
        )  # fmt: skip


def _fault(record: Record | None, cell: Cell, *, stored: bool) -> str:
    if record is None:
        return "has no record"
    if record.keys.score != cell.keys.score:
        return "has a record of other content than the commit's"
    if record.error is not None:
        return f"failed: {record.error.reason}"
    return "" if stored else "has no stored predictions here"


def _files(snapshot: Snapshot, cell: Cell, predictions: Path, private: PrivateParts) -> FoldFiles:
    exporter = Exporter(snapshot.tree, snapshot.tree.root / BUILD / "cache" / "trees")
    job = make_job(snapshot, cell, exporter)
    reference = Source(exporter, private).inputs(job).reference_data
    if reference is None:
        raise PullbenchError(f"task '{cell.task.slug}' has no reference data")
    return FoldFiles(predictions=predictions / "predictions.csv", reference=reference)
