"""The compute worker: a cell -> its record, whatever happens.

Failures become records; a platform fault is tried again and, if it stays, recorded as one that
the next plan takes up. Only an interruption leaves no record.
"""

import datetime as dt
import os
import platform
import tempfile
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from evaluator import EVALUATOR_VERSION
from evaluator.compute.engine.spec import Engine, ImageError, ProgramError
from evaluator.compute.ingestion import predict
from evaluator.compute.job import Job
from evaluator.compute.mounts import Inputs
from evaluator.compute.scores import Scores
from evaluator.compute.scoring import score
from evaluator.compute.steps import CellFailedError, fail
from evaluator.compute.store import PredictionStore
from evaluator.errors import Actor, InvalidInputError, PlatformError, PullbenchError
from evaluator.formats.record import (
    CellError,
    CellName,
    Provenance,
    Reason,
    Record,
    Step,
    record_keys,
)

Clock = Callable[[], dt.datetime]


class Worker:
    """Evaluates jobs; one serves all threads."""

    def __init__(
        self, engine: Engine, store: PredictionStore, scratch: Path, clock: Clock, retries: int
    ) -> None:
        self._engine = engine
        self._store = store
        self._scratch = scratch
        self._clock = clock
        self._retries = retries

    def evaluate(self, job: Job, *, fresh: bool = False) -> Record:
        """Evaluate one cell; ``fresh`` does not use stored predictions. Raises StoppedError."""
        started = self._clock()
        if fresh:
            self._store.drop(job.keys.prediction)
        for attempt in range(self._retries + 1):
            outcome = _Outcome()
            try:
                with tempfile.TemporaryDirectory(prefix="cell-", dir=self._scratch) as scratch:
                    self._run(job, Path(scratch), outcome)
            except CellFailedError as error:
                outcome.fail(error)
            except PlatformError as error:
                outcome.fail(_platform_fault(error))
                if attempt < self._retries:
                    time.sleep(2**attempt)
                    continue
            break
        return self._record(job, outcome, started)

    def _run(self, job: Job, scratch: Path, outcome: "_Outcome") -> None:
        try:
            inputs = job.prepare()
            outcome.image_id = self._engine.prepare(inputs.image)
            predictions = self._predictions(job, inputs, scratch, outcome)
            outcome.scores, step = score(job, inputs, predictions, self._engine, scratch)
            outcome.steps.append(step)
        except InvalidInputError as error:
            actor = error.problems[0].actor
            raise fail(Reason.BAD_INPUT, error.message, step=None, actor=actor) from None
        except ImageError as error:
            raise _as_failure(Reason.BAD_IMAGE, error) from None
        except ProgramError as error:
            raise _as_failure(Reason.BAD_PROGRAM, error) from None

    def _predictions(self, job: Job, inputs: Inputs, scratch: Path, outcome: "_Outcome") -> Path:
        if job.submission.kind == "results":
            return inputs.submission
        stored = self._store.get(job.keys.prediction)
        outcome.reused = stored is not None
        predictions = stored or predict(job, inputs, self._engine, self._store, scratch)
        outcome.steps.append(predictions.step)
        return predictions.folder

    def _record(self, job: Job, outcome: "_Outcome", started: dt.datetime) -> Record:
        scores = outcome.scores
        return Record(
            cell=CellName(
                benchmark=job.cell.benchmark,
                participant=job.cell.participant,
                submission=job.cell.submission,
                phase=job.cell.phase,
                task=job.cell.task,
                repeat=job.cell.repeat,
            ),
            keys=record_keys(job.keys),
            status="finished" if scores else "failed",
            scores=scores.columns if scores else {},
            extra=scores.extra if scores else {},
            error=outcome.error,
            steps=outcome.steps,
            provenance=Provenance(
                submission_tree=job.keys.parts["submission"],
                commit=job.commit,
                submitted=job.submitted or started.isoformat(),
                started=started.isoformat(),
                finished=self._clock().isoformat(),
                evaluator=EVALUATOR_VERSION,
                image=job.benchmark.docker_image,
                image_id=outcome.image_id,
                isolation=self._engine.isolation,
                queue=job.benchmark.queue,
                cpu=cpu_model(),
                cpus=os.cpu_count() or 1,
                memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
                reused_predictions=outcome.reused,
            ),
        )


class _Outcome:
    """What is known of a cell so far."""

    def __init__(self) -> None:
        self.scores: Scores | None = None
        self.error: CellError | None = None
        self.steps: list[Step] = []
        self.image_id: str | None = None
        self.reused = False

    def fail(self, failure: CellFailedError) -> None:
        """Take over a failure; the measurements of earlier steps stay."""
        self.scores = None
        self.error = failure.error
        if failure.step is not None:
            self.steps.append(failure.step)


def _as_failure(reason: Reason, error: PullbenchError) -> CellFailedError:
    return fail(reason, error.message, step=None, hint=error.hint, actor=error.actor)


def _platform_fault(error: PlatformError) -> CellFailedError:
    return fail(
        Reason.PLATFORM_FAULT, error.message, step=None, hint=error.hint, actor=Actor.PLATFORM
    )


@lru_cache(maxsize=1)
def cpu_model() -> str:
    """Model of the processor, for comparing times."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
