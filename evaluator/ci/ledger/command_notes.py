"""Notes of commands in comments on a pull request."""

import hashlib
from typing import Literal

from pydantic import AwareDatetime

from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import PULLS, Approval, Note, note_json

COMMANDS = "commands"
"""Folder of these notes, in that of a pull request."""
Word = Literal["evaluate", "retry", "withdraw"]


class CommandNote(Note):
    """A command for one head, by somebody who may use it."""

    word: Word
    by: str
    """Login."""
    at: AwareDatetime
    head: str


def command_file(pull_request: int, note: CommandNote) -> tuple[str, bytes]:
    """Return path and content of a note; names sort by time."""
    content = note_json(note)
    digest = hashlib.sha256(content).hexdigest()[:16]
    name = f"{note.at:%Y%m%dT%H%M%S%f}-{digest}.json"
    return f"{PULLS}/{pull_request}/{COMMANDS}/{name}", content


def command_notes(ledger: Ledger, pull_request: int | None) -> list[CommandNote]:
    """Return the notes of a pull request, the oldest first."""
    folder = f"{PULLS}/{pull_request}/{COMMANDS}"
    paths = [f"{folder}/{name}" for name in ledger.entries.names(folder)]
    return [note for _, note in ledger.notes(paths, CommandNote)]


def approver_by_comment(
    ledger: Ledger, pull_request: int | None, head: str, before: Approval | None
) -> str | None:
    """Return the login that approves a head by a comment after its last approval, or None.

    ``before`` is the last approval of the head's tree, which ``/retry`` repeats.
    """
    approvals = [one.at for one in ledger.approvals_of(pull_request) if one.head == head]
    approver = None
    for note in command_notes(ledger, pull_request):
        if note.word == "withdraw":
            approver = None
        elif note.head == head and (not approvals or note.at > max(approvals)):
            if note.word == "evaluate":
                approver = note.by
            elif approver is None and before is not None:
                approver = before.approver
    return approver
