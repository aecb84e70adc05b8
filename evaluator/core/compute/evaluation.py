"""What is known of a cell while it is evaluated, and the record that is made of it."""

import datetime as dt
import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from evaluator import EVALUATOR_VERSION
from evaluator.core.compute.engine.spec import Isolation
from evaluator.core.compute.job import Job
from evaluator.core.compute.scoring import ScoringResult
from evaluator.core.compute.steps import CellFailedError, as_cell_failures, as_failure
from evaluator.core.errors import Actor, PlatformError
from evaluator.core.formats.record import (
    Attachment,
    CellError,
    Provenance,
    Reason,
    Record,
    Step,
    record_keys,
)
from evaluator.core.log import tell_operator


@dataclass(frozen=True, kw_only=True)
class Evaluated:
    """The record of a cell, and its attachments by suffix."""

    record: Record
    attachments: Mapping[str, bytes]
    predictions: Path | None = None
    """Of a job that is scored apart, if there are any; then its record counts for nothing."""

    def with_attachment(self, suffix: str, content: bytes) -> "Evaluated":
        named = {**self.record.attachments, suffix: Attachment.of(content)}
        return Evaluated(
            record=self.record.replace(attachments=named),
            attachments={**self.attachments, suffix: content},
        )


@dataclass(kw_only=True, eq=False)
class CellState:
    """A cell between its halves, and what is known of it so far."""

    job: Job
    started: dt.datetime
    fresh: bool = False
    predictions: Path | None = None
    check: Callable[[], None] = lambda: None
    """Raises LostPredictionsError. Submitted predictions are verified where they are laid out."""
    scores: ScoringResult | None = None
    error: CellError | None = None
    steps: list[Step] = field(default_factory=list)
    image_used: str | None = None
    image_id: str | None = None
    reused: bool = False
    attachments: Mapping[str, bytes] = field(default_factory=dict)
    """Of the first half, by suffix; also of one that failed."""
    is_laid_out: bool = False

    def finish(self, scores: ScoringResult) -> None:
        self.scores = scores
        self.steps += scores.steps

    def fail(self, failure: CellFailedError) -> None:
        """Record a failure; a limit of a machine that gave less says nothing of the submission."""
        error = failure.error
        shortfall = "".join({step.less for step in failure.steps if step.less})
        if shortfall and error.reason in (Reason.TIMED_OUT, Reason.OUT_OF_MEMORY):
            error = error.replace(
                actor=Actor.PLATFORM, reason=Reason.PLATFORM_FAULT,
                message=f"{error.message}, with {shortfall}",
                hint="Evaluate it on a machine that has what the bundle asks for.",
            )  # fmt: skip
        self.error = error
        self.steps += failure.steps

    def fail_by_platform(self, fault: PlatformError) -> None:
        tell_operator(fault)
        self.fail(as_failure(Reason.PLATFORM_FAULT, fault))

    def ended(self, isolation: Isolation, at: dt.datetime, submitted: str = "") -> Evaluated:
        """The cell as it is now; predictions are handed over where another job scores them."""
        job, scores = self.job, self.scores or ScoringResult(columns={})
        attachments = {**scores.attachments, **self.attachments}
        record = Record(
            cell=job.cell,
            keys=record_keys(job.keys),
            status="finished" if self.scores else "failed",
            scores=scores.columns,
            extra=scores.extra,
            attachments={name: Attachment.of(content) for name, content in attachments.items()},
            error=self.error,
            steps=self.steps,
            provenance=Provenance(
                submission_tree=job.keys.parts["submission"],
                commit=job.commit,
                submitted=submitted or self.started.isoformat(),
                started=self.started.isoformat(),
                finished=at.isoformat(),
                evaluator=EVALUATOR_VERSION,
                image=job.code_image.name,
                image_used=self.image_used,
                image_id=self.image_id,
                isolation=isolation,
                queue=job.queue,
                cpu=_cpu_model(),
                cpus=os.cpu_count() or 1,
                memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
                reused_predictions=self.reused,
            ),
        )
        handed_over = self.predictions if self.is_handed_over else None
        return Evaluated(record=record, attachments=attachments, predictions=handed_over)

    @property
    def is_handed_over(self) -> bool:
        return self.job.is_scored_apart and self.error is None


def failed(
    job: Job, error: Exception, isolation: Isolation, clock: Callable[[], dt.datetime]
) -> Evaluated:
    cell = CellState(job=job, started=clock())
    try:
        with as_cell_failures():
            raise error
    except CellFailedError as failure:
        cell.fail(failure)
    except PlatformError as fault:
        cell.fail_by_platform(fault)
    return cell.ended(isolation, clock(), job.submitted)


@lru_cache(maxsize=1)
def _cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
