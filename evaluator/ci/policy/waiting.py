"""Notes that a pull request waits: for whom or what, and why."""

import hashlib
from typing import Literal

from pydantic import AwareDatetime

from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import PULLS, Note, note_json
from evaluator.core.errors import Actor

WAITING = "waiting"
"""Folder of a pull request's notes that it waits."""
Why = Literal["person", "budget", "open", "record", "earlier", "merge", "closed"]
"""``person``: somebody must decide; ``budget``: too much was spent in 24 hours; ``open``: its
party has too many open pull requests; ``record``: it is no new record, so nobody merges it by
itself; ``earlier``: an entry that came before it is not decided; ``merge``: it could not be merged
by itself; ``closed``: it waits for nothing, for it is not open."""


class Waits(Note):
    """That a step ended without a decision; the last one counts, until an approval or outcome."""

    head: str
    at: AwareDatetime
    why: Why
    actor: Actor | None
    """Who must act; None if it goes on by itself."""
    reason: str
    """Public, in one sentence."""


def waiting_file(pull_request: int, note: Waits) -> tuple[str, bytes]:
    """Path and content of a note; the time in its name says which one is the last."""
    content = note_json(note)
    digest = hashlib.sha256(content).hexdigest()[:16]
    name = f"{note.at:%Y%m%dT%H%M%S%f}-{digest}.json"
    return f"{PULLS}/{pull_request}/{WAITING}/{name}", content


def waits_of(ledger: Ledger, pull_request: int) -> Waits | None:
    """Return the last note that it waits; what came after it is for the caller to see."""
    folder = f"{PULLS}/{pull_request}/{WAITING}"
    paths = [f"{folder}/{name}" for name in ledger.entries.names(folder)[-1:]]
    return next((note for _, note in ledger.notes(paths, Waits)), None)
