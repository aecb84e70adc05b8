"""The compute worker: a cell -> its record, whatever happens.

Failures become records; a platform fault is tried again and, if it stays, recorded as one that
the next plan takes up. Only an interruption leaves no record.
"""

import datetime as dt
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

from msgspec.structs import replace

from evaluator.core.compute.contents import JobContents
from evaluator.core.compute.engine.resources import Grant
from evaluator.core.compute.engine.spec import Engine
from evaluator.core.compute.evaluation import CellState, Evaluated
from evaluator.core.compute.gateway import GATEWAYS, OpenWay
from evaluator.core.compute.ingestion import predict, refuse_results
from evaluator.core.compute.job import Job
from evaluator.core.compute.run_folder import scratch_folder
from evaluator.core.compute.scoring import ScoringResult, score
from evaluator.core.compute.steps import (
    CellFailedError,
    Lane,
    StepAttempt,
    as_cell_failures,
    exit_failure,
    fail,
    judge,
)
from evaluator.core.compute.store import LostPredictionsError, PredictionStore
from evaluator.core.errors import PlatformError
from evaluator.core.formats.pinned_files import UNLOCKED
from evaluator.core.formats.record import Reason, StepName
from evaluator.core.plugins import Service

PLAY = Service[Callable[[StepAttempt], ScoringResult]]("modes.parallel")
_ABSENCES = 3
"""Of the engine, while one cell is evaluated; after that it is as likely the cell's doing."""
_ANY_TURN: Lane = nullcontext()
"""The lane of a cell that is evaluated by itself."""


@dataclass(eq=False)
class Worker:
    """Evaluates jobs; one serves all threads."""

    engine: Engine
    store: PredictionStore
    source: JobContents
    scratch: Path
    clock: Callable[[], dt.datetime]
    retries: int
    allow_shortfall: bool = field(default=False, kw_only=True)
    _locks: dict[str, threading.Lock] = field(default_factory=dict, init=False)
    _predicted: set[str] = field(default_factory=set, init=False)

    def evaluate(self, job: Job, *, fresh: bool = False) -> Evaluated:
        """Evaluate one cell, both halves one after the other. Raises StoppedError."""
        return self.finish(self.begin(job, fresh=fresh))

    def begin(self, job: Job, *, fresh: bool = False, lane: Lane = _ANY_TURN) -> CellState:
        """Do the first half, in parallel mode all; ``lane`` is entered while containers run."""
        job = replace(job, capacity=self.engine.capacity)
        cell = CellState(job=job, started=self.clock(), fresh=fresh)
        self._try(cell, partial(self._predict, lane))
        return cell

    def finish(self, cell: CellState, *, lane: Lane = _ANY_TURN) -> Evaluated:
        if cell.error is None and cell.scores is None and not cell.is_handed_over:
            self._try(cell, partial(self._score, lane))
        submitted = self.source.submitted(cell.job)
        return cell.ended(self.engine.isolation, self.clock(), submitted)

    def _try(self, cell: CellState, half: Callable[[CellState, Path], None]) -> None:
        """Run one half; a platform fault is tried again, an engine that was away costs no try."""
        tries = absences = 0
        while True:
            try:
                with scratch_folder(self.scratch) as scratch, as_cell_failures():
                    try:
                        half(cell, scratch)
                    except Exception:
                        if cell.is_laid_out:
                            self.source.check(cell.job)
                        raise
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
                cell.fail_by_platform(error)
            return

    @contextmanager
    def _turn(self, cell: CellState, lane: Lane) -> Iterator[None]:
        with lane:
            cell.started = self.clock()
            yield

    def _attempt(self, cell: CellState, scratch: Path, lane: Lane) -> StepAttempt:
        inputs = self.source.inputs(cell.job)
        cell.is_laid_out = True
        return StepAttempt(
            job=cell.job, inputs=inputs, engine=self.engine, scratch=scratch, lane=lane
        )

    def _predict(self, lane: Lane, cell: CellState, scratch: Path) -> None:
        attempt = self._attempt(cell, scratch, self._turn(cell, lane))
        job, inputs = cell.job, attempt.inputs
        if inputs.code_image.name != job.code_image.name:
            cell.image_used = inputs.code_image.name
        cell.image_id = self.engine.prepare(inputs.code_image)
        if job.scores_files:
            # They are the predictions, whether or not there is an ingestion program; on Codabench
            # that program then runs in vain.
            refuse_results(job, inputs.submission)
            cell.predictions = inputs.submission
            return
        if job.parallel:
            # There is no prediction step whose result could be stored.
            self._check_grant(job.grant)
            refuse_beside_data(job.keys.prediction)
            play = PLAY.load()
            if play is None:
                raise PlatformError("parallel mode needs the plugin 'parallel', which is missing")
            with self._way_out(cell, attempt, "ingestion") as way, attempt.lane:
                cell.finish(play(replace_fields(attempt, way=way)))
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
                refuse_beside_data(key)
                self._check_grant(job.grant)
                with self._way_out(cell, attempt, "ingestion") as way:
                    attempt = replace_fields(attempt, way=way)
                    stored = predict(attempt, self.store, lambda: cell.started)
            predictions, cell.attachments = stored, stored.attachments
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

    @contextmanager
    def _way_out(
        self, cell: CellState, attempt: StepAttempt, step: StepName
    ) -> Iterator[OpenWay | None]:
        way = cell.job.ways_out.get(step)
        if way is None:
            yield None
            return
        keys, folders = cell.job.keys, self.source.folders
        key = keys.score if step == "scoring" else keys.prediction
        with GATEWAYS[way.key].open(
            way, key, attempt.inputs, attempt.engine, scratch=Path(mkdtemp(dir=attempt.scratch)),
            folders={name: folders.folder(id_) for name, id_ in way.folders.items()},
            unfinished=self.store.unfinished(key),
        ) as opened:  # fmt: skip
            try:
                yield opened
            finally:
                cell.attachments = {**cell.attachments, **opened.attachments()}

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

    def _run_scoring(self, lane: Lane, cell: CellState, scratch: Path) -> ScoringResult:
        if cell.predictions is None:
            raise ValueError("the first half left no predictions")
        self._check_grant(cell.job.scoring_grant)
        # Hours may have gone since the first half: the folders are verified once more.
        attempt = self._attempt(cell, scratch, lane)
        predictions = attempt.inputs.submission if cell.job.scores_files else cell.predictions
        # Cells with the same key, as those of equal entries, would share a budget that is open.
        lock = self._locks.setdefault(cell.job.keys.score, threading.Lock())
        try:
            with lock, self._way_out(cell, attempt, "scoring") as way:
                attempt = replace_fields(attempt, scoring_way=way)
                return score(attempt, predictions, cell.check)
        except CellFailedError as failure:
            raise _blame_ingestion(cell, failure) from None


_INCOMPLETE = frozenset(
    {Reason.SCORER_FAILED, Reason.NO_SCORES, Reason.BAD_SCORES, Reason.WRONG_COLUMNS}
)
"""How scoring may end if predictions are missing."""


def _blame_ingestion(cell: CellState, failure: CellFailedError) -> CellFailedError:
    """The failure of the prediction step, if scoring failed for want of what that writes."""
    before = next((step for step in cell.steps if step.step == "ingestion"), None)
    if before is None or before.exit_code in (0, None) or failure.error.reason not in _INCOMPLETE:
        return failure
    return CellFailedError(exit_failure(before, cell.job.author).error, failure.steps)


def refuse_beside_data(prediction_key: str) -> None:
    """Raise PlatformError where unlocked data lie open: no program of a participant runs there."""
    if unlocked := os.environ.get(UNLOCKED):
        fault = Path(unlocked) / f"{prediction_key}.fault"
        said = fault.read_text() if fault.is_file() else "its predictions were not handed over"
        error = PlatformError(said, hint="Comment /retry: all is evaluated again.")
        error.retryable = False
        raise error
