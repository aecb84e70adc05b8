"""Times at which CI received submissions: a note in the ledger for each head with one."""

import datetime as dt
from collections.abc import Callable, Iterator

from pydantic import AwareDatetime

from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import HEADS, PULLS, RECEIVED, Note, shard
from evaluator.ci.ledger.versions import Work


class Received(Note):
    """That CI saw a submission, and when: the time of the submission."""

    at: AwareDatetime
    head: str
    """Commit in which it came."""
    pull_request: int | None = None


def received_path(submission: str, work: Work, head: str) -> str:
    return f"{RECEIVED}/{submission}/{work.phase}/{work.kind}-{work.content}/{head}.json"


def head_path(head: str) -> str:
    """Path of the note of the pull request that first had a commit as its head."""
    return f"{shard(HEADS, head)}/{head}.json"


def pull_request_path(pull_request: int, head: str) -> str:
    """Path of the note that a pull request had a commit as its head."""
    return f"{PULLS}/{pull_request}/{HEADS}/{head}.json"


def brought_by(ledger: Ledger, head: str) -> int | None:
    """The pull request that had a commit as its head first, and was not refused."""
    note = ledger.note(head_path(head), Received)
    return note.pull_request if note else None


def received(
    ledger: Ledger, whose: str, asked: Callable[[str, Work], bool] = lambda *_: True
) -> Iterator[tuple[str, Received, Work]]:
    """Yield paths, notes and works of a benchmark, or of one of its submissions.

    A note is read if its submission and its work are ``asked`` for: their names say both.
    """
    works: dict[str, Work] = {}
    for path in ledger.entries.below(f"{RECEIVED}/{whose}"):
        if path.count("/") == 6:
            _, benchmark, participant, name, phase, entered, _ = path.split("/")
            kind, _, content = entered.rpartition("-")
            work = Work(phase, kind, content)
            if asked(f"{benchmark}/{participant}/{name}", work):
                works[path] = work
    for path, note in ledger.notes(works, Received):
        yield path, note, works[path]


def arrivals(ledger: Ledger, submission: str) -> list[tuple[dt.datetime, Work]]:
    return sorted((note.at, work) for _, note, work in received(ledger, submission))


def first_arrival(ledger: Ledger, submission: str, work: Work) -> dt.datetime | None:
    """When a submission's work first came; None where CI did not see it."""
    notes = received(ledger, submission, lambda _, other: other == work)
    return min((note.at for _, note, _ in notes), default=None)


def last_arrival(
    ledger: Ledger, pull_request: int, now: dt.datetime, folder: str = HEADS
) -> tuple[str, Received] | None:
    """The last note of a pull request's head, or of what its merge makes, with its path."""
    below = f"{PULLS}/{pull_request}/{folder}"
    notes = list(ledger.notes(ledger.entries.below(below), Received))
    # A clock that once was ahead must not hold back what came later.
    order = order_of_adding(ledger, below) if any(note.at > now for _, note in notes) else {}
    return max(notes, key=lambda one: (order.get(one[0], 0), one[1].at), default=None)


def order_of_adding(ledger: Ledger, folder: str) -> dict[str, int]:
    """The order in which the ledger's commits added the notes of a folder."""
    if ledger.repo is None or ledger.commit is None:
        return {}
    out = ledger.repo.git.log(
        "--reverse", "--diff-filter=A", "--format=", "--name-only", ledger.commit, "--", folder
    )
    return {path: index for index, path in enumerate(filter(None, out.splitlines()))}


def pull_requests_of(ledger: Ledger, submission: str, content: str) -> set[int]:
    notes = received(ledger, submission, lambda _, work: work.content == content)
    return {note.pull_request for _, note, _ in notes if note.pull_request}
