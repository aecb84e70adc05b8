"""The compute worker: a cell -> its record, whatever happens.

Failures become records; a platform fault is tried again and, if it stays, recorded as one that
the next plan takes up. Only an interruption leaves no record.
"""

import datetime as dt
import hashlib
import os
import platform
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from evaluator import EVALUATOR_VERSION
from evaluator.compute.engine.scratch import scratch_folder
from evaluator.compute.engine.spec import Engine, ImageError, ProgramError, StoppedError
from evaluator.compute.granting import Grant
from evaluator.compute.ingestion import predict
from evaluator.compute.job import Job
from evaluator.compute.mounts import Inputs
from evaluator.compute.parallel import play
from evaluator.compute.program import program_root
from evaluator.compute.scoring import Scored, score
from evaluator.compute.steps import METADATA, CellFailedError, Lane, fail
from evaluator.compute.store import LostPredictionsError, PredictionStore
from evaluator.errors import (
    Actor,
    InvalidInputError,
    PlatformError,
    PullbenchError,
    error_name,
    host_fault,
)
from evaluator.formats.record import (
    CellError,
    CellName,
    DetailedResults,
    Provenance,
    Reason,
    Record,
    Step,
    record_keys,
)
from evaluator.log import tell_operator

_ABSENCES = 3
"""Of the engine, while one cell is evaluated; after that it is as likely the cell's doing."""
Clock = Callable[[], dt.datetime]
Half = Callable[["Started", Path], None]
_OWN: Lane = nullcontext()
"""The lane of a cell that is evaluated by itself."""


@dataclass(frozen=True, kw_only=True)
class Evaluated:
    """What came of a cell."""

    record: Record
    page: bytes | None
    """The detailed results that the record names, if any."""


class Worker:
    """Evaluates jobs; one serves all threads."""

    def __init__(
        self,
        engine: Engine,
        store: PredictionStore,
        scratch: Path,
        clock: Clock,
        retries: int,
        *,
        with_less: bool = False,
    ) -> None:
        """``with_less`` evaluates also what asks for more than this machine has."""
        self._engine = engine
        self._store = store
        self._scratch = scratch
        self._clock = clock
        self._retries = retries
        self._with_less = with_less
        self._locking = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._made: set[str] = set()

    def evaluate(self, job: Job, *, fresh: bool = False) -> Evaluated:
        """Evaluate one cell, both halves one after the other. Raises StoppedError."""
        started = self.begin(job, fresh=fresh)
        return self.finish(started)

    def begin(self, job: Job, *, fresh: bool = False, lane: Lane = _OWN) -> "Started":
        """Do the first half: predictions. ``fresh`` does not use stored ones.

        In parallel mode it is all there is to do. ``lane`` is entered while containers run.
        """
        job = replace(job, capacity=self._engine.capacity)
        cell = Started(job, self._clock(), fresh=fresh)
        self._try(cell, partial(self._predict, lane))
        return cell

    def finish(self, cell: "Started", *, lane: Lane = _OWN) -> Evaluated:
        """Do the second half, where there are predictions: scores."""
        if cell.error is None and cell.scored is None:
            self._try(cell, partial(self._score, lane))
        return Evaluated(record=self._record(cell), page=cell.scored.page if cell.scored else None)

    def _try(self, cell: "Started", half: Half) -> None:
        """Run one half; a failure ends the cell, a platform fault is tried again.

        An engine that was away and is back costs no try.
        """
        tries = absences = 0
        while True:
            try:
                with scratch_folder(self._scratch) as scratch:
                    _with_reasons(half, cell, scratch)
            except CellFailedError as error:
                cell.fail(error)
            except PlatformError as error:
                if error.again and absences < _ABSENCES and self._engine.recover():
                    absences += 1
                    continue
                if error.again and tries < self._retries:
                    time.sleep(2**tries)
                    tries += 1
                    continue
                tell_operator(error)
                cell.fail(_platform_fault(error))
            return

    @contextmanager
    def _turn(self, cell: "Started", lane: Lane) -> Iterator[None]:
        """Enter a lane; what came before was waiting."""
        with lane:
            cell.started = self._clock()
            yield

    def _predict(self, lane: Lane, cell: "Started", scratch: Path) -> None:
        job = cell.job
        turn = self._turn(cell, lane)
        inputs = _at_their_roots(job.prepare())
        if inputs.image.name != job.benchmark.docker_image:
            cell.image_used = inputs.image.name
        cell.image_id = self._engine.prepare(inputs.image)
        if job.scores_files:
            # They are the predictions, whether or not there is an ingestion program; on Codabench
            # that program then runs in vain.
            refuse_results(job, inputs.submission)
            cell.predictions = inputs.submission
            return
        if job.task.parallel:
            # There is no prediction step whose result could be kept.
            self._admit(job.grant)
            with turn:
                played = play(job, inputs, self._engine, scratch)
            self._take(cell, played)
            return
        # Tasks that differ in their scoring alone have one prediction between them: whichever
        # comes first makes it, and none takes it away under another's scoring program.
        key = job.keys.prediction
        with self._lock_of(key):
            if cell.fresh and key not in self._made:
                self._store.drop(key)
            stored = self._store.get(key)
            if stored is not None and stored.step.less not in ("", job.grant.less):
                self._store.drop(key)  # this machine has more than the one that made them
                stored = None
            made_here = stored is None or key in self._made
            if stored is None:
                self._admit(job.grant)
            predictions = stored or predict(
                job, inputs, self._engine, self._store, scratch, turn, lambda: cell.started
            )
            # What a run made that was ended before it could write the record belongs to this
            # evaluation, which began then.
            cell.reused = job.predicted_for not in ("", job.record_name) or not (
                made_here or self._store.lacks_record(key, job.record_name)
            )
            if not cell.reused:
                cell.started = dt.datetime.fromisoformat(predictions.started)
            self._made.add(key)
        cell.steps = [predictions.step]
        cell.predictions, cell.check = predictions.folder, predictions.check

    def _admit(self, grant: Grant) -> None:
        """Refuse what the machine is too small for, unless it is to run within what there is."""
        if grant.less and not self._with_less:
            raise fail(
                Reason.PLATFORM_FAULT, f"this machine has {grant.less} that the bundle asks for",
                step=None,
                hint="Name a queue in the bundle whose runners have them, or lower its limits.",
            )  # fmt: skip

    def _lock_of(self, key: str) -> threading.Lock:
        with self._locking:
            return self._locks.setdefault(key, threading.Lock())

    def _score(self, lane: Lane, cell: "Started", scratch: Path) -> None:
        try:
            cell.check()
            self._take(cell, self._scored(lane, cell, scratch))
        except LostPredictionsError:
            self._predict(lane, cell, scratch)
            self._take(cell, self._scored(lane, cell, scratch))

    def _scored(self, lane: Lane, cell: "Started", scratch: Path) -> Scored:
        if cell.predictions is None:
            raise ValueError("the first half left no predictions")
        self._admit(cell.job.scoring_grant)
        # Hours may have gone since the first half: the folders are looked at once more.
        inputs = _at_their_roots(cell.job.prepare())
        predictions = inputs.submission if cell.job.scores_files else cell.predictions
        return score(cell.job, inputs, predictions, self._engine, scratch, lane, cell.check)

    def _take(self, cell: "Started", scored: Scored) -> None:
        cell.scored = scored
        cell.steps += scored.steps

    def _record(self, cell: "Started") -> Record:
        job, scored = cell.job, cell.scored
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
            status="finished" if scored else "failed",
            scores=scored.scores.columns if scored else {},
            extra=scored.scores.extra if scored else {},
            detailed_results=_described(scored.page) if scored else None,
            error=cell.error,
            steps=cell.steps,
            provenance=Provenance(
                submission_tree=job.keys.parts["submission"],
                commit=job.commit,
                submitted=job.submitted() or cell.started.isoformat(),
                started=cell.started.isoformat(),
                finished=self._clock().isoformat(),
                evaluator=EVALUATOR_VERSION,
                image=job.benchmark.docker_image,
                image_used=cell.image_used,
                image_id=cell.image_id,
                isolation=self._engine.isolation,
                queue=job.benchmark.queue,
                cpu=cpu_model(),
                cpus=os.cpu_count() or 1,
                memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
                reused_predictions=cell.reused,
            ),
        )


class Started:
    """A cell between its halves, and what is known of it so far."""

    def __init__(self, job: Job, started: dt.datetime, *, fresh: bool) -> None:
        self.job = job
        self.started = started
        self.fresh = fresh
        self.predictions: Path | None = None
        self.check: Callable[[], None] = _nothing_to_check
        self.scored: Scored | None = None
        self.error: CellError | None = None
        self.steps: list[Step] = []
        self.image_used: str | None = None
        self.image_id: str | None = None
        self.reused = False

    def fail(self, failure: CellFailedError) -> None:
        """Take over a failure; the measurements of earlier steps stay.

        What a machine ended that gave less than was asked for says nothing of the submission.
        """
        error = failure.error
        less = "".join({step.less for step in failure.steps if step.less})
        if less and error.reason in (Reason.TIMED_OUT, Reason.OUT_OF_MEMORY):
            error = error.model_copy(
                update={
                    "actor": Actor.PLATFORM, "reason": Reason.PLATFORM_FAULT,
                    "message": f"{error.message}, with {less}",
                    "hint": "Evaluate it on a machine that has what the bundle asks for.",
                }
            )  # fmt: skip
        self.error = error
        self.steps += failure.steps


def refuse_results(job: Job, submission: Path) -> None:
    """Refuse results where there is nothing to score them with, or that tell their own time."""
    if job.task.parallel:
        raise fail(
            Reason.BAD_INPUT,
            f"the task '{job.task.name}' is played by an agent while it is scored; it takes no "
            "results",
            step=None, hint="Submit 'kind: code'.",
        )  # fmt: skip
    if (submission / METADATA).exists():
        raise fail(
            Reason.UNSAFE_OUTPUT,
            f"the predictions hold a file called '{METADATA}', which is the worker's to write",
            step=None,
            hint="Give it another name"
            + (", or submit 'kind: code'." if job.submission.kind == "results" else "."),
        )  # fmt: skip


def _nothing_to_check() -> None:
    """Do nothing: what is scored as it was submitted is looked at where it is laid out."""


def _described(page: bytes | None) -> DetailedResults | None:
    if page is None:
        return None
    return DetailedResults(sha256=hashlib.sha256(page).hexdigest(), bytes=len(page))


def _at_their_roots(inputs: Inputs) -> Inputs:
    """Find the programs in zips that were made of a folder."""
    return replace(
        inputs,
        scoring_program=program_root(inputs.scoring_program),
        ingestion_program=(inputs.ingestion_program and program_root(inputs.ingestion_program)),
    )


def _with_reasons(half: Half, cell: Started, scratch: Path) -> None:
    """Give what can go wrong around the containers its reason and its actor."""
    try:
        half(cell, scratch)
    except InvalidInputError as error:
        actor = error.problems[0].actor
        raise fail(Reason.BAD_INPUT, error.message, step=None, actor=actor) from None
    except ImageError as error:
        if error.__cause__ is not None:
            tell_operator(error)
        raise _as_failure(Reason.BAD_IMAGE, error) from None
    except ProgramError as error:
        raise _as_failure(Reason.BAD_PROGRAM, error) from None
    except (CellFailedError, StoppedError):
        raise
    except PlatformError as error:
        if error.is_public:
            raise
        text = f"this machine failed ({error_name(error)})"
        raise PlatformError(text, hint=error.hint) from error
    except Exception as error:
        fault = host_fault(error, named=False) if isinstance(error, OSError) else None
        if fault is not None:
            raise fault from error
        # Also what is a defect of ours: it must not end the run, nor say in public what it holds.
        raise PlatformError(f"this machine failed ({error_name(error)})") from error


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
