"""Programs whose labels are hidden: one job predicts without a key, and another one scores.

What the first hands over is encrypted; the second runs the organiser's scoring program alone.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec.structs import replace

from evaluator.core.compute.gateway import GATEWAYS
from evaluator.core.compute.job import Job
from evaluator.core.errors import UsageError
from evaluator.core.formats.pinned_files import PREDICTIONS
from evaluator.core.formats.record import Record
from evaluator.core.formats.settings import Settings
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.plan import PlannedCell
from evaluator.core.plugins import Service
from evaluator.core.scores.runnable import labels_of

HAND_OVER = Service[Callable[[Record, str, Path, str], bytes]](
    "private_data.hand_over", "predictions are encrypted by 'importing', which is not installed",
    "Install all of pullbench.",
)  # fmt: skip
"""From a record without scores, a prediction key, predictions and a public key to what the job
with the reference data opens. Raises CellFailedError."""


def is_scored_apart(cell: Cell, settings: Settings) -> bool:
    """Whether a job without a key runs the program, and the job with the key scores.

    Machines of the organiser's own may have the key there. What the program itself would have to
    see cannot be hidden from it, and what a gateway notes is not handed over.
    """
    encrypted = {pin.file for pin in cell.task.private if pin.encrypted}
    return bool(
        settings.seal
        and encrypted == {"reference_data"}
        and not cell.scores_files
        and not cell.task.parallel
        and GATEWAYS.keys().isdisjoint(cell.benchmark.of_plugins)
        and cell.benchmark.repeat_data_of(cell.task) != "rows"
        and "self-hosted" not in labels_of(cell.benchmark.queue, settings.queues)
    )


def scored_apart(job: Job) -> Job:
    """A job that predicts, and for which nobody looks for the reference data."""
    private = tuple(item for item in job.private if item.file != "reference_data")
    contents = replace(job.contents, reference_data="")
    return replace(job, is_scored_apart=True, private=private, contents=contents)


def handed_over(planned: Iterable[PlannedCell], unlocked: Path) -> list[PlannedCell]:
    """Leave out programs that left no predictions: the job that ran them says why."""
    stored = {path.name for path in (unlocked / PREDICTIONS).glob("*/*/*")}
    faults = {path.stem for path in unlocked.glob("*.fault")}
    return [
        item for item in planned
        if item.cell.scores_files
        or item.cell.keys.prediction in stored | faults
    ]  # fmt: skip


def refuse_programs(cells: Iterable[Cell], settings: Settings) -> None:
    """Raise UsageError for a cell that runs a participant's program: data lie open beside it."""
    for cell in cells:
        if not (cell.scores_files or is_scored_apart(cell, settings)):
            raise UsageError(
                f"{cell.id} runs a participant's program, which is never run beside unlocked data",
                hint="Evaluate it on machines of your own that have the key, without `unlock`.",
            )
