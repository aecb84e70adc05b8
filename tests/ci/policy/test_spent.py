"""What an evaluation costs a budget: never less than anybody saw it take."""

import datetime as dt
from collections.abc import Callable

import pyrage
import pytest

from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.policy.budget import Spent
from evaluator.ci.policy.queue import read_queue
from evaluator.core.errors import Actor
from evaluator.core.formats.record import CellError, Reason, Record, Step
from evaluator.core.formats.repository_status import BudgetToday
from evaluator.core.planning.cells import Cell, cells
from evaluator.core.scores.redaction import withheld
from evaluator.core.scores.sealing import encrypt_hidden
from tests.ci.policy.test_decide import BUNDLE, DAY, EVERYONE, HOUR, enter, set_policy, waits
from tests.ci.steps.conftest import NOON, ORGANISER, SETTINGS, Forge
from tests.records import record_of
from tests.repository import BRANCH
from tests.steps import approve, finish, proposed

STATUS = "  phases: {0: {shows: status}}\n"


def hand_in(
    forge: Forge, source: PullRequestRef, now: dt.datetime, change: Callable[[Record, Cell], Record]
) -> None:
    for cell in cells(proposed(forge.ours.path, source, now), now):
        if cell.id.participant not in ("alice", "bob"):
            forge.hand_in(change(record_of(cell), cell))


def today(forge: Forge, now: dt.datetime) -> BudgetToday:
    """What `pr list` and the page *Status* show."""
    queue, _ = read_queue(forge.ours.path, now, branch=BRANCH, remote="origin")
    (budget,) = queue.report().budgets
    return budget


@pytest.mark.parametrize("hides", ["status", "sealed"])
def test_times_that_nobody_sees_keep_their_reservation(forge: Forge, hides: str) -> None:
    """Else a phase that hides its times never fills its budget: 0 of 5 wait."""
    key = str(pyrage.x25519.Identity.generate().to_public())
    settings = SETTINGS.replace("\n\n", f'\nseal = "{key}"\n\n', 1)
    set_policy(
        forge, f"{EVERYONE}, minutes_per_day: {{benchmark: 0.65}}",
        STATUS if hides == "status" else "", settings if hides == "sealed" else SETTINGS,
    )  # fmt: skip
    if hides == "sealed":
        forge.ours.replace(BUNDLE, "    key: results\n", "    key: results\n    hidden: true\n")
        forge.ours.commit("Hide the board")
        forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")

    def change(record: Record, cell: Cell) -> Record:
        public = encrypt_hidden(record, cell.benchmark, key if hides == "sealed" else "")
        return withheld(public) if hides == "status" else public

    passed = 0
    for number in range(1, 6):
        at = NOON + number * HOUR
        source, step = enter(forge, number, f"p{number}", at)
        if step.planned:
            passed += 1
            hand_in(forge, source, at, change)
            done = finish(forge.ours.path, source, forge.folder, at)
            assert done.ok, done.report
    assert passed == 3
    assert {waits(forge, number).why for number in (4, 5)} == {"budget"}
    assert today(forge, NOON + 6 * HOUR).minutes == pytest.approx(0.6)


def noted(forge: Forge, approval: str, what: str = "used") -> Spent | None:
    paths = [path for path in forge.ledger.entries.below("spent")
             if path.endswith(f"/{approval}-{what}.json")]  # fmt: skip
    return next((note for _, note in forge.ledger.notes(paths, Spent)), None)


def test_a_step_that_is_not_seen_costs_its_limit(forge: Forge) -> None:
    source, _ = enter(forge, 1, "carol")
    assert approve(forge.ours.path, source, "carol", ORGANISER, NOON).ok
    error = CellError(
        actor=Actor.PARTICIPANT, reason=Reason.EXITED, message="it broke",
        step="ingestion",
    )  # fmt: skip
    failed = {"status": "failed", "scores": {}, "error": error}
    ingestion = Step(step="ingestion", wall_seconds=1.5, exit_code=1)
    seen = {
        # The scorer's time alone; and a program that failed, after which no scorer ran.
        "one": lambda record: record,
        "two": lambda record: record.replace(**failed, steps=[ingestion]),
    }
    hand_in(forge, source, NOON, lambda record, cell: seen[cell.id.task](record))
    finish(forge.ours.path, source, forge.folder, NOON)
    (approval,) = forge.ledger.approvals_of(1)
    spent = noted(forge, approval.id)
    assert spent is not None
    assert spent.minutes * 60 == pytest.approx((3 + 0.25) + 1.5)


def test_what_was_handed_out_and_is_no_cell_any_more_costs_its_reservation(forge: Forge) -> None:
    """A scorer that changes meanwhile makes nothing free."""
    set_policy(forge, EVERYONE)
    source, _ = enter(forge, 1, "carol")
    hand_in(forge, source, NOON, lambda record, cell: record)
    forge.ours.write("benchmarks/adding/input_data/two/more.txt", "1\n")
    forge.ours.commit("Other data")
    forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
    finish(forge.ours.path, source, forge.folder, NOON)
    (approval,) = forge.ledger.approvals_of(1)
    spent = noted(forge, approval.id)
    assert spent is not None
    assert spent.minutes * 60 == pytest.approx((3 + 0.25) + 2 * 3)


def test_a_clock_that_goes_back_gives_no_other_budget(forge: Forge) -> None:
    set_policy(forge, f"{EVERYONE}, minutes_per_day: {{benchmark: 0.3}}")
    assert enter(forge, 1, "carol")[1].planned
    _, second = enter(forge, 2, "erin", NOON - 2 * DAY)
    assert not second.planned
    assert waits(forge, 2).why == "budget"
    assert today(forge, NOON - 2 * DAY).minutes == pytest.approx(0.2)
    assert enter(forge, 3, "frank", NOON + DAY + 3 * HOUR)[1].planned
