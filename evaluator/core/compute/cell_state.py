"""A cell while it is evaluated, and its record."""

import datetime as dt
import hashlib
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from evaluator import EVALUATOR_VERSION
from evaluator.core.compute.engine.spec import Isolation
from evaluator.core.compute.job import Job
from evaluator.core.compute.scoring import Scored
from evaluator.core.compute.steps import CellFailedError
from evaluator.core.errors import Actor
from evaluator.core.formats.record import (
    CellError,
    DetailedResults,
    Provenance,
    Reason,
    Record,
    Step,
    record_keys,
)


@dataclass(kw_only=True, eq=False)
class CellState:
    """A cell between its halves, and what is known of it so far."""

    job: Job
    started: dt.datetime
    fresh: bool
    predictions: Path | None = None
    check: Callable[[], None] = lambda: None
    """Raises LostPredictionsError. Submitted predictions are verified where they are laid out."""
    scored: Scored | None = None
    error: CellError | None = None
    steps: list[Step] = field(default_factory=list)
    image_used: str | None = None
    image_id: str | None = None
    reused: bool = False

    def finish(self, scored: Scored) -> None:
        self.scored = scored
        self.steps += scored.steps

    def fail(self, failure: CellFailedError) -> None:
        """Record a failure; the measurements of earlier steps stay.

        A limit of a machine that gave less than was asked for says nothing of the submission.
        """
        error = failure.error
        shortfall = "".join({step.less for step in failure.steps if step.less})
        if shortfall and error.reason in (Reason.TIMED_OUT, Reason.OUT_OF_MEMORY):
            error = error.model_copy(
                update={
                    "actor": Actor.PLATFORM, "reason": Reason.PLATFORM_FAULT,
                    "message": f"{error.message}, with {shortfall}",
                    "hint": "Evaluate it on a machine that has what the bundle asks for.",
                }
            )  # fmt: skip
        self.error = error
        self.steps += failure.steps


def make_record(
    cell: CellState, isolation: Isolation, finished: dt.datetime, submitted: str = ""
) -> Record:
    """Make the record of a cell that has ended on this machine; ``submitted`` is when it came."""
    job, scored = cell.job, cell.scored
    return Record(
        cell=job.cell,
        keys=record_keys(job.keys),
        status="finished" if scored else "failed",
        scores=scored.scores.columns if scored else {},
        extra=scored.scores.extra if scored else {},
        detailed_results=describe_page(scored.page) if scored else None,
        error=cell.error,
        steps=cell.steps,
        provenance=Provenance(
            submission_tree=job.keys.parts["submission"],
            commit=job.commit,
            submitted=submitted or cell.started.isoformat(),
            started=cell.started.isoformat(),
            finished=finished.isoformat(),
            evaluator=EVALUATOR_VERSION,
            image=job.code_image.name,
            image_used=cell.image_used,
            image_id=cell.image_id,
            isolation=isolation,
            queue=job.queue,
            cpu=_cpu_model(),
            cpus=os.cpu_count() or 1,
            memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
            reused_predictions=cell.reused,
        ),
    )


def describe_page(page: bytes | None) -> DetailedResults | None:
    if page is None:
        return None
    return DetailedResults(sha256=hashlib.sha256(page).hexdigest(), bytes=len(page))


@lru_cache(maxsize=1)
def _cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
