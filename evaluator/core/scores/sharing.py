"""Which cells a run evaluates where several runs write into one folder: none is evaluated twice."""

from collections.abc import Mapping
from dataclasses import dataclass

from evaluator.core.compute.job import Job
from evaluator.core.compute.run_lock import RunLock
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.scores_file import Line
from evaluator.core.scores.writing import Writer


@dataclass(frozen=True, kw_only=True)
class Share:
    """One run's share of the cells that it planned."""

    lock: RunLock
    writer: Writer
    planned: Mapping[CellId, Line | None]
    """What stood there of each cell when it was planned."""

    def claim(self, job: Job, *, wait: bool = False) -> bool:
        """Claim a cell until it is done; False where another run has it, or has written its record.

        ``wait`` waits for a run that has it. Who waits holds no other claim, or two would wait for
        each other.
        """
        if not self.lock.acquire(self._name(job), wait=wait):
            return False
        line = self.writer.line(job.cell)
        if line is None or line == self.planned[job.cell] or line.key != job.keys.score:
            return True
        self.lock.release(self._name(job))
        return False

    def done(self, job: Job) -> None:
        """Note that the record of a cell is written."""
        self.lock.release(self._name(job))

    def _name(self, job: Job) -> str:
        return f"{self.writer.folder.resolve()}: {job.record_name}"
