"""Cells assigned to jobs: notes in the ledger, against which their records are checked."""

import datetime as dt
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import HANDED_OUT, Note, note_json, shard
from evaluator.ci.ledger.queues import SCORE, split_scored, to_matrix
from evaluator.core.formats.settings import Settings
from evaluator.core.planning.plan import PlannedCell

COLLECT = "collect"
"""Scope of cells that no pull request brought."""
Jobs = Mapping[str, Mapping[str, str]]
"""Job -> its cells, each with the score key that was planned."""


class JobCells(Note):
    """That cells were given to a job, which answers for them and for no others."""

    job: str
    cells: dict[str, str]
    """Name -> the score key that was planned."""


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """The cells that were given to jobs together."""

    scope: str
    """Id of the approval, or ``collect``."""
    id: str
    """Begins with the time, so that the last one is known without reading any."""
    jobs: Jobs

    def key_of(self, cell: str) -> str | None:
        return next((cells[cell] for cells in self.jobs.values() if cell in cells), None)


def assign(
    scope: str, planned: Sequence[PlannedCell], settings: Settings, now: dt.datetime
) -> Assignment:
    keys = {str(item.cell.id): item.cell.keys.score for item in planned}
    matrix, scored = split_scored(planned, settings)
    jobs = {
        job["name"]: {name: keys[name] for name in job["cells"].split()}
        for job in to_matrix(matrix, settings.queues)["include"]
    }
    if scored:
        jobs[SCORE] = {str(item.cell.id): item.cell.keys.score for item in scored}
    digest = hashlib.sha256(json.dumps(jobs, sort_keys=True).encode()).hexdigest()[:16]
    return Assignment(scope=scope, id=f"{id_time(now)}-{digest}", jobs=jobs)


def assignment_files(assignment: Assignment) -> dict[str, bytes]:
    folder = f"{_folder(assignment.scope)}/{assignment.id[:_MONTH]}/{assignment.id}"
    return {
        f"{folder}/{job}.json": note_json(JobCells(job=job, cells=dict(cells)))
        for job, cells in assignment.jobs.items()
    }


def read_assignment(ledger: Ledger, scope: str, name: str = "") -> Assignment | None:
    folder, name = _folder(scope), name or last_id(ledger, scope)
    paths = ledger.entries.below(f"{folder}/{name[:_MONTH]}/{name}") if name else []
    jobs = {note.job: note.cells for _, note in ledger.notes(paths, JobCells)}
    return Assignment(scope=scope, id=name, jobs=jobs) if jobs else None


def last_id(ledger: Ledger, scope: str) -> str:
    """The id of the last assignment; empty if there is none."""
    folder = _folder(scope)
    months = ledger.entries.names(folder)
    return ledger.entries.names(f"{folder}/{months[-1]}")[-1] if months else ""


def times_handed_out(ledger: Ledger, scope: str) -> int:
    folder = _folder(scope)
    names = ledger.entries.names
    return sum(len(names(f"{folder}/{month}")) for month in names(folder))


def id_time(at: dt.datetime) -> str:
    return f"{at:%Y%m%dT%H%M%S%f}"


def _folder(scope: str) -> str:
    return f"{HANDED_OUT}/{scope}" if scope == COLLECT else f"{shard(HANDED_OUT, scope)}/{scope}"


_MONTH = len("202601")
"""What ids begin with; names the folders of a scope."""
