"""Notes that a pull request waits: for whom or what, and why."""

import datetime as dt
import hashlib
from collections.abc import Collection, Iterable
from typing import Literal

from pydantic import AwareDatetime

from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import APPROVED, HEADS, PULLS, Approval, Note, note_json
from evaluator.ci.policy.budget import Amount
from evaluator.core.errors import Actor

WAITING, MERGED, CLOSED = "waiting", "merged", "withdrawn"
"""Folders of a pull request: notes that it waits, and that it has ended."""
Why = Literal["person", "stopped", "budget", "open", "record", "earlier", "merge", "closed"]
"""``person``: somebody must decide; ``stopped``: policies decide nothing at present; ``budget``:
too much was spent in 24 hours; ``open``: its party has too many open pull requests; ``record``: it
is no new record, so nobody merges it by itself; ``earlier``: an entry that came before it is not
decided; ``merge``: it could not be merged by itself; ``closed``: it waits for nothing, for it is
not open."""
_GRACE = dt.timedelta(hours=2)
"""For which an entry keeps its place in line beyond when it was expected to run: another thing
than the budget holds it up."""
_BEFORE_APPROVAL: tuple[Why, ...] = ("person", "stopped", "budget", "open")


class Place(Note):
    """Place in the line for one budget."""

    budget: str
    """``benchmark``, or ``benchmark/party``."""
    since: AwareDatetime
    """When its head came: the line is in this order."""
    minutes: float
    money: float
    """What it needs."""
    expected: AwareDatetime
    """When enough of the budget is free."""

    @property
    def amount(self) -> Amount:
        return Amount(self.minutes, self.money)

    def is_kept(self, now: dt.datetime) -> bool:
        return self.expected + _GRACE > now


class Waits(Note):
    """That a step ended without a decision; the last one counts, until an approval or outcome."""

    head: str
    at: AwareDatetime
    why: Why
    actor: Actor | None
    """Who must act; None if it goes on by itself."""
    reason: str
    """Public, in one sentence."""
    place: Place | None = None
    """Where it waits for a budget."""
    behind: tuple[int, ...] = ()
    """Pull requests; it goes on if one of them has ended, or is decided."""


def waiting_file(pull_request: int, note: Waits) -> tuple[str, bytes]:
    """Path and content of a note; the time in its name says which one is the last."""
    content = note_json(note)
    digest = hashlib.sha256(content).hexdigest()[:16]
    name = f"{note.at:%Y%m%dT%H%M%S%f}-{digest}.json"
    return f"{PULLS}/{pull_request}/{WAITING}/{name}", content


def waits_of(ledger: Ledger, pull_request: int) -> Waits | None:
    """Return the last note that it waits; what came after it is for the caller to see."""
    return last_waits(ledger, [pull_request]).get(pull_request)


def last_waits(ledger: Ledger, pull_requests: Iterable[int]) -> dict[int, Waits]:
    folders = {number: f"{PULLS}/{number}/{WAITING}" for number in pull_requests}
    ledger.entries.read_folders(f"{folder}/" for folder in folders.values())
    paths = {
        f"{folder}/{names[-1]}": number
        for number, folder in folders.items()
        if (names := ledger.entries.names(folder))
    }
    return {paths[path]: note for path, note in ledger.notes(paths, Waits)}


def waiting_now(ledger: Ledger, pull_requests: Iterable[int]) -> dict[int, Waits]:
    """Return those of the open pull requests that wait since their last step, by number."""
    last = last_waits(ledger, pull_requests)
    ledger.entries.read_folders(f"{PULLS}/{number}/{APPROVED}/" for number in last)
    return {
        number: waits
        for number, waits in last.items()
        if waits.why != "closed"
        and not any(
            one.at > waits.at or (one.at == waits.at and waits.why in _BEFORE_APPROVAL)
            for one in ledger.approvals_of(number)
        )
    }


def may_end(ledger: Ledger, approval: Approval, hours: float, now: dt.datetime) -> bool:
    """Whether an approval has no outcome and may get one: a job that was killed leaves none."""
    return ledger.outcome(approval) is None and now - approval.at < dt.timedelta(hours=hours)


def without_end(ledger: Ledger, opened: Collection[int] | None, base: str) -> list[int]:
    """Return open pull requests: what the forge says, else all of which no end is known."""
    if opened is not None or ledger.repo is None:
        return sorted(opened or ())
    names, merged = ledger.entries.names, {*ledger.repo.git.rev_list(base).split()}
    numbers = [int(name) for name in names(PULLS) if name.isdecimal()]
    ledger.entries.read_folders(f"{PULLS}/{number}/{HEADS}/" for number in numbers)
    return sorted(
        number for number in numbers
        if {MERGED, CLOSED}.isdisjoint(names(f"{PULLS}/{number}"))
        and merged.isdisjoint(n.removesuffix(".json") for n in names(f"{PULLS}/{number}/{HEADS}"))
    )  # fmt: skip
