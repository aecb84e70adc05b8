"""Cells of an approval that has no outcome are handed out again: once free, then by the rules."""

import datetime as dt

import pytest

from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.policy.queue import read_queue
from evaluator.core.errors import Actor
from tests.ci.policy.test_decide import BUNDLE, EVERYONE, HOUR, enter, go_on, set_policy, waits
from tests.ci.policy.test_spent import today
from tests.ci.steps.conftest import NOON, ORGANISER, SETTINGS, Forge, entry
from tests.repository import BRANCH
from tests.steps import approve, receive

TIGHT = f"{EVERYONE}, minutes_per_day: {{benchmark: 0.3, participant: 0.3}}"
"""Room for one entry in a day, which reserves 0.2 minutes."""
STOP = '\n[tool.pullbench.policy]\nstop = "A leak."\n'


def again(forge: Forge, source: PullRequestRef, at: dt.datetime) -> bool:
    """Do what a push or the queue starts; returns whether cells are handed out."""
    step = receive(forge.ours.path, source, "carol", at)
    return step.next == "approve" and bool(go_on(forge, source, "carol", at).planned)


def ready(forge: Forge, at: dt.datetime, running: tuple[int, ...] | None = ()) -> bool:
    queue, _ = read_queue(forge.ours.path, at, branch=BRANCH, remote="origin")
    return 1 in queue.ready(running)


def write(forge: Forge, path: str, text: str) -> None:
    """Change the base branch."""
    forge.ours.write(path, text)
    forge.ours.commit("Other rules")
    forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")


def test_a_push_away_and_back_is_charged_after_the_first(forge: Forge) -> None:
    set_policy(forge, TIGHT)
    source, _ = enter(forge, 1, "carol")
    hours = []
    for hour in range(6, 48, 6):
        at = NOON + hour * HOUR
        other = forge.open(1, entry("carol", "one", f"print('other {hour}')\n"))
        back = forge.push(1, source.head)
        assert not receive(forge.ours.path, other, "carol", at).ok
        if again(forge, back, at):
            hours.append(hour)
    assert hours == [6, 24], "once free, then when the budget has room"
    assert today(forge, NOON + 42 * HOUR).minutes == pytest.approx(0.2)


def test_pull_requests_with_one_head_are_each_judged_as_their_own(forge: Forge) -> None:
    set_policy(forge, TIGHT)
    source, step = enter(forge, 1, "carol")
    assert step.planned
    for number in (2, 3):
        twin = forge.push(number, source.head)
        assert not again(forge, twin, NOON)
        assert waits(forge, number).why == "budget"
        assert not forge.ledger.approvals_of(number)


@pytest.mark.parametrize("approver", [None, ORGANISER])
def test_a_stop_also_stops_what_is_handed_out_again(forge: Forge, approver: str | None) -> None:
    set_policy(forge, EVERYONE)
    source, _ = enter(forge, 1, "carol")
    if approver:
        source = forge.open(2, entry("carol", "two", "print(2)\n"))
        receive(forge.ours.path, source, "carol", NOON)
        assert approve(forge.ours.path, source, "carol", approver, NOON).planned
    write(forge, "pyproject.toml", SETTINGS + STOP)
    assert not again(forge, source, NOON + HOUR)
    assert not go_on(forge, source, "carol", NOON + HOUR).planned
    assert waits(forge, source.number or 0).why == "stopped"
    # The stop has an end, and then it is started once.
    write(forge, "pyproject.toml", SETTINGS)
    assert again(forge, source, NOON + 2 * HOUR)
    queue, _ = read_queue(forge.ours.path, NOON + 3 * HOUR, branch=BRANCH, remote="origin")
    assert source.number not in queue.ready([source.number or 0])


def test_a_policy_that_is_changed_to_never_hands_nothing_out_again(forge: Forge) -> None:
    set_policy(forge, EVERYONE)
    source, _ = enter(forge, 1, "carol")
    text = (forge.ours.path / BUNDLE).read_text()
    write(forge, BUNDLE, text.replace(EVERYONE, "approve: {code: never}"))
    assert not again(forge, source, NOON + HOUR)
    assert not go_on(forge, source, "carol", NOON + HOUR).planned


def test_where_finish_always_fails_an_organiser_acts_after_as_many_tries_as_of_retry(
    forge: Forge,
) -> None:
    set_policy(forge, TIGHT)
    source, _ = enter(forge, 1, "carol")
    started = []
    for day in range(1, 8):
        at = NOON + day * 25 * HOUR
        if ready(forge, at):
            started.append(again(forge, source, at))
    # The first is free, three are charged, and the last says that an organiser acts.
    assert started == [True] * 4 + [False]
    assert len(forge.ledger.approvals_of(1)) == 4
    noted = waits(forge, 1)
    assert noted.actor == Actor.ORGANISER
    assert "started its evaluation again 4 times" in noted.reason
    at = NOON + 30 * 25 * HOUR
    assert approve(forge.ours.path, source, "carol", ORGANISER, at).planned
    assert forge.ledger.approvals_of(1)[-1].approver == ORGANISER


def test_a_repetition_that_is_charged_stays_its_approvers(forge: Forge) -> None:
    source = forge.open(1, entry("carol"))
    receive(forge.ours.path, source, "carol", NOON)
    assert approve(forge.ours.path, source, "carol", ORGANISER, NOON).planned
    assert all(again(forge, source, NOON + hour * HOUR) for hour in (1, 2))
    approvals = forge.ledger.approvals_of(1)
    assert [one.approver for one in approvals] == [ORGANISER, ORGANISER]
    assert [bool(forge.ledger.outcome(one)) for one in approvals] == [True, False]
    spent = [
        path for path in forge.ledger.entries.below("spent") if path.endswith("-reserved.json")
    ]
    assert len(spent) == 2


def test_without_a_list_of_runs_the_last_hand_out_counts(forge: Forge) -> None:
    set_policy(forge, EVERYONE)
    source, _ = enter(forge, 1, "carol")
    at = NOON + 60 * HOUR
    assert ready(forge, at, None)
    assert again(forge, source, at)
    assert not ready(forge, at + HOUR, None)
