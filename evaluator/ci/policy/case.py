"""One pull request of one participant, and what a policy may decide on it."""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from evaluator.ci.forge.connection import ForgeError
from evaluator.ci.forge.repository import Forge, find_forge
from evaluator.ci.ledger.arrivals import Received, head_path, pull_request_path, received_path
from evaluator.ci.ledger.attempts import Parties
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import note_json
from evaluator.ci.ledger.versions import work_of
from evaluator.ci.opened.pull_request import PullRequest
from evaluator.ci.policy.keys import Policy, policy_of
from evaluator.ci.policy.reviews import REVIEWS, Opinion, Review, opinions
from evaluator.ci.policy.waiting import (
    GOES_ON,
    QueuePosition,
    Waits,
    Why,
    waiting_file,
    waiting_now,
)
from evaluator.ci.scores.ledger_records import CellTable
from evaluator.core.errors import Actor
from evaluator.core.formats.settings import Settings
from evaluator.core.formats.submission import Submission

State = Literal["received", "refused", "queued", "running", "scored", "failed", "void"]
"""Of a pull request, in its comment."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What CI does with one head, and why."""

    verdict: Literal["approve", "screen", "wait", "refuse", "done"]
    """``screen``: a program of the benchmark has to read it first; ``done``: it was approved, and
    needs no second evaluation."""
    why: Why | None = None
    actor: Actor | None = None
    """Who must act; None for nobody."""
    reason: str = ""
    """Public; empty if no benchmark that it enters has a policy."""
    position: QueuePosition | None = None
    behind: tuple[int, ...] = ()
    """Pull requests for which it waits."""

    @property
    def state(self) -> State:
        if self.verdict == "refuse":
            return "refused"
        return "queued" if self.verdict == "done" else "received"

    @property
    def next_step(self) -> str:
        if self.verdict == "approve":
            return "Runners evaluate it; this comment then shows the scores."
        if self.verdict == "screen":
            return "A program of the benchmark reads it. Then its approval is decided."
        if self.actor == Actor.ORGANISER:
            return (
                "An organiser reads the files and sets the label `evaluate`, which approves "
                "exactly the tree above."
            )
        if self.actor == Actor.PARTICIPANT:
            return "The participant does what is written above."
        return GOES_ON

    def waits(self, head: str, at: dt.datetime) -> Waits | None:
        """The note that it waits, if it does."""
        return self.why and Waits(
            head=head, at=at, why=self.why, actor=self.actor, place=self.position,
            reason=self.reason or "An organiser approves it.", behind=self.behind,
        )  # fmt: skip

    def notes(self, pull: PullRequest) -> dict[str, bytes]:
        """The note that it waits, unless the last one says so: a step may be repeated."""
        number, waits = pull.ref.number, self.waits(pull.head, pull.now)
        if number is None or not waits:
            return {}
        last = waiting_now(pull.ledger, [number]).get(number)
        is_noted = last is not None and last.model_copy(update={"at": waits.at}) == waits
        return {} if is_noted else dict([waiting_file(number, waits)])


MOVED = Decision(
    verdict="wait", why="moved",
    reason="The base branch has changed what its merge makes of the entry. Nobody has read that as "
    "a whole, so CI judges it again, and what was approved before no longer counts.",
)  # fmt: skip
"""Decision on a head whose submissions are others, as merged now, than those that were judged."""
REFUSED = Decision(
    verdict="refuse", why="person", actor=Actor.PARTICIPANT, reason="Something is wrong with it."
)
"""Decision on a head with errors; its note takes the entry out of every line."""


def still_open(
    settings: Settings, numbers: Collection[int], closed: Collection[int] = ()
) -> list[int]:
    """Leave out what is closed at the forge; ``closed`` has what was, unless it was reopened.

    The forge's list may come short, so that each number that it does not have is asked for.
    """
    forge = find_forge(settings.forge) if numbers else None
    listed = {pull.number for pull in forge.open_pull_requests()} if forge else ()
    return [
        number for number in numbers
        if number in listed or (number not in closed and (not forge or _is_open(forge, number)))
    ]  # fmt: skip


def _is_open(forge: Forge, number: int) -> bool:
    try:
        return forge.pull_request(number).state == "open"
    except ForgeError as error:
        if error.status != 404:  # the forge hides what an account wrote that it suspended
            raise
        return False


def person(reason: str) -> Decision:
    """The decision that an organiser must decide."""
    return Decision(verdict="wait", why="person", actor=Actor.ORGANISER, reason=reason)


@dataclass(frozen=True, kw_only=True)
class Case:
    """One pull request of one participant, by the ledger as it is now."""

    pull: PullRequest
    ledger: Ledger
    actor: str
    """Login that pushed it."""
    reviews: Sequence[Review]
    known_table: CellTable | None = None
    """The table of cells, if the caller has computed it."""

    @cached_property
    def table(self) -> CellTable:
        return self.pull.cells(self.ledger) if self.known_table is None else self.known_table

    @cached_property
    def entered(self) -> Sequence[Submission]:
        return [one for one in self.pull.after.submissions if one.id in self.pull.submissions]

    @cached_property
    def participant(self) -> str:
        return self.entered[0].participant

    @cached_property
    def parties(self) -> Parties:
        return Parties(self.pull.before.settings)

    @cached_property
    def policies(self) -> Mapping[str, Policy]:
        """Policies of the base branch's benchmarks that it enters, by name."""
        before = self.pull.before
        names = {name.split("/")[0] for name in self.pull.submissions}
        return {
            name: policy_of(before.benchmarks[name])
            for name in sorted(names & {*before.benchmarks})
        }

    @cached_property
    def objections(self) -> Sequence[Opinion]:
        return opinions(self.reviews, self.ledger)

    def received_notes(self) -> dict[str, bytes]:
        """Note when the head came, and what it brought; withdrawn work enters nothing."""
        pull, number = self.pull, self.pull.ref.number
        note = note_json(Received(at=pull.now, head=pull.head, pull_request=number))
        notes = {head_path(pull.head): note}
        # The first note of a name stays.
        name = f"{pull.head}-{number}" if pull.belongs_to_another else pull.head
        if number is not None:
            notes[pull_request_path(number, pull.head)] = notes[pull.whole_path] = note
        for item in self.entered:
            work = work_of(pull.after.tree, item)
            work = work._replace(kind="withdrawn") if item.cancelled else work
            notes[received_path(item.id, work, name)] = note
        for review in self.reviews:
            notes |= review.arrival_notes()
        return notes


def open_case(pull: PullRequest, actor: str) -> Case:
    reviews = [review(pull) for review in REVIEWS.values()]
    return Case(pull=pull, ledger=pull.ledger, actor=actor, reviews=reviews)
