"""Whether a pull request is approved without a person, by the policies of the base branch."""

import datetime as dt
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Literal

from evaluator.ci.forge.repository import find_forge
from evaluator.ci.ledger.arrivals import Received, pull_request_path
from evaluator.ci.ledger.attempts import Parties
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import RECEIVED
from evaluator.ci.policy.budget import (
    NOBODY,
    Amount,
    Limit,
    Payer,
    Spent,
    costs,
    free_at,
    read_spent,
)
from evaluator.ci.policy.keys import Policy, policy_of, policy_settings
from evaluator.ci.policy.reviews import opinions
from evaluator.ci.policy.waiting import Place, Waits, Why, waiting_file, waiting_now, without_end
from evaluator.ci.pull_requests.comment import State
from evaluator.ci.pull_requests.ownership import names_of
from evaluator.ci.pull_requests.pull_request import PullRequest
from evaluator.ci.scores.ledger_records import CellTable
from evaluator.core.errors import Actor, some_of
from evaluator.core.formats.cell import SCORES
from evaluator.core.formats.settings import Settings
from evaluator.core.formats.submission import Submission
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.snapshot import read_decisions, read_snapshot

Opened = Callable[[], Collection[int] | None]
"""Numbers of the open pull requests; None without a forge."""
GRACE = dt.timedelta(hours=2)
"""For which an entry keeps its place in line beyond when it was expected to run: another thing
than the budget holds it up."""


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


def decide(
    pull: PullRequest,
    ledger: Ledger,
    actor: str,
    opened: Opened,
    table: CellTable | None = None,
    *,
    again: bool = False,
) -> Decision:
    """Judge a pull request that nothing is wrong with; ``again`` if somebody asked to repeat it."""
    case = _Case(pull, ledger, opened, table)
    for decision in case.decisions(actor, again=again):
        return decision
    return Decision(verdict="approve", reason="The policy of the benchmark approves it.")


def decide_again(pull: PullRequest, author: str, table: CellTable) -> Decision | None:
    """Return why the policies of today would not approve what they approved before."""
    return next(_Case(pull, pull.ledger, lambda: None, table).against(author), None)


def payer_of(pull: PullRequest) -> Callable[[Cell], str]:
    """Return who pays for a cell: its submission's participant, or who alone brought others'."""
    entrants = {name.split("/")[1] for name in pull.submissions}
    alone = next(iter(entrants)) if len(entrants) == 1 else NOBODY

    def pays(cell: Cell) -> str:
        return cell.submission.participant if cell.submission.id in pull.submissions else alone

    return pays


def _person(reason: str) -> Decision:
    return Decision(verdict="wait", why="person", actor=Actor.ORGANISER, reason=reason)


@dataclass(frozen=True)
class _Case:
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

    def _still_open(self, numbers: Collection[int]) -> list[int]:
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

    def decisions(self, actor: str, *, again: bool) -> Iterator[Decision]:
        """Yield all that speaks against an approval, what weighs most first."""
        yield from self._approved_before(again=again)
        yield from self.against(actor)
        yield from self._too_many_open()
        yield from self._over_budget()

    def against(self, actor: str) -> Iterator[Decision]:
        """Yield what the policies of today have against it, whenever it came."""
        ways = [policy.approve for policy in self.policies.values()]
        if not any(who != "never" for way in ways for who in way.values()):
            yield _person("")
        stop = policy_settings(self.pull.before.settings).stop
        if stop:
            reason = f"Nothing is approved by itself at present: {stop}"
            yield replace(_person(reason), why="stopped")
        yield from self._not_its_own(actor)
        yield from self._not_for_these()
        yield from self._reviewed()

    def _not_its_own(self, actor: str) -> Iterator[Decision]:
        own = names_of(actor, self.pull.before.settings)
        parts = [change.path.split("/") for change in self.pull.changes]
        if not all(
            part[0] == "submissions" and len(part) > 4
            and part[2].casefold() in own and part[4].casefold() != SCORES
            for part in parts
        ) or len({part[2] for part in parts}) != 1:  # fmt: skip
            yield _person(
                "It changes something else than the submissions of one participant of its author's."
            )
        elif {one.id for one in self.entered} != self.pull.submissions:
            yield _person("It removes a submission.")

    def _not_for_these(self) -> Iterator[Decision]:
        for one in self.entered:
            policy = self.policies.get(one.benchmark)
            who = policy.approve.get(one.kind_name, "never") if policy else "never"
            if who == "never":
                yield _person(
                    f"An organiser approves each entry of kind '{one.kind_name}' to "
                    f"'{one.benchmark}'."
                )
            if who == "returning" and not self._has_returned(one.benchmark):
                yield _person(
                    f"An organiser approves a participant's first entry of kind '{one.kind_name}' "
                    f"to '{one.benchmark}'."
                )
        for item in self.table.planned.values():
            if item.cell.benchmark.name not in self.policies:
                yield _person("It makes cells of a benchmark that it does not enter.")

    def _has_returned(self, benchmark: str) -> bool:
        """Whether their code was evaluated here, is on the base branch, and none was refused."""
        tree = self.pull.before.tree
        names = self.parties.names(self.participant)
        folders = (path.split("/") for path in tree.entries.folders)
        theirs = {f"{part[1]}/{part[2]}" for part in folders if part[2].casefold() in names}
        snapshot = read_snapshot(tree, participants=theirs)
        for bundle in snapshot.benchmarks.values():
            decisions, problems = read_decisions(snapshot, bundle)
            if any(problem.severity == "error" for problem in problems):
                return False  # it may have said so
            last = {one.submission: one.decision for one in decisions}
            refused = {name.split("/")[0].casefold() for name, kind in last.items()
                       if kind == "refused"}  # fmt: skip
            if refused & names:
                return False
        return any(
            one.benchmark == benchmark and one.kind.runs_code and not one.cancelled
            and one.participant.casefold() in names
            and any(r.status == "finished" for r in snapshot.record_files.records_at(one.place))
            for one in snapshot.submissions
        )  # fmt: skip

    def _approved_before(self, *, again: bool) -> Iterator[Decision]:
        approval = self.ledger.approval_of(self.pull.tree, self.pull.changed)
        if approval is None or approval.head != self.pull.head:
            return
        on = f"It was approved on {_shown(approval.at)}, and"
        if not self.table.missing:
            yield Decision(verdict="approve", reason=f"{on} all of its cells have scores.")
        elif not again:  # who opens a pull request once more gets nothing twice
            done = self.ledger.outcome(approval) is not None
            why = "not all of its cells have a score." if done else "runners evaluate it."
            actor = Actor.ORGANISER if done else None
            yield Decision(verdict="done", reason=f"{on} {why}", actor=actor)

    def _reviewed(self) -> Iterator[Decision]:
        """Yield what reviews say; an entry that one has not read is not approved."""
        for said in opinions(self.pull, self.ledger):
            person = _person(said.reason)
            if said.verdict == "screen":
                yield replace(person, verdict="screen")
            else:
                yield replace(REFUSED, reason=said.reason) if said.verdict == "refuse" else person

    def _too_many_open(self) -> Iterator[Decision]:
        for one in self.entered:
            phase = self.pull.before.benchmarks[one.benchmark].phase(one.phase)
            most = phase.of_plugins.get("open_entries") if phase else None
            if phase is None or most is None:
                continue
            earlier = self._earlier_in(one.benchmark, phase.slug)
            if len(earlier) >= most and len(earlier := self._still_open(earlier)) >= most:
                numbers = some_of([f"#{number}" for number in earlier], 10)
                yield Decision(
                    verdict="wait", why="open", actor=Actor.PARTICIPANT, behind=tuple(earlier),
                    reason=f"A participant may have {most} open in phase '{phase.name}'. It goes "
                    f"on if one of the earlier ones is merged or closed: {numbers}.",
                )  # fmt: skip

    def _earlier_in(self, benchmark: str, phase: str) -> list[int]:
        """Return the party's pull requests that entered a phase before this one did."""
        names, files = self.parties.names(self.participant), self.ledger.entries
        folder = f"{RECEIVED}/{benchmark}"
        people = [name for name in files.names(folder) if name.casefold() in names]
        paths = [path for name in people for path in files.below(f"{folder}/{name}")
                 if path.split("/")[4] == phase]  # fmt: skip
        first: dict[int, dt.datetime] = {}
        for _, note in self.ledger.notes(paths, Received):
            if note.pull_request:
                first[note.pull_request] = min(note.at, first.get(note.pull_request, note.at))
        mine = self.pull.source.pull_request or 0
        at = (first.pop(mine, self.pull.now), mine)
        return sorted(n for n in self.numbers if n in first and (first[n], n) < at)

    def _over_budget(self) -> Iterator[Decision]:
        cells = [item.cell for item in self.table.missing]
        needs = costs(cells, self.pull.before.settings, payer_of(self.pull))
        for payer, need in needs.items():
            policy = self.policies[payer.benchmark]
            minutes, money = policy.minutes_per_day, policy.money_per_day
            limits = {
                f"{payer.benchmark}/{self.parties.party_of(self.participant)}":
                    Limit(minutes.participant, money.participant),
                payer.benchmark: Limit(minutes.benchmark, money.benchmark),
            }  # fmt: skip
            for budget, limit in limits.items():
                if limit != Limit(None, None):
                    yield from self._beyond(payer, need, limit, budget)

    def _beyond(self, payer: Payer, need: Amount, limit: Limit, budget: str) -> Iterator[Decision]:
        before = self.pull.before
        queue = before.benchmarks[payer.benchmark].queue
        if limit.money is not None and queue not in before.settings.price_per_hour:
            yield _person(
                f"'{payer.benchmark}' limits money, and the settings have no price_per_hour of its "
                f"queue '{queue}'."
            )
            return
        names = self.parties.names(self.participant)
        spent = [
            note for who, note in read_spent(self.ledger, payer.benchmark, self.pull.now)
            if "/" not in budget or who in names
        ]  # fmt: skip
        since, line = self._line(budget)
        expected = self.pull.now
        for place in line:
            at = free_at(spent, Amount(place.minutes, place.money), limit, expected)
            if at is not None:  # else the budget became smaller since
                expected = at
                spent.append(Spent(minutes=place.minutes, money=place.money, at=at))
        at = free_at(spent, need, limit, expected)
        whose = "of its participant " if "/" in budget else ""
        if at is None:
            yield _person(
                f"It needs {amount_text(need, limit, before.settings.currency)}, which is more "
                f"than the budget {whose}for '{payer.benchmark}' has in a day."
            )
        elif at > self.pull.now:
            place = Place(budget=budget, since=since, **need._asdict(), expected=at)
            number = len(line) + 1
            yield Decision(
                verdict="wait", why="budget", place=place, number=number,
                reason=f"The budget {whose}for '{payer.benchmark}' is spent for now. It is number "
                f"{number} in the line and expected to run on {_shown(at)}.",
            )  # fmt: skip

    def _line(self, budget: str) -> tuple[dt.datetime, list[Place]]:
        """Return when this head came, and what came before it and waits for the same budget."""
        mine = self.pull.source.pull_request or 0
        path = pull_request_path(mine, self.pull.head)
        noted = self.ledger.notes([path] if path in self.ledger.entries else [], Received)
        since = next((note.at for _, note in noted), self.pull.now)
        waiting = waiting_now(self.ledger, self.numbers)
        ahead = {
            number: waits.place
            for number, waits in waiting.items()
            if waits.place and waits.place.budget == budget and number != mine
            and (waits.place.since, number) < (since, mine)
            and waits.place.expected + GRACE > self.pull.now
        }  # fmt: skip
        line = sorted(self._still_open(ahead), key=lambda number: (ahead[number].since, number))
        return since, [ahead[number] for number in line]


def amount_text(amount: Amount | Limit, limit: Limit, currency: str) -> str:
    """Say the parts of an amount that have a limit."""
    parts = []
    if limit.minutes is not None:
        parts.append(f"{amount.minutes or 0:,.1f} minutes")
    if limit.money is not None:
        parts.append(f"{amount.money or 0:,.2f} {currency}")
    return " and ".join(parts)


def _shown(moment: dt.datetime) -> str:
    return f"{moment.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC"
