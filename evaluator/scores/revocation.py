"""Which records of a branch count no longer: withdrawn, taken off by hand, or wrong inside."""

import datetime as dt
from collections.abc import Iterator, Mapping

from evaluator.errors import printable
from evaluator.formats.cell import CellId, cell_of_path
from evaluator.formats.ledger_state import MAX_REASON, STATE_FILE, LedgerState, state_json
from evaluator.formats.record import Record, identity
from evaluator.formats.record_json import from_json
from evaluator.formats.submission import FILE_NAME
from evaluator.git.commands import Repo, object_ids, read_blobs
from evaluator.planning.ledger import Ledger
from evaluator.planning.ledger_growth import state_of
from evaluator.planning.ledger_history import Removal, last_change_of, removals
from evaluator.planning.snapshot import Snapshot
from evaluator.planning.withdrawals import (
    Withdrawn,
    is_withdrawn,
    note_of,
    withdrawals,
    withdrawn_file,
    withdrawn_keys,
)


def withdrawn_cells(taken: Snapshot, ledger: Ledger) -> dict[CellId, Withdrawn]:
    """Return the cells of a branch whose record was withdrawn, each with the note of it."""
    keys = withdrawn_keys(ledger)
    files = taken.record_files
    notes: dict[CellId, Withdrawn] = {}
    for cell, content in files.stream(files.with_keys(keys) if keys else ()):
        record = _read(content)
        if record is not None and is_withdrawn(ledger, record):
            notes[cell] = note_of(ledger, record)
    return notes


def wrong_inside(
    taken: Snapshot, refused: Mapping[CellId, str], now: dt.datetime
) -> dict[str, bytes]:
    """Return notes that withdraw what was sealed and is not what was asked for."""
    records = ((cell, _read(taken.record_files[cell])) for cell in refused)
    return dict(
        withdrawn_file(_note(cell, record, refused[cell], "pullbench", now))
        for cell, record in records
        if record is not None
    )


def taken_off(repo: Repo, taken: Snapshot, ledger: Ledger, now: dt.datetime) -> dict[str, bytes]:
    """Return notes that withdraw records which somebody took off the branch by a commit.

    Looked for since CI last wrote to the branch, and only where the submission is still there:
    who takes back a submission says nothing of its scores. The ledger would put them back.
    """
    tip = taken.tree.commit
    since = last_change_of(repo, tip, STATE_FILE) if tip else None
    if tip is None or since is None or since == tip:
        return {}
    gone = {
        cell: removal
        for path, removal in removals(repo, since, tip, "submissions").items()
        if path not in taken.tree.entries and (cell := cell_of_path(path)) is not None
    }
    stayed = object_ids(repo, [f"{one.commit}:{_file(cell)}" for cell, one in gone.items()])
    gone = {cell: gone[cell] for cell, tree in zip(gone, stayed, strict=True) if tree}
    notes: dict[str, bytes] = {}
    for cell, removal, record in _removed(repo, gone):
        noted = ledger.records([record.keys.score]).get(record.keys.score, ())
        if identity(record) in map(identity, noted) and not _stands_elsewhere(taken, cell, record):
            reason = f"taken off the branch in {removal.commit[:12]}: {removal.subject}"
            path, content = withdrawn_file(_note(cell, record, reason, removal.author, now))
            notes[path] = content
    return notes


def next_state(taken: Snapshot, ledger: Ledger) -> dict[str, bytes]:
    """Return the file in which the branch says what it knows of the ledger."""
    if ledger.commit is None or taken.tree.commit is None:
        return {}
    before = state_of(taken.tree)
    known = {item.record: item for item in (before.withdrawn if before else ())}
    for note in withdrawals(ledger):
        known.setdefault(note.record, note.public())
    state = LedgerState(
        tip=ledger.commit, on=taken.tree.commit,
        withdrawn=sorted(known.values(), key=lambda item: (item.at, item.cell)),
    )  # fmt: skip
    return {STATE_FILE: state_json(state)}


def _note(cell: CellId, record: Record, reason: str, by: str, now: dt.datetime) -> Withdrawn:
    return Withdrawn(
        cell=str(cell), score_key=record.keys.score, record=identity(record),
        reason=printable(reason)[:MAX_REASON], by=printable(by)[:100], at=now,
    )  # fmt: skip


def _removed(
    repo: Repo, gone: Mapping[CellId, Removal]
) -> Iterator[tuple[CellId, Removal, Record]]:
    """Yield what stood there before it was taken off."""
    ids = object_ids(repo, [f"{one.commit}^1:{one.path}" for one in gone.values()])
    there = [(cell, blob) for cell, blob in zip(gone, ids, strict=True) if blob is not None]
    contents = read_blobs(repo, [blob for _, blob in there])
    for (cell, _), content in zip(there, contents, strict=True):
        record = _read(content)
        if record is not None:
            yield cell, gone[cell], record


def _stands_elsewhere(taken: Snapshot, cell: CellId, record: Record) -> bool:
    """Whether a submission has the same record under another name of the cell."""
    name = f"{cell.benchmark}/{cell.participant}/{cell.submission}"
    others = taken.recorded_cells.get(name, ())
    records = (_read(content) for _, content in taken.record_files.stream(others))
    return any(other is not None and identity(other) == identity(record) for other in records)


def _file(cell: CellId) -> str:
    return f"submissions/{cell.benchmark}/{cell.participant}/{cell.submission}/{FILE_NAME}"


def _read(content: bytes) -> Record | None:
    try:
        return from_json(content)
    except ValueError:
        return None
