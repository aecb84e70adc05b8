"""Withdrawn records: a note for each, which hides it from all readers of the ledger."""

import datetime as dt
from collections.abc import Collection, Iterator

from pydantic import AwareDatetime

from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import WITHDRAWN, Note, note_json
from evaluator.ci.ledger.record_identity import identity
from evaluator.core.formats.record import Record


class Withdrawn(Note):
    """A note that an evaluation counts for nobody, under whatever name it is stored."""

    cell: str
    """Whose record it was where it was withdrawn; the same content may stand under other names."""
    score_key: str
    record: str
    """Identity of the record, see ``formats.record``."""
    reason: str
    """Public, in one sentence."""
    by: str
    at: AwareDatetime


def withdrawn_file(note: Withdrawn) -> tuple[str, bytes]:
    """Path and content of a note; who comes second changes nothing."""
    return _path(note.score_key, note.record), note_json(note)


def is_withdrawn(ledger: Ledger, record: Record) -> bool:
    """Whether a record was withdrawn. No note is read for it."""
    key = record.keys.score
    return (
        bool(ledger.below(f"{WITHDRAWN}/{key}")) and _path(key, identity(record)) in ledger.entries
    )


def note_of(ledger: Ledger, record: Record) -> Withdrawn:
    """Return the note of a withdrawn record; one that cannot be read withdraws it all the same."""
    record_id = identity(record)
    notes = ledger.notes([_path(record.keys.score, record_id)], Withdrawn)
    return next(notes, None) or Withdrawn(
        cell=str(record.cell), score_key=record.keys.score, record=record_id,
        reason="the note that says why cannot be read", by="an organiser",
        at=dt.datetime.fromtimestamp(0, dt.UTC),
    )  # fmt: skip


def withdrawn_keys(ledger: Ledger) -> Collection[str]:
    return {path.split("/")[1] for path in ledger.below(WITHDRAWN)}


def withdrawals(ledger: Ledger) -> Iterator[Withdrawn]:
    return ledger.notes(ledger.below(WITHDRAWN), Withdrawn)


def _path(score_key: str, record: str) -> str:
    return f"{WITHDRAWN}/{score_key}/{record}.json"
