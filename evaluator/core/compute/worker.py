"""The compute worker: a cell -> its record, whatever happens.

Failures become records; a platform fault is tried again and, if it stays, recorded as one that
the next plan takes up. Only an interruption leaves no record.
"""

import datetime as dt
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from evaluator.core.compute.cell_state import CellState, make_record
from evaluator.core.compute.contents import Source
from evaluator.core.compute.engine.resources import Grant
from evaluator.core.compute.engine.spec import Engine, Isolation
from evaluator.core.compute.failures import as_cell_failures, judge, platform_fault
from evaluator.core.compute.ingestion import predict
from evaluator.core.compute.job import Job
from evaluator.core.compute.parallel import play
from evaluator.core.compute.run_folder import scratch_folder
from evaluator.core.compute.scoring import Scored, score
from evaluator.core.compute.steps import METADATA, CellFailedError, Lane, exit_failure, fail
from evaluator.core.compute.store import LostPredictionsError, PredictionStore
from evaluator.core.errors import PlatformError
from evaluator.core.formats.record import Reason, Record
from evaluator.core.log import tell_operator

_ABSENCES = 3
"""Of the engine, while one cell is evaluated; after that it is as likely the cell's doing."""
_ANY_TURN: Lane = nullcontext()
"""The lane of a cell that is evaluated by itself."""
Clock = Callable[[], dt.datetime]


@dataclass(frozen=True, kw_only=True)
class Evaluated:
    """The record of a cell, and its page."""

    record: Record
    page: bytes | None
    """The detailed results that the record names, if any."""


@dataclass(eq=False)
class Worker:
    """Evaluates jobs; one serves all threads."""

    engine: Engine
    store: PredictionStore
    source: Source
    scratch: Path
    clock: Clock
    retries: int
    allow_shortfall: bool = field(default=False, kw_only=True)
    """Whether to evaluate also what asks for more than this machine has."""
    _locks: dict[str, threading.Lock] = field(default_factory=dict, init=False)
    _predicted: set[str] = field(default_factory=set, init=False)

    def evaluate(self, job: Job, *, fresh: bool = False) -> Evaluated:
        """Evaluate one cell, both halves one after the other. Raises StoppedError."""
        return self.finish(self.begin(job, fresh=fresh))

    def begin(self, job: Job, *, fresh: bool = False, lane: Lane = _ANY_TURN) -> CellState:
        """Do the first half: predictions. ``fresh`` does not use stored ones.

        In parallel mode it is all there is to do. ``lane`` is entered while containers run.
        """
        job = replace(job, capacity=self.engine.capacity)
        cell = CellState(job=job, started=self.clock(), fresh=fresh)
        self._try(cell, partial(self._predict, lane))
        return cell

    def finish(self, cell: CellState, *, lane: Lane = _ANY_TURN) -> Evaluated:
        """Do the second half, if there are predictions: scores."""
        if cell.error is None and cell.scored is None:
            self._try(cell, partial(self._score, lane))
        submitted = self.source.submitted(cell.job)
        record = make_record(cell, self.engine.isolation, self.clock(), submitted)
        return Evaluated(record=record, page=cell.scored.page if cell.scored else None)

    def _try(self, cell: CellState, half: Callable[[CellState, Path], None]) -> None:
        """Run one half; a failure ends the cell, a platform fault is tried again.

        An engine that was away and is back costs no try.
        """
        tries = absences = 0
        while True:
            try:
                with scratch_folder(self.scratch) as scratch, as_cell_failures():
                    half(cell, scratch)
            except CellFailedError as error:
                cell.fail(judge(cell.job, error, cell.steps))
            except PlatformError as error:
                if error.retryable and absences < _ABSENCES and self.engine.recover():
                    absences += 1
                    continue
                if error.retryable and tries < self.retries:
                    time.sleep(2**tries)
                    tries += 1
                    continue
                tell_operator(error)
                cell.fail(platform_fault(error))
            return

    @contextmanager
    def _turn(self, cell: CellState, lane: Lane) -> Iterator[None]:
        """Enter a lane; the time before was spent waiting."""
        with lane:
            cell.started = self.clock()
            yield

    def _predict(self, lane: Lane, cell: CellState, scratch: Path) -> None:
        job = cell.job
        turn = self._turn(cell, lane)
        inputs = self.source.inputs(job)
        if inputs.code_image.name != job.code_image.name:
            cell.image_used = inputs.code_image.name
        cell.image_id = self.engine.prepare(inputs.code_image)
        if job.scores_files:
            # They are the predictions, whether or not there is an ingestion program; on Codabench
            # that program then runs in vain.
            _refuse_results(job, inputs.submission)
            cell.predictions = inputs.submission
            return
        if job.parallel:
            # There is no prediction step whose result could be stored.
            self._check_grant(job.grant)
            with turn:
                cell.finish(play(job, inputs, self.engine, scratch))
            return
        # Tasks that differ in their scoring alone have one prediction between them: the first to
        # come makes it, and none removes it during another's scoring.
        key = job.keys.prediction
        with self._locks.setdefault(key, threading.Lock()):
            if cell.fresh and key not in self._predicted:
                self.store.drop(key)
            stored = self.store.get(key)
            if stored is not None and stored.step.less not in ("", job.grant.shortfall):
                self.store.drop(key)  # this machine has more resources
                stored = None
            is_new = stored is None or key in self._predicted
            if stored is None:
                self._check_grant(job.grant)
            predictions = stored or predict(
                job, inputs, self.engine, self.store, scratch, turn, lambda: cell.started
            )
            # Predictions of a run that was ended before it wrote the record belong to this
            # evaluation, which began then.
            cell.reused = job.predicted_for not in ("", job.record_name) or not (
                is_new or self.store.lacks_record(key, job.record_name)
            )
            if not cell.reused:
                began = dt.datetime.fromisoformat(predictions.started)
                # A clock that was set back since does not say when they were made.
                cell.reused = began > self.clock()
                cell.started = cell.started if cell.reused else began
            self._predicted.add(key)
        cell.steps = [predictions.step]
        cell.predictions, cell.check = predictions.folder, predictions.check

    def _check_grant(self, grant: Grant) -> None:
        if grant.shortfall and not self.allow_shortfall:
            raise fail(
                Reason.PLATFORM_FAULT,
                f"this machine has {grant.shortfall} that the bundle asks for",
                step=None,
                hint="Name a queue in the bundle whose runners have them, or lower its limits.",
            )

    def _score(self, lane: Lane, cell: CellState, scratch: Path) -> None:
        try:
            cell.check()
            cell.finish(self._run_scoring(lane, cell, scratch))
        except LostPredictionsError:
            self._predict(lane, cell, scratch)
            cell.finish(self._run_scoring(lane, cell, scratch))

    def _run_scoring(self, lane: Lane, cell: CellState, scratch: Path) -> Scored:
        if cell.predictions is None:
            raise ValueError("the first half left no predictions")
        self._check_grant(cell.job.scoring_grant)
        # Hours may have gone since the first half: the folders are verified once more.
        inputs = self.source.inputs(cell.job)
        predictions = inputs.submission if cell.job.scores_files else cell.predictions
        try:
            return score(cell.job, inputs, predictions, self.engine, scratch, lane, cell.check)
        except CellFailedError as failure:
            raise _blame_ingestion(cell, failure) from None


_INCOMPLETE = frozenset(
    {Reason.SCORER_FAILED, Reason.NO_SCORES, Reason.BAD_SCORES, Reason.WRONG_COLUMNS}
)
"""How scoring may end if predictions are missing."""


def _blame_ingestion(cell: CellState, failure: CellFailedError) -> CellFailedError:
    """Return the failure of the prediction step if the scoring program failed for want of it.

    With ``ingestion_may_fail`` in the bundle, an error of that step alone stops nothing.
    """
    before = next((step for step in cell.steps if step.step == "ingestion"), None)
    if before is None or before.exit_code in (0, None) or failure.error.reason not in _INCOMPLETE:
        return failure
    return CellFailedError(exit_failure(before, cell.job.author).error, failure.steps)


def failed(job: Job, error: Exception, isolation: Isolation, clock: Clock) -> Evaluated:
    """Return the record of a cell with which no engine could begin."""
    cell = CellState(job=job, started=clock(), fresh=False)
    try:
        with as_cell_failures():
            raise error
    except CellFailedError as failure:
        cell.fail(failure)
    except PlatformError as fault:
        tell_operator(fault)
        cell.fail(platform_fault(fault))
    record = make_record(cell, isolation, clock(), job.submitted)
    return Evaluated(record=record, page=None)


def _refuse_results(job: Job, submission: Path) -> None:
    """Refuse results that nothing can score, or that state their own time."""
    if job.parallel:
        raise fail(
            Reason.BAD_INPUT,
            f"the task '{job.task_name}' is played by an agent while it is scored; it takes no "
            "results",
            step=None, hint="Submit 'kind: code'.",
        )  # fmt: skip
    if (submission / METADATA).exists():
        raise fail(
            Reason.UNSAFE_OUTPUT,
            f"the predictions hold a file called '{METADATA}', which is the worker's to write",
            step=None,
            hint="Give it another name"
            + (", or submit 'kind: code'." if job.kind.holds_predictions else "."),
        )  # fmt: skip
