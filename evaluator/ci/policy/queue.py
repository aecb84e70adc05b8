"""Pull requests that wait: which can go on now, and a report for organisers."""

import datetime as dt
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from evaluator.ci.forge.repository import Forge, find_forge
from evaluator.ci.ledger.arrivals import Received, pull_request_path
from evaluator.ci.ledger.attempts import Parties
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import APPROVED, ATTEMPTS, PULLS, Approval
from evaluator.ci.ledger.ledger_state import grown_ledger
from evaluator.ci.opened.heads import base_commit
from evaluator.ci.policy.budget import DAY, DailyBudget, Spent, free_at, read_spent
from evaluator.ci.policy.keys import Policy, policy_of, reason_to_stop
from evaluator.ci.policy.waiting import (
    MERGED,
    Merged,
    QueuePosition,
    Waits,
    may_end,
    open_pull_requests,
    waiting_now,
)
from evaluator.core.errors import Actor
from evaluator.core.formats.cell import place_of
from evaluator.core.formats.repository_status import (
    MAX_QUEUE,
    BudgetToday,
    PolicyReport,
    ShownScores,
    WaitingPullRequest,
)
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.core.scores.climbing import majority_gain


@dataclass(frozen=True)
class Queue:
    """Waiting pull requests, by the base branch, the ledger and the forge's list of open ones."""

    snapshot: Snapshot
    ledger: Ledger
    opened: Mapping[int, str] | None
    """Number -> head; None without a forge."""
    now: dt.datetime

    @cached_property
    def numbers(self) -> list[int]:
        return open_pull_requests(self.ledger, self.opened, self.snapshot.tree.commit or "")

    @cached_property
    def waiting(self) -> Mapping[int, Waits]:
        """Notes by number, in order of arrival."""
        heads = self.opened
        # A push starts a run itself; one that could not be received is not started by its number.
        by_number = {
            number: waits
            for number, waits in waiting_now(self.ledger, self.numbers).items()
            if heads is None or heads[number] == waits.head
        }
        paths = {pull_request_path(number, one.head): number for number, one in by_number.items()}
        there = [path for path in paths if path in self.ledger.entries]
        arrivals = {paths[path]: note.at for path, note in self.ledger.notes(there, Received)}
        order = sorted(
            by_number, key=lambda number: (arrivals.get(number, by_number[number].at), number)
        )
        return {number: by_number[number] for number in order}

    @cached_property
    def approved(self) -> Mapping[int, Approval]:
        """Last approvals of open heads that have no outcome, by number."""
        folders = (f"{PULLS}/{number}/{APPROVED}/" for number in self.numbers)
        self.ledger.entries.read_folders(folders)
        every = {number: self.ledger.approvals_of(number) for number in self.numbers}
        last = {number: several[-1] for number, several in every.items() if several}
        self.ledger.read_about(last.values())
        return {
            number: one
            for number, one in last.items()
            if (self.opened is None or self.opened[number] == one.head)
            and self.ledger.outcome(one) is None
        }

    @cached_property
    def policies(self) -> Mapping[str, Policy]:
        every = {name: policy_of(one) for name, one in self.snapshot.benchmarks.items()}
        return {name: policy for name, policy in every.items() if policy.approve}

    @cached_property
    def _spent(self) -> Mapping[str, list[tuple[str, Spent]]]:
        return {name: read_spent(self.ledger, name, self.now) for name in self.policies}

    def ready(self, running: Collection[int] | None = None) -> list[int]:
        """Those that can go on now, the oldest first.

        What was approved and has no outcome goes on if no job of it is ``running`` any more, or if
        it is overdue where nothing says what is running.
        """
        moved = [number for number, waits in self.waiting.items() if waits.why == "moved"]
        if reason_to_stop(self.snapshot.settings):
            return moved
        lines: dict[str, list[tuple[int, QueuePosition]]] = {}
        for number, waits in self.waiting.items():
            if waits.place:
                lines.setdefault(waits.place.budget, []).append((number, waits.place))
        free = {n for budget, line in lines.items() for n in self._free(budget, line)}
        hours = self.snapshot.settings.progress_hours
        died = [
            number
            for number, one in self.approved.items()
            if number not in self.waiting  # of which the last step said for what
            and (not may_end(self.ledger, one, hours, self.now) if running is None
                else number not in running)
        ]  # fmt: skip
        return died + [
            number
            for number, waits in self.waiting.items()
            if number in {*free, *moved}
            or waits.why == "stopped"
            or (waits.why == "merge" and waits.actor is None)
            or any(self._has_ended(other, waits) for other in waits.behind)
        ]

    def _has_ended(self, number: int, waits: Waits) -> bool:
        if number not in self.numbers:
            return True
        approvals = self.ledger.approvals_of(number)
        hours = self.snapshot.settings.progress_hours
        goes_on = approvals and may_end(self.ledger, approvals[-1], hours, self.now)
        return waits.why == "earlier" and not goes_on

    def _free(self, budget: str, line: list[tuple[int, QueuePosition]]) -> Iterator[int]:
        """Yield those at the head of a line that fit into the budget, one after the other."""
        whose = DailyBudget(*budget.split("/"))
        limit = whose.limit(self.policies.get(whose.benchmark, Policy()))
        notes, parties = self._spent.get(whose.benchmark, ()), Parties(self.snapshot.settings)
        spent = whose.spent(notes, parties)
        for number, position in sorted(line, key=lambda one: (one[1].since, one[0])):
            at = free_at(spent, position.minutes, limit, self.now)
            if at is None or at <= self.now:  # if it never fits, a person decides
                spent.append(Spent(minutes=position.minutes, at=self.now))
                yield number
            elif position.is_kept(self.now):
                return

    def report(self) -> PolicyReport:
        """What waits for a person, what is spent, and what policies did in 24 hours."""
        people = [
            WaitingPullRequest(
                pull_request=number, since=waits.at, why=waits.why,
                actor=waits.actor, reason=waits.reason[:500],
            )
            for number, waits in self.waiting.items()
            if waits.actor == Actor.ORGANISER
        ]  # fmt: skip
        budgets = [
            BudgetToday(
                benchmark=name, minutes=sum(note.minutes for _, note in spent),
                minutes_limit=DailyBudget(name).limit(self.policies[name]),
            )
            for name, spent in self._spent.items()
        ]  # fmt: skip
        shown = [one for name in self.snapshot.benchmarks for one in self._shown(name)]
        recent = [waits for waits in self.waiting.values() if self.now - waits.at < DAY]
        return PolicyReport(
            at=self.now, stopped=reason_to_stop(self.snapshot.settings)[:500],
            people=people[:MAX_QUEUE], more=len(people[MAX_QUEUE:]),
            budgets=budgets[:MAX_QUEUE], shown=shown[:MAX_QUEUE], merged=self._merged(),
            approved=sum(note.by_policy for spent in self._spent.values() for _, note in spent),
            refused=sum(waits.actor == Actor.PARTICIPANT for waits in recent),
            waiting=sum(waits.actor is None for waits in self.waiting.values())
            + len(self.approved.keys() - self.waiting.keys()),
        )  # fmt: skip

    def _shown(self, name: str) -> Iterator[ShownScores]:
        """Yield what phases with labels that are not in git have shown of them.

        Scores are counted by attempts; by records where the ledger knows fewer: of what organisers
        evaluated elsewhere, and of what a phase takes over, it has no note.
        """
        benchmark, parties = self.snapshot.benchmarks[name], Parties(self.snapshot.settings)
        hidden = [
            (phase, tasks)
            for phase in benchmark.phases
            if phase.shows == "results" and not benchmark.leaderboard.hidden
            and (tasks := sum(task.hides_labels for task in phase.tasks))
        ]  # fmt: skip
        if not hidden:
            return
        paths = (path.split("/") for path in self.ledger.entries.below(f"{ATTEMPTS}/{name}"))
        attempts = Counter((phase, parties.party_of(person)) for *_, person, phase, _ in paths)
        places = map(place_of, self.snapshot.tree.under(f"submissions/{name}"))
        attempts |= Counter((one.phase, parties.party_of(one.participant)) for one in places if one)
        for phase, tasks in hidden:
            counts = [count for (slug, _), count in attempts.items() if slug == phase.slug]
            board, digits = benchmark.boards[phase.slug], phase.feedback_digits
            numbers = tasks * sum(not column.hidden for column in board.columns)
            scores, ladder, most = sum(counts) * numbers, phase.ladder, max(counts, default=0)
            yield ShownScores(
                benchmark=name, phase=phase.name, scores=scores,
                most=most * numbers,
                bits=scores * math.log2(10**digits + 1) if digits else None,
                # From chance to all labels of two classes there are so many steps at most.
                gain=majority_gain(min(most, math.ceil(0.5 / ladder.step)), ladder.labels)
                if ladder else None,
            )  # fmt: skip

    def _merged(self) -> int:
        """Count what policies merged in 24 hours."""
        entries = self.ledger.entries
        folders = [f"{PULLS}/{name}/{MERGED}" for name in entries.names(PULLS)]
        entries.read_folders(f"{folder}/" for folder in folders)
        paths = [path for folder in folders for path in entries.below(folder)]
        notes = self.ledger.notes(paths, Merged)
        return sum(bool(note.commit) and self.now - note.at < DAY for _, note in notes)


def read_queue(
    start: Path, now: dt.datetime, *, branch: str, remote: str | None
) -> tuple[Queue, Forge | None]:
    """Read base branch, ledger and forge; return the queue, and the forge if there is one."""
    repo = open_repository(start)
    tree = read_tree(repo, base_commit(repo, branch, remote))
    snapshot = read_snapshot(tree, participants=())
    ledger = grown_ledger(repo, snapshot.settings.ledger, remote, tree)
    forge = find_forge(snapshot.settings.forge)
    opened = {pull.number: pull.head.sha for pull in forge.open_pull_requests()} if forge else None
    return Queue(snapshot, ledger, opened, now), forge
