"""Notes of what people asked for by a comment on a pull request."""

import hashlib
from typing import Literal

from pydantic import AwareDatetime

from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import PULLS, Approval, Note, note_json

ASKED = "asked"
"""Folder of a pull request's notes of what was asked for."""
Word = Literal["evaluate", "retry", "withdraw"]


class Asked(Note):
    """That somebody who may asked for one head."""

    word: Word
    by: str
    """Login."""
    at: AwareDatetime
    head: str


def asked_file(pull_request: int, note: Asked) -> tuple[str, bytes]:
    """Path and content of a note; names are in the order of their times."""
    content = note_json(note)
    digest = hashlib.sha256(content).hexdigest()[:16]
    name = f"{note.at:%Y%m%dT%H%M%S%f}-{digest}.json"
    return f"{PULLS}/{pull_request}/{ASKED}/{name}", content


def asked_of(ledger: Ledger, pull_request: int | None) -> list[Asked]:
    folder = f"{PULLS}/{pull_request}/{ASKED}"
    paths = [f"{folder}/{name}" for name in ledger.entries.names(folder)]
    return [note for _, note in ledger.notes(paths, Asked)]


def approver_asked(
    ledger: Ledger, pull_request: int | None, head: str, before: Approval | None
) -> str | None:
    """Return who approves a head, by the comments after its last approval; None if nobody does.

    ``before`` is the last approval of the head's tree: a retry only repeats that.
    """
    spent = [one.at for one in ledger.approvals_of(pull_request) if one.head == head]
    approver = None
    for note in asked_of(ledger, pull_request):
        if note.word == "withdraw":
            approver = None
        elif note.head == head and (not spent or note.at > max(spent)):
            if note.word == "evaluate":
                approver = note.by
            elif approver is None and before is not None:
                approver = before.approver
    return approver
