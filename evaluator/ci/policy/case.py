"""One pull request of one participant, and what a policy may decide on it."""

import datetime as dt
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

from evaluator.ci.forge.repository import find_forge
from evaluator.ci.ledger.attempts import Parties
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.policy.keys import Policy, policy_of
from evaluator.ci.policy.waiting import (
    GOES_ON,
    Place,
    Waits,
    Why,
    open_pull_requests,
    waiting_file,
    waiting_now,
)
from evaluator.ci.pull_requests.comment import State
from evaluator.ci.pull_requests.pull_request import PullRequest
from evaluator.ci.scores.ledger_records import CellTable
from evaluator.core.errors import Actor
from evaluator.core.formats.settings import Settings
from evaluator.core.formats.submission import Submission

OpenNumbers = Callable[[], Collection[int] | None]
"""Numbers of the open pull requests; None without a forge."""


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
    place: Place | None = None
    behind: tuple[int, ...] = ()
    """Pull requests for which it waits."""

    @property
    def state(self) -> State:
        """State of the pull request in its comment."""
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
        """Return the note that it waits, if it does."""
        return self.why and Waits(
            head=head, at=at, why=self.why, actor=self.actor, place=self.place,
            reason=self.reason or "An organiser approves it.", behind=self.behind,
        )  # fmt: skip

    def notes(self, pull: PullRequest) -> dict[str, bytes]:
        """Return the note that it waits, unless the last one says so: a step may be repeated."""
        number, waits = pull.source.pull_request, self.waits(pull.head, pull.now)
        if number is None or not waits:
            return {}
        last = waiting_now(pull.ledger, [number]).get(number)
        is_noted = last is not None and last.model_copy(update={"at": waits.at}) == waits
        return {} if is_noted else dict([waiting_file(number, waits)])


REFUSED = Decision(
    verdict="refuse", why="person", actor=Actor.PARTICIPANT, reason="Something is wrong with it."
)
"""Decision on a head with errors; its note takes the entry out of every line."""


def open_numbers_of(settings: Settings) -> OpenNumbers:
    """Return a function that asks the forge at its first call, and remembers the answer."""

    @cache
    def open_numbers() -> Collection[int] | None:
        forge = find_forge(settings.forge)
        return None if forge is None else {pull.number for pull in forge.open_pull_requests()}

    return open_numbers


def person(reason: str) -> Decision:
    """Return the decision that an organiser must decide."""
    return Decision(verdict="wait", why="person", actor=Actor.ORGANISER, reason=reason)


@dataclass(frozen=True)
class Case:
    """One pull request of one participant."""

    pull: PullRequest
    ledger: Ledger
    open_numbers: OpenNumbers
    known_table: CellTable | None
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
    def numbers(self) -> list[int]:
        """Pull requests that are open as far as the ledger knows."""
        return open_pull_requests(self.ledger, None, self.pull.base)

    def still_open(self, numbers: Collection[int]) -> list[int]:
        """Leave out what is closed at the forge; without numbers it does not ask."""
        open_numbers = self.open_numbers() if numbers else None
        return [number for number in numbers if open_numbers is None or number in open_numbers]

    @cached_property
    def parties(self) -> Parties:
        return Parties(self.pull.before.settings)

    @cached_property
    def policies(self) -> Mapping[str, Policy]:
        """Policies of the base branch's benchmarks that it enters, by name."""
        before = self.pull.before
        names = {name.split("/")[0] for name in self.pull.submissions}
        return {
            name: policy_of(before.benchmarks[name], before.settings)
            for name in sorted(names & {*before.benchmarks})
        }
