"""What becomes of the cells of a run as they end: believed or not, held back, written."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from evaluator.core.clock import utc_now
from evaluator.core.compute.engine.spec import Isolation
from evaluator.core.compute.evaluation import Evaluated, failed
from evaluator.core.compute.job import Job
from evaluator.core.compute.run_folder import remove_tree
from evaluator.core.compute.steps import CellFailedError
from evaluator.core.compute.store import PredictionStore
from evaluator.core.errors import PlatformError
from evaluator.core.formats.attachments import RACE_SUFFIX
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Record
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.plan import PlannedCell
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.plugins import Service
from evaluator.core.scores.climbing import Climbs
from evaluator.core.scores.hand_over import HAND_OVER
from evaluator.core.scores.redaction import withheld
from evaluator.core.scores.sealing import encrypt_attachments, encrypt_hidden
from evaluator.core.scores.turns import RaceInTurn, with_races
from evaluator.core.scores.writing import Writer

RECORD_FAULT = Service[Callable[[Record, Cell | None, dt.datetime], str | None]](
    "judges.records", "what other machines hand over is judged by 'ci', which is not installed",
    "Use `--executor local`.",
)  # fmt: skip
"""Says why a record from elsewhere is none of its cell's."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RunResults:
    """Writes the records of one run, each as its cell ends."""

    snapshot: Snapshot
    planned: Mapping[CellId, PlannedCell]
    isolation: Isolation
    writer: Writer
    store: PredictionStore
    is_local: bool
    """Whether this machine evaluated the cells."""
    for_others: bool
    climbs: Climbs | None
    """None if no score is held back for a ladder."""
    race: RaceInTurn | None
    run_again: Callable[[Cell], Record]
    drop: Callable[[Job], None]
    """Ends the claim of a job."""
    advance: Callable[[str], None]
    show: Callable[[PlannedCell, Record], str]
    records: dict[CellId, Record] = field(default_factory=dict)
    _climbing: list[tuple[Job, Evaluated]] = field(default_factory=list)
    _raced: dict[str, list[tuple[Job, Evaluated]]] = field(
        default_factory=partial(defaultdict, list)
    )

    def add(self, job: Job, evaluated: Evaluated) -> None:
        """Write a cell that ended, or hold it back until ``write_late``."""
        item = self.planned[job.cell]
        if evaluated.predictions is not None:
            key, folder = job.keys.prediction, evaluated.predictions
            try:
                seal = self.snapshot.settings.seal
                content = HAND_OVER.need()(evaluated.record, key, folder, seal)
            except CellFailedError as error:
                evaluated = failed(job, error, self.isolation, utc_now)
            else:
                self.writer.put_predictions(job.cell, content)
                self.drop(job)
                self.advance(f"{job.cell}: its predictions are handed over, encrypted")
                return
        if not self.is_local:
            evaluated = _believed(evaluated, job, item, self.isolation)
        if item.cell.phase.ladder and self.climbs:
            self._climbing.append((job, evaluated))
        elif self.race and RACE_SUFFIX in job.attachments:
            self._raced[job.submission_path].append((job, evaluated))
        else:
            self._write(job, evaluated, evaluated.record)

    def write_late(self) -> None:
        """Write what depends on other scores: all else that was claimed has to have ended."""
        if self.climbs:
            shown = self.climbs.show(
                [(self.planned[job.cell].cell, one.record) for job, one in self._climbing]
            )
            for job, evaluated in self._climbing:
                self._write(job, evaluated, shown[job.cell])
            self._climbing.clear()
        # Nothing may run beside a race.
        for job, evaluated in with_races(
            self.race, self.snapshot, self._raced, self.planned, self.run_again
        ):
            self._write(job, evaluated, evaluated.record)
        self._raced.clear()

    def _write(self, job: Job, evaluated: Evaluated, record: Record) -> None:
        item, seal = self.planned[job.cell], self.snapshot.settings.seal
        public = encrypt_hidden(record, item.cell.benchmark, seal)
        if item.cell.phase.shows == "status":
            # Not even this run says more; the organisers' key opens the rest.
            record = public = withheld(public)
        files = encrypt_attachments(evaluated.attachments, public, seal)
        if seal and self.for_others and item.cell.phase.limits_attempts:
            self.writer.put_closed(public, files, seal)
        else:
            self.writer.put(public, files)
        self.store.mark_recorded(job.keys.prediction, job.record_name)
        if not evaluated.record.is_platform_fault:
            for key in (job.keys.prediction, job.keys.score):
                remove_tree(self.store.unfinished(key))
        self.drop(job)
        self.records[job.cell] = record
        self.advance(self.show(item, record))


def _believed(evaluated: Evaluated, job: Job, item: PlannedCell, isolation: Isolation) -> Evaluated:
    """Judge a cluster's answer as that of a job of CI: its workers run strangers' code."""
    record = evaluated.record
    fault = RECORD_FAULT.need()(record, item.cell, utc_now())
    if (record.provenance.isolation == "none") != (isolation == "none"):
        fault = f"says that its isolation is '{record.provenance.isolation}'"
    if fault is None:
        return evaluated
    error = PlatformError(
        f"a worker's answer {fault}",
        hint="Does each worker have the same version of pullbench, and is it yours?",
    )
    return failed(job, error, isolation, utc_now)
