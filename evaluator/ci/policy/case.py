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
from evaluator.ci.policy.waiting import Place, Waits, Why, waiting_file, without_end
from evaluator.ci.pull_requests.comment import State
from evaluator.ci.pull_requests.pull_request import PullRequest
from evaluator.ci.scores.ledger_records import CellTable
from evaluator.core.errors import Actor
from evaluator.core.formats.settings import Settings
from evaluator.core.formats.submission import Submission

Opened = Callable[[], Collection[int] | None]
"""Numbers of the open pull requests; None without a forge."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What the policy says of one head."""

    verdict: Literal["approve", "screen", "wait", "refuse", "done"]
    """``screen``: a program of the benchmark has to read it first; ``done``: it was approved, and
    is not evaluated once more by itself."""
    why: Why | None = None
    actor: Actor | None = None
    """Who must act; None if it goes on by itself."""
    reason: str = ""
    """Public; empty if no benchmark that it enters has a policy."""
    place: Place | None = None
    number: int | None = None
    """Its number in the line for a budget."""
    behind: tuple[int, ...] = ()

    @property
    def state(self) -> State:
        """Of the pull request, as its comment says it."""
        if self.verdict == "refuse":
            return "refused"
        return "queued" if self.verdict == "done" else "received"

    @property
    def next_step(self) -> str:
        if self.verdict == "approve":
            return "Runners evaluate it; this comment then shows the scores."
        if self.verdict == "screen":
            return "A program of the benchmark reads it."
        if self.actor == Actor.ORGANISER:
            return (
                "An organiser reviews the files and sets the label `evaluate`; it approves exactly "
                "the tree above."
            )
        if self.actor == Actor.PARTICIPANT:
            return "The participant acts on what is said above."
        return "It goes on by itself; nobody has to act."

    def notes(self, pull: PullRequest) -> dict[str, bytes]:
        number = pull.source.pull_request
        if self.why is None or number is None:
            return {}
        waits = Waits(
            head=pull.head, at=pull.now, why=self.why, actor=self.actor, place=self.place,
            reason=self.reason or "An organiser approves it.", behind=self.behind,
        )  # fmt: skip
        return dict([waiting_file(number, waits)])


REFUSED = Decision(
    verdict="refuse", why="person", actor=Actor.PARTICIPANT, reason="Something is wrong with it."
)
"""What receiving finds wrong; it takes an entry out of every line."""


def opened_at(settings: Settings) -> Opened:
    """Return a function that asks the forge once, if it is asked."""

    @cache
    def opened() -> Collection[int] | None:
        forge = find_forge(settings.forge)
        return None if forge is None else {pull.number for pull in forge.open_pull_requests()}

    return opened


def person(reason: str) -> Decision:
    return Decision(verdict="wait", why="person", actor=Actor.ORGANISER, reason=reason)


@dataclass(frozen=True)
class Case:
    """One pull request of one participant."""

    pull: PullRequest
    ledger: Ledger
    opened: Opened
    given: CellTable | None

    @cached_property
    def table(self) -> CellTable:
        return self.pull.cells(self.ledger) if self.given is None else self.given

    @cached_property
    def entered(self) -> Sequence[Submission]:
        return [one for one in self.pull.after.submissions if one.id in self.pull.submissions]

    @cached_property
    def participant(self) -> str:
        return self.entered[0].participant

    @cached_property
    def numbers(self) -> list[int]:
        """Pull requests that are open for all that the ledger knows."""
        return without_end(self.ledger, None, self.pull.base)

    def still_open(self, numbers: Collection[int]) -> list[int]:
        """Leave out what the forge has closed, which is asked if there is anything to ask."""
        opened = self.opened() if numbers else None
        return [number for number in numbers if opened is None or number in opened]

    @cached_property
    def parties(self) -> Parties:
        return Parties(self.pull.before.settings)

    @cached_property
    def policies(self) -> Mapping[str, Policy]:
        """By name, of the benchmarks of the base branch that it enters."""
        before = self.pull.before
        names = {name.split("/")[0] for name in self.pull.submissions}
        found = {name: before.benchmarks[name] for name in sorted(names & {*before.benchmarks})}
        return {name: policy_of(benchmark, before.settings) for name, benchmark in found.items()}


def shown(moment: dt.datetime) -> str:
    return f"{moment.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC"
