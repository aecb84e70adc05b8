"""Records as changes of a branch: which that were handed in are new, and what they change."""

import datetime as dt
from collections.abc import Collection, Mapping

from evaluator.formats.cell import CellId, cell_of_path
from evaluator.formats.record import Record, succeed
from evaluator.formats.record_json import from_json, to_json
from evaluator.formats.submission import FILE_NAME, Submission
from evaluator.git.write import Files
from evaluator.planning.arrivals import first_arrival
from evaluator.planning.ledger import Ledger
from evaluator.planning.plan import Cell, cells
from evaluator.planning.snapshot import Snapshot
from evaluator.planning.versions import work_of
from evaluator.scores.validation import Accepted, Handed


def started_cells(taken: Snapshot, now: dt.datetime) -> dict[CellId, Cell]:
    """Return the cells of phases that have begun."""
    return {cell.id: cell for cell in cells(taken, now) if cell.phase.has_started(now)}


def without_known(handed: Handed, taken: Snapshot) -> Handed:
    """Leave out the records that the branch has byte for byte."""
    named = [cell for path in handed if (cell := cell_of_path(path)) is not None]
    known = {cell.record_path: content for cell, content in taken.record_files.stream(named)}
    return {path: contents for path, contents in handed.items() if known.get(path) not in contents}


def record_changes(
    accepted: Mapping[CellId, Accepted],
    taken: Snapshot,
    ledger: Ledger | None = None,
    gone: Collection[CellId] = (),
) -> Files:
    """Make the changes that bring records to a branch; pages of replaced ones go."""
    by_id = {item.id: item for item in taken.submissions}
    taken.record_files.load(accepted)
    files: dict[str, bytes | None] = {}
    came: dict[str, str | None] = {}
    for cell, item in accepted.items():
        old = taken.record_files.get(cell)
        record = _with_history(item.record, None if cell in gone else old)
        submission = by_id.get(f"{cell.benchmark}/{cell.participant}/{cell.submission}")
        if ledger is not None and submission is not None:
            if submission.id not in came:
                came[submission.id] = _came(submission, taken, ledger)
            # Ties, and whose last submission counts, go by it: it is no runner's to say.
            times = {"submitted": came[submission.id] or record.provenance.submitted}
            provenance = record.provenance.model_copy(update=times)
            record = record.model_copy(update={"provenance": provenance})
        content = item.content if record == item.record else to_json(record)
        if taken.record_files.get(cell) == content:
            continue
        files[cell.record_path] = content
        for path in cell.page_paths:
            if item.page is not None and path == record.page_path:
                files[path] = item.page
            elif path in taken.tree.entries:
                files[path] = None
    return files


def _came(submission: Submission, taken: Snapshot, ledger: Ledger) -> str | None:
    """When a submission came as it is: as CI saw it, or as git tells."""
    first = first_arrival(ledger, submission.id, work_of(taken.tree, submission))
    return first.isoformat() if first else taken.tree.added(f"{submission.path}/{FILE_NAME}")


def record_paths(cell: CellId, taken: Snapshot) -> list[str]:
    """Return the files that the branch has of a cell: its record, and detailed results."""
    return [path for path in (cell.record_path, *cell.page_paths) if path in taken.tree.entries]


def _with_history(record: Record, old: bytes | None) -> Record:
    if old is None:
        return record
    try:
        return succeed(record, from_json(old))
    except ValueError:
        return record
