"""Records of a branch that no longer count: withdrawn, removed by hand, or wrongly sealed."""

import datetime as dt
from collections.abc import Mapping

from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_growth import state_of
from evaluator.ci.ledger.ledger_history import Change, changed_scores, last_change_of
from evaluator.ci.ledger.ledger_state import MAX_REASON, STATE_FILE, LedgerState, state_json
from evaluator.ci.ledger.record_identity import identity
from evaluator.ci.ledger.record_places import key_of
from evaluator.ci.ledger.withdrawals import (
    Withdrawn,
    is_withdrawn,
    note_of,
    withdrawals,
    withdrawn_file,
    withdrawn_keys,
)
from evaluator.core.errors import printable
from evaluator.core.formats.cell import CellId, Place, place_of
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import records_of
from evaluator.core.formats.submission import FILE_NAME
from evaluator.core.git.commands import Repo, object_ids, read_blobs
from evaluator.core.planning.records import read_scores
from evaluator.core.planning.snapshot import Snapshot


def withdrawn_cells(snapshot: Snapshot, ledger: Ledger) -> dict[CellId, Withdrawn]:
    """Return the cells of a branch whose record was withdrawn, each with the note of it."""
    keys = withdrawn_keys(ledger)
    files = snapshot.record_files
    notes: dict[CellId, Withdrawn] = {}
    for record in files.stream(files.with_keys(keys) if keys else ()):
        if is_withdrawn(ledger, record):
            notes[record.cell] = note_of(ledger, record)
    return notes


def seal_withdrawals(
    snapshot: Snapshot, refused: Mapping[CellId, str], now: dt.datetime
) -> dict[str, bytes]:
    """Return notes that withdraw sealed records whose content was refused."""
    return dict(
        withdrawn_file(_note(cell, snapshot.record_files[cell], reason, "pullbench", now))
        for cell, reason in refused.items()
    )


def removal_withdrawals(
    repo: Repo, snapshot: Snapshot, ledger: Ledger, now: dt.datetime
) -> dict[str, bytes]:
    """Return notes that withdraw records which somebody removed from the branch by a commit.

    Only commits since CI last wrote to the branch count, and submissions that are still there:
    removing a submission says nothing about its scores. The ledger would restore them.
    """
    tip = snapshot.tree.commit
    since = last_change_of(repo, tip, STATE_FILE) if tip else None
    if tip is None or since is None or since == tip:
        return {}
    removed = _removed(repo, snapshot, since, tip)
    stayed = object_ids(
        repo, [f"{removal.commit}:{_file(cell)}" for cell, (removal, _) in removed.items()]
    )
    notes: dict[str, bytes] = {}
    for (cell, (change, record)), blob in zip(removed.items(), stayed, strict=True):
        noted = ledger.records([key_of(record.keys)]).get(record.keys.score, ())
        if (
            blob
            and identity(record) in map(identity, noted)
            and not _stands_elsewhere(snapshot, cell, record)
        ):
            reason = f"taken off the branch in {change.commit[:12]}: {change.subject}"
            path, content = withdrawn_file(_note(cell, record, reason, change.author, now))
            notes[path] = content
    return notes


def next_state(snapshot: Snapshot, ledger: Ledger) -> dict[str, bytes]:
    """Return the file in which the branch says what it knows of the ledger."""
    if ledger.commit is None or snapshot.tree.commit is None:
        return {}
    before = state_of(snapshot.tree)
    by_record = {item.record: item for item in (before.withdrawn if before else ())}
    for note in withdrawals(ledger):
        by_record.setdefault(note.record, note.public())
    state = LedgerState(
        tip=ledger.commit, on=snapshot.tree.commit,
        withdrawn=sorted(by_record.values(), key=lambda item: (item.at, item.cell)),
    )  # fmt: skip
    return {STATE_FILE: state_json(state)}


def _note(cell: CellId, record: Record, reason: str, by: str, now: dt.datetime) -> Withdrawn:
    return Withdrawn(
        cell=str(cell), score_key=record.keys.score, record=identity(record),
        reason=printable(reason)[:MAX_REASON], by=printable(by)[:100], at=now,
    )  # fmt: skip


def _removed(
    repo: Repo, snapshot: Snapshot, since: str, tip: str
) -> dict[CellId, tuple[Change, Record]]:
    """Return the cells that lost their record, each with the last commit that took one off."""
    changes = [
        (place, change)
        for change in changed_scores(repo, since, tip)
        if (place := place_of(change.path)) is not None
    ]
    names = [f"{lost.commit}{end}:{lost.path}" for _, lost in changes for end in ("^1", "")]
    ids = object_ids(repo, names)
    contents = read_blobs(repo, [blob for blob in ids if blob is not None], broken=b"")
    removed: dict[CellId, tuple[Change, Record]] = {}
    pairs = zip(ids[::2], ids[1::2], strict=True)
    for (place, change), versions in zip(changes, pairs, strict=True):
        before, after = (
            _records(next(contents), place) if blob is not None else {} for blob in versions
        )
        for cell in before.keys() - after.keys():
            if cell not in snapshot.record_files:
                removed.setdefault(cell, (change, before[cell]))
    return removed


def _stands_elsewhere(snapshot: Snapshot, cell: CellId, record: Record) -> bool:
    """Whether a submission has the same record under another name of the cell."""
    name = f"{cell.benchmark}/{cell.participant}/{cell.submission}"
    others = snapshot.recorded_cells.get(name, ())
    return any(
        identity(other) == identity(record) for other in snapshot.record_files.stream(others)
    )


def _file(cell: CellId) -> str:
    return f"submissions/{cell.benchmark}/{cell.participant}/{cell.submission}/{FILE_NAME}"


def _records(content: bytes, place: Place) -> dict[CellId, Record]:
    try:
        return {record.cell: record for record in records_of(read_scores(content, place))}
    except ValueError:
        return {}
