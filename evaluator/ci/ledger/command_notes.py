"""Notes of commands in comments on a pull request."""

from pydantic import AwareDatetime

from evaluator.ci.ledger.assignments import id_time, last_id
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import PULLS, Approval, Note

COMMANDS, DONE = "commands", "done"
"""Folders of a pull request: these notes, and which of them were carried out. Both name a note by
the forge's id of its comment, which may be delivered several times."""

RETRIES = 3
"""How often the same files are tried again without an organiser."""


class CommandNote(Note):
    """A command for one head, by somebody who may use it."""

    word: str
    """``evaluate``, ``retry`` or ``withdraw``."""
    by: str
    """Login."""
    at: AwareDatetime
    head: str
    changed: str = ""
    """Digest of what the merge of the head changed then, as an approval has it."""


def command_path(pull_request: int, comment: int, folder: str = COMMANDS) -> str:
    return f"{PULLS}/{pull_request}/{folder}/{comment:015}.json"


def command_notes(ledger: Ledger, pull_request: int | None) -> list[CommandNote]:
    """The notes of a pull request, the oldest first."""
    folder = f"{PULLS}/{pull_request}/{COMMANDS}"
    paths = [f"{folder}/{name}" for name in ledger.entries.names(folder)]
    notes = (note for _, note in ledger.notes(paths, CommandNote))
    return sorted(notes, key=lambda note: note.at)


def approver_by_comment(
    ledger: Ledger, pull_request: int | None, whole: tuple[str, str], before: Approval | None
) -> str | None:
    """The login that approves a head by a comment since its cells were last handed out.

    ``whole`` is the head, and the digest of what its merge changes. ``before`` is the last approval
    of that, which ``/retry`` repeats.
    """
    notes = command_notes(ledger, pull_request)
    approvals = [one for one in ledger.approvals_of(pull_request) if notes and one.head == whole[0]]
    last = max((max(id_time(one.at), last_id(ledger, one.id)) for one in approvals), default="")
    approver = None
    for note in notes:
        if note.word == "withdraw":
            approver = None
        elif (note.head, note.changed) == whole and id_time(note.at) > last:
            if note.word == "evaluate":
                approver = note.by
            elif approver is None and before is not None:
                approver = before.approver
    return approver
