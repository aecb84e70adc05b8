"""Stored predictions of a submission, task by task, for those who publish them elsewhere."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from evaluator import pipeline
from evaluator.clock import utc_now
from evaluator.compute.private import PrivateParts
from evaluator.compute.store import PredictionStore
from evaluator.errors import PullbenchError, UsageError
from evaluator.formats.submission import Submission
from evaluator.importers.suites.publishing import FoldFiles
from evaluator.planning.export import Exporter
from evaluator.planning.plan import Cell, cells
from evaluator.planning.snapshot import Snapshot
from evaluator.running import BUILD, data_folder, make_job


@dataclass(frozen=True, kw_only=True)
class TaskFolds:
    """All folds of one task, with valid records and stored predictions."""

    version: str
    """Content of the submission, in short: another one is another version of its flow."""
    files: list[FoldFiles]


def evaluated_folds(start: Path, name: str) -> Iterator[tuple[str, Submission, TaskFolds]]:
    """Yield each task of BENCHMARK/PARTICIPANT/NAME whose folds are all there.

    Raises UsageError for an unknown submission, PullbenchError where no task is whole.
    """
    taken = pipeline.snapshot(start)
    own = [cell for cell in cells(taken, utc_now()) if f"{cell.id}".startswith(f"{name}/")]
    if not own:
        raise UsageError(f"there is no submission '{name}'", hint="BENCHMARK/PARTICIPANT/NAME")
    tasks: dict[str, list[Cell]] = {}
    for cell in own:
        tasks.setdefault(cell.task.slug, []).append(cell)
    root = taken.tree.root
    records = taken.records(own[0].id.benchmark)
    store = PredictionStore(root / taken.settings.predictions)
    private = PrivateParts(
        data=data_folder(taken), cache=root / BUILD / "cache" / "fetched",
        memory=partial(Path, root / BUILD), limit=taken.settings.max_data, isolated=False,
    )  # fmt: skip
    whole = 0
    for task, parts in tasks.items():
        files = []
        for cell in parts:
            record = records.get(cell.id)
            kept = store.get(cell.keys.prediction)
            if record is None or record.error or record.keys.score != cell.keys.score or not kept:
                break
            files.append(_files(taken, cell, kept.folder, private))
        else:
            whole += 1
            version = parts[0].keys.parts["submission"][:12]
            yield task, parts[0].submission, TaskFolds(version=version, files=files)
    if not whole:
        raise PullbenchError(
            f"no task of '{name}' has a valid record and stored predictions for every fold",
            hint=f"pullbench run {name} --fresh",
        )


def _files(taken: Snapshot, cell: Cell, predictions: Path, private: PrivateParts) -> FoldFiles:
    exporter = Exporter(taken.tree, taken.tree.root / BUILD / "cache" / "trees")
    reference = make_job(taken, cell, exporter, private).prepare().reference_data
    if reference is None:
        raise PullbenchError(f"task '{cell.task.slug}' has no reference data")
    return FoldFiles(predictions=predictions / "predictions.csv", reference=reference)
