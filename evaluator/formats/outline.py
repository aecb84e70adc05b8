"""What boards need of a record, a tenth of its size: no logs, machines or digests of parts.

Everything has the name that it has in a record, so that what is said of the one can be said of the
other. Outlines are made of records that were checked, and go from process to process as lists
without names.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal, TypeVar

import msgspec

from evaluator.formats.cell import CellId
from evaluator.formats.record import CellError, DetailedResults, Earlier, Part, Record, Step
from evaluator.formats.record_lines import cell_of, finished, steps_of
from evaluator.formats.scores_form import Line, ScoresFile


class OutlineKeys(Part, frozen=True, kw_only=True, array_like=True):
    """What identifies the record."""

    score: str


class OutlineStep(Part, frozen=True, kw_only=True, array_like=True):
    """What one container took."""

    step: Literal["ingestion", "scoring"]
    wall_seconds: float
    peak_memory: int | None
    """Bytes; None where the host does not tell."""
    less: str = ""
    log: ClassVar[str] = ""
    """Whole records have logs."""


class OutlineProvenance(Part, frozen=True, kw_only=True, array_like=True):
    """Where a record comes from."""

    submission_tree: str
    submitted: str
    started: str
    finished: str
    queue: str
    reused_predictions: bool


NO_CELL = CellId(benchmark="", participant="", submission="", phase="", task="")


class Outline(Part, frozen=True, kw_only=True, array_like=True):
    """A record without its bulk; see there what is not said here."""

    keys: OutlineKeys
    status: Literal["finished", "failed"]
    scores: dict[str, float]
    extra: dict[str, float]
    error: CellError | None
    earlier: list[Earlier]
    steps: list[OutlineStep]
    detailed_results: DetailedResults | None
    provenance: OutlineProvenance
    cell: CellId = NO_CELL
    """Told by its path; a packed one says none."""

    def step(self, name: str) -> OutlineStep | None:
        """Return what a step took, if it ran."""
        for step in self.steps:  # a generator takes thrice as long, half a million times
            if step.step == name:
                return step
        return None


def outline(record: Record) -> Outline:
    """Return the outline of a record."""
    return msgspec.convert(record, Outline, from_attributes=True)


def outline_of(file: ScoresFile, line: Line) -> Outline:
    """Return what boards need of a line."""
    run = file.runs[line.run]
    return Outline(
        keys=OutlineKeys(score=line.key), status=line.status, scores=line.scores,
        extra=line.extra, error=line.error, earlier=line.earlier,
        steps=[
            OutlineStep(
                step=step, wall_seconds=took.wall_seconds, peak_memory=took.peak_memory,
                less=run.steps[step].less if step in run.steps else "",
            )
            for step, took in steps_of(line)
        ],
        detailed_results=line.details,
        provenance=OutlineProvenance(
            submission_tree=run.submission, submitted=run.submitted,
            started=line.started.isoformat(), finished=finished(line), queue=run.queue,
            reused_predictions=line.reused,
        ),
        cell=cell_of(file, line),
    )  # fmt: skip


def clock_seconds(steps: Sequence[Step | OutlineStep], *, at_once: bool) -> list[float]:
    """Return the wall-clock seconds whose sum a cell took.

    Steps that ran ``at_once`` have the longest one's time between them.
    """
    seconds = [step.wall_seconds for step in steps]
    return [max(seconds)] if at_once and seconds else seconds


AnyRecord = Record | Outline
Known = TypeVar("Known", bound=Record | Outline)
