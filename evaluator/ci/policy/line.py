"""The line for a budget: entries wait in it, in the order in which they came."""

import datetime as dt
from collections.abc import Iterator

from evaluator.ci.ledger.arrivals import Received, pull_request_path
from evaluator.ci.policy.budget import DailyBudget, Spent, costs, free_at, read_spent
from evaluator.ci.policy.case import Case, Decision, person, still_open
from evaluator.ci.policy.waiting import QueuePosition, open_pull_requests, waiting_now
from evaluator.core.clock import moment_text


def over_budget(case: Case) -> Iterator[Decision]:
    """Yield why the cells of a pull request do not fit into a budget."""
    for payer, need in costs(case.pull, [item.cell for item in case.table.missing]).items():
        party = case.parties.party_of(case.participant)
        for budget in (DailyBudget(payer.benchmark, party), DailyBudget(payer.benchmark)):
            limit = budget.limit(case.policies[payer.benchmark])
            if limit is not None:
                yield from _beyond(case, need, limit, budget)


def _beyond(case: Case, need: float, limit: float, budget: DailyBudget) -> Iterator[Decision]:
    benchmark = budget.benchmark
    spent = budget.spent(read_spent(case.ledger, benchmark, case.pull.now), case.parties)
    since, line = _line(case, budget)
    expected = case.pull.now
    for position in line:
        at = free_at(spent, position.minutes, limit, expected)
        if at is not None:  # None if the budget became smaller
            expected = at
            spent.append(Spent(minutes=position.minutes, at=at))
    at = free_at(spent, need, limit, expected)
    whose = "of the participant " if budget.party else ""
    if at is None:
        yield person(
            f"It needs {need:,.1f} minutes, which is more than the budget {whose}for "
            f"'{benchmark}' has in a day."
        )
    elif at > case.pull.now:
        number = len(line) + 1
        yield Decision(
            verdict="wait", why="budget",
            position=QueuePosition(budget=str(budget), since=since, minutes=need, expected=at),
            reason=f"The budget {whose}for '{benchmark}' is spent for now. It is number {number} "
            f"in the line and expected to run on {moment_text(at)}.",
        )  # fmt: skip


def _line(case: Case, budget: DailyBudget) -> tuple[dt.datetime, list[QueuePosition]]:
    """When this head came, and earlier entries that wait for the same budget."""
    own_number = case.pull.ref.number or 0
    noted = case.ledger.note(pull_request_path(own_number, case.pull.head), Received)
    since = noted.at if noted else case.pull.now
    numbers = open_pull_requests(case.ledger, None, case.pull.base)
    ahead = {
        number: position
        for number, waits in waiting_now(case.ledger, numbers).items()
        if (position := waits.place) and position.budget == str(budget) and number != own_number
        and (position.since, number) < (since, own_number) and position.is_kept(case.pull.now)
    }  # fmt: skip
    line = sorted(
        still_open(case.pull.before.settings, ahead),
        key=lambda number: (ahead[number].since, number),
    )
    return since, [ahead[number] for number in line]
