"""Notes that a pull request waits: for whom or what, and why."""

import datetime as dt
from collections.abc import Collection, Iterable
from typing import Literal

from pydantic import AwareDatetime

from evaluator.ci.ledger.assignments import id_time, last_id
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import APPROVED, HEADS, PULLS, Approval, Note, note_json
from evaluator.core.errors import Actor

GOES_ON = "CI goes on by itself; nobody has to act."
WAITING, MERGED, CLOSED = "waiting", "merged", "withdrawn"
"""Folders of a pull request: notes that it waits, and that it has ended."""
Why = Literal["person", "stopped", "budget", "open", "earlier", "moved", "merge", "closed"]
"""``person``: somebody must decide; ``stopped``: an organiser stopped the policies; ``budget``: too
much was spent in 24 hours; ``open``: its party has too many open pull requests; ``earlier``: an
entry that arrived before it has no scores yet; ``moved``: the base branch makes another entry of
it, which CI judges again; ``merge``: CI could not merge it, and tries again if nobody has to act;
``closed``: it is not open, and waits for nothing."""
_GRACE = dt.timedelta(hours=2)
"""How long after its expected time an entry keeps its place in the line."""
_BEFORE_APPROVAL: tuple[Why, ...] = ("person", "stopped", "budget", "open")


class QueuePosition(Note):
    """Position in the queue for one budget."""

    budget: str
    """``benchmark``, or ``benchmark/party``."""
    since: AwareDatetime
    """When its head came; the line is in this order."""
    minutes: float
    """What it needs."""
    expected: AwareDatetime
    """When enough of the budget is free."""

    def is_kept(self, now: dt.datetime) -> bool:
        return self.expected + _GRACE > now


class Waits(Note):
    """A pull request waits. The last note counts, until an approval or an outcome."""

    head: str
    at: AwareDatetime
    why: Why
    actor: Actor | None
    """Who must act; None for nobody."""
    reason: str
    """Public, in one sentence."""
    place: QueuePosition | None = None
    """None unless it waits for a budget."""
    behind: tuple[int, ...] = ()
    """Pull requests; it goes on if one of them has ended or has scores."""


class Merged(Note):
    """The merge of a pull request."""

    head: str
    base: str
    """Tip of the base branch for which it was judged."""
    commit: str
    """The merge commit; empty if a person merged it."""
    at: AwareDatetime


def waiting_file(pull_request: int, note: Waits) -> tuple[str, bytes]:
    """Path and content of a note; names sort by time."""
    name = f"{id_time(note.at)}-{note.id}.json"
    return f"{PULLS}/{pull_request}/{WAITING}/{name}", note_json(note)


def last_waits(ledger: Ledger, pull_requests: Iterable[int]) -> dict[int, Waits]:
    """Their last notes, by number, although an approval may have come later."""
    folders = {number: f"{PULLS}/{number}/{WAITING}" for number in pull_requests}
    ledger.entries.read_folders(f"{folder}/" for folder in folders.values())
    paths = {
        f"{folder}/{names[-1]}": number
        for number, folder in folders.items()
        if (names := ledger.entries.names(folder))
    }
    return {paths[path]: note for path, note in ledger.notes(paths, Waits)}


def waiting_now(ledger: Ledger, pull_requests: Iterable[int]) -> dict[int, Waits]:
    """The last notes of those that still wait, by number."""
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
    """Whether an approval without outcome may still get one: a killed job leaves none."""
    since = max(id_time(approval.at), last_id(ledger, approval.id))  # cells may go out again
    return ledger.outcome(approval) is None and since > id_time(now - dt.timedelta(hours=hours))


def open_pull_requests(
    ledger: Ledger, at_forge: Collection[int] | None, base: str,
    among: Collection[int] | None = None,
) -> list[int]:  # fmt: skip
    """Open pull requests: those at the forge if it was asked, or else all without an end.

    The folders of those that are not ``among`` a caller's are not read.
    """
    if at_forge is not None or ledger.repo is None:
        return sorted(at_forge or ())
    names = ledger.entries.names
    every = (int(name) for name in names(PULLS) if name.isdecimal())
    numbers = [number for number in every if among is None or number in among]
    merged = {*ledger.repo.git.rev_list(base).split()} if numbers else set()
    ledger.entries.read_folders(f"{PULLS}/{number}/{HEADS}/" for number in numbers)
    return sorted(
        number for number in numbers
        if {MERGED, CLOSED}.isdisjoint(names(f"{PULLS}/{number}"))
        and merged.isdisjoint(n.removesuffix(".json") for n in names(f"{PULLS}/{number}/{HEADS}"))
    )  # fmt: skip
