"""Records of a race in the ledger's order of arrival, whenever things are evaluated and merged."""

import datetime as dt
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from evaluator.ci.ledger.arrivals import Received, received_path
from evaluator.ci.ledger.ledger_notes import note_json
from evaluator.ci.ledger.versions import Work
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.policy.races import entries_of
from evaluator.ci.policy.waiting import last_waits
from evaluator.ci.scores.collecting import collect
from evaluator.ci.scores.ledger_records import add_to_ledger
from evaluator.ci.steps.comment import to_markdown
from evaluator.ci.steps.merge import merge
from evaluator.ci.steps.reports import StepResult
from evaluator.core.git.tree import open_repository
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.core.planning.plan import PlannedCell
from evaluator.core.scores.uploads import records_in
from evaluator.plugins.races.contenders import compare
from tests import fake_forge
from tests.ci.steps.conftest import LEDGER, NOON, ORGANISER, Forge, entry
from tests.ci.steps.test_merging import add_policy, change_base, hosted
from tests.plugins.races.race_files import STARTED, put_race, race_against
from tests.records import record_of
from tests.repository import BRANCH
from tests.steps import approve, finish, receive

__all__ = ["hosted"]
MINUTE = dt.timedelta(minutes=1)
LATER = NOON + dt.timedelta(hours=1)


class Race:
    """Entries that come one after the other, each with one value on both tasks."""

    def __init__(self, forge: Forge, hosted: fake_forge.FakeForge) -> None:
        self.forge, self.hosted = forge, hosted
        self.pulls: dict[int, dict[str, Any]] = {}

    def come(
        self, number: int, who: str, at: dt.datetime | None = None, content: int | None = None
    ) -> PullRequestRef:
        source = self.forge.open(number, entry(who, content=f"print({content or number})\n"))
        pull = self.hosted.add_pull(number, "evaluate", user={"login": who})
        pull["head"]["sha"] = source.head
        self.pulls[number] = pull
        came = receive(self.forge.ours.path, source, who, at or NOON + number * MINUTE)
        assert came.ok, came.report
        return source

    def approve(self, source: PullRequestRef) -> None:
        who = self.pulls[source.number or 0]["user"]["login"]
        assert approve(self.forge.ours.path, source, who, ORGANISER, LATER).ok

    def finish(
        self, source: PullRequestRef, value: float | None = None, at: dt.datetime = LATER,
        turns: bytes = b"",
    ) -> StepResult:  # fmt: skip
        folder = None
        if value is not None:
            scores = {"right": value, "distance": 1.0}
            # Each job hands in its own.
            place = self.forge.folder.parent / f"of-{source.number}"
            folder = replace(self.forge, folder=place).evaluate(source, NOON, scores=scores)
            if turns:
                put_race(folder, sorted(records_in(folder).items())[0][1], turns)
        return finish(self.forge.ours.path, source, folder, at)

    def break_head(self, source: PullRequestRef, how: str) -> None:
        """Let the bare repository's reference name what is no commit, or no whole one."""
        remote, head = self.forge.origin, f"refs/pull/{source.number}/head"
        git = partial(self.forge.ours.git, f"--git-dir={remote}")
        if how == "a blob":
            git("update-ref", head, git("rev-parse", f"{BRANCH}:pyproject.toml"))
            return
        text = f"tree {'1' * 40}\nauthor a <a@b> 0 +0000\ncommitter a <a@b> 0 +0000\n\nx\n"
        file = self.forge.ours.write("build/commit", text)
        broken = git("hash-object", "-t", "commit", "-w", "--literally", str(file))
        (remote / head).write_text(f"{broken}\n")

    def said(self, step: StepResult) -> str:
        (sentence,) = step.report.records
        assert sentence in to_markdown(step.report)
        return sentence


@pytest.fixture
def race(forge: Forge, hosted: fake_forge.FakeForge) -> Race:
    change_base(forge, add_policy("  accept: {beats: record, by: 0.1}\n"))
    return Race(forge, hosted)


def test_what_is_evaluated_and_not_merged_counts(race: Race) -> None:
    first, second, third = (race.come(n, who) for n, who in ((1, "ada"), (2, "bea"), (3, "cleo")))
    for source in (first, second, third):
        race.approve(source)
    done = race.finish(first, 0.5)
    assert race.said(done) == "`ada/one` is the first entry with a value, so it holds the record."
    assert race.said(race.finish(second, 0.55)) == (
        "`bea/one` is an attempt, not a record: the margin must exceed 0.1. The best that arrived "
        "before it is `ada/one` with Right 0.50; it has 0.55, margin 0.05."
    )
    assert "`cleo/one` is a new record." in race.said(race.finish(third, 0.75))


def test_what_is_merged_and_not_collected_counts(race: Race) -> None:
    """Its scores are in the ledger alone, and CI commits them some minutes later."""
    first, second = race.come(1, "ada"), race.come(2, "bea")
    race.approve(first)
    done = merge(race.finish(first, 0.5), LATER)
    assert done is not None
    assert race.pulls[1]["merged"], done.report
    race.approve(second)
    assert "before it is `ada/one` with Right 0.50" in race.said(race.finish(second, 0.9))


def test_what_the_forges_list_does_not_have_is_asked_for_by_number_once(race: Race) -> None:
    first, second = race.come(1, "ada"), race.come(2, "bea")
    race.approve(first)
    race.approve(second)
    race.hosted.reply(f"GET {fake_forge.REPOSITORY}/pulls", fake_forge.Reply(data=[]))
    step = race.finish(second, 0.6)
    assert "waits for the scores of entries that arrived earlier: #1" in step.report.reason
    race.pulls[1]["state"] = "closed"
    race.hosted.asked.clear()
    assert "waits" not in race.finish(second).report.reason
    assert "waits" not in race.finish(second).report.reason
    by_number = [one for one in race.hosted.asked if one.path.endswith("/pulls/1")]
    assert len(by_number) == 1
    race.pulls[1]["state"] = "open"
    assert "#1" in race.finish(second).report.reason


def test_who_came_later_waits_for_what_is_approved_earlier(race: Race) -> None:
    first, second = race.come(1, "ada"), race.come(2, "bea")
    race.approve(first)
    race.approve(second)
    # The later one is faster, and may not take the record meanwhile.
    step = race.finish(second, 0.6)
    assert (step.ok, step.report.records) == (True, ())
    assert "waits for the scores of entries that arrived earlier: #1" in step.report.reason
    waits = last_waits(race.forge.ledger, [2]).get(2)
    assert waits is not None
    assert (waits.why, waits.actor, waits.behind) == ("earlier", None, (1,))
    refused = merge(step, LATER)
    assert refused is not None and refused.report.reason == step.report.reason
    assert not race.hosted.made("PUT")

    race.finish(first, 0.65)
    again = race.finish(second)
    assert "is an attempt" in race.said(again)
    # Attempts are merged all the same.
    done = merge(again, LATER)
    assert done is not None
    assert race.pulls[2]["merged"], done.report


def test_an_earlier_entry_in_another_pull_request_is_waited_for(race: Race) -> None:
    """Its author closed the first, and opened another one with the same commit."""
    first, second = race.come(1, "ada"), race.come(2, "bea")
    race.pulls[1]["state"] = "closed"
    race.pulls[3] = race.hosted.add_pull(3, "evaluate", user={"login": "ada"})
    race.pulls[3]["head"]["sha"] = first.head
    again = race.forge.push(3, first.head)
    assert receive(race.forge.ours.path, again, "ada", LATER).ok
    race.approve(again)
    race.approve(second)
    assert "arrived earlier: #3." in race.finish(second, 0.6).report.reason
    assert "the record" in race.said(race.finish(again, 0.5))
    assert "before it is `ada/one`" in race.said(race.finish(second))


def test_who_came_later_is_never_compared(race: Race) -> None:
    first, second = race.come(1, "ada"), race.come(2, "bea")
    race.approve(second)
    assert "is the first entry" in race.said(race.finish(second, 0.9))
    race.approve(first)
    assert "is the first entry" in race.said(race.finish(first, 0.2))


@pytest.mark.parametrize(
    "end",
    [
        "never approved",
        "closed",
        "moved",
        "unmergeable",
        "job killed long ago",
        "a blob",
        "a missing tree",
    ],
)
def test_what_is_not_going_on_blocks_nobody(race: Race, end: str) -> None:
    first, second = race.come(1, "ada"), race.come(2, "bea")
    if end != "never approved":
        race.approve(first)
    if end == "closed":
        race.pulls[1]["state"] = "closed"
    if end == "moved":
        moved = race.forge.open(1, entry("ada", content="import os\n"))
        receive(race.forge.ours.path, moved, "ada", LATER)
    if end == "unmergeable":
        # A push cancels the run that evaluates; what takes its place can never be merged.
        race.forge.theirs.git("checkout", "--quiet", "--orphan", "unrelated")
        moved = race.forge.push(1, race.forge.theirs.commit("Unrelated"))
        assert not receive(race.forge.ours.path, moved, "ada", LATER).ok
    if end in ("a blob", "a missing tree"):
        race.finish(first, 0.4)
        race.break_head(first, end)
    race.approve(second)
    at = NOON + dt.timedelta(days=2) if end == "job killed long ago" else LATER
    assert "is the first entry" in race.said(race.finish(second, 0.5, at))


def test_a_copy_of_an_earlier_entry_is_no_record(race: Race) -> None:
    """It adopts the scores, and has the same value."""
    first = race.come(1, "ada")
    race.approve(first)
    race.finish(first, 0.5)
    copy = race.come(2, "mallory", content=1)
    race.approve(copy)
    said = race.said(race.finish(copy))
    assert "`mallory/one` is an attempt" in said
    assert "`ada/one`" in said


def test_of_equal_times_the_ledgers_order_decides(race: Race) -> None:
    second = race.come(2, "bea", at=NOON)
    first = race.come(1, "ada", at=NOON)
    came = entries_of(race.forge.ledger, "adding")
    assert [one.pull_request for one in came] == [2, 1]
    race.approve(first)
    race.approve(second)
    race.finish(second, 0.5)
    assert "`ada/one` is an attempt" in race.said(race.finish(first, 0.55))


def test_any_number_of_notes_may_have_one_time(race: Race) -> None:
    """Some 13,000 were too many names for one command line."""
    source, ours = race.come(1, "ada", at=NOON), open_repository(race.forge.ours.path)
    note = note_json(Received(at=NOON, head=source.head, pull_request=1))
    work, long = Work("main", "code", "c" * 32), "x" * 200
    names = [f"adding/{long}-{number:04}/one" for number in range(7000)]
    notes = {received_path(name, work, source.head): note for name in names}
    add_to_ledger(ours, notes, "Note {} files\n", branch=LEDGER, remote="origin")
    race.come(2, "bea", at=NOON)
    came = entries_of(race.forge.ledger, "adding")
    assert len(came) == 7002
    assert (came[0].submission, came[-1].submission) == ("adding/ada/one", "adding/bea/one")


def test_an_entry_on_the_board_is_replaced_by_a_person(race: Race) -> None:
    first = race.come(1, "ada")
    race.approve(first)
    assert merge(race.finish(first, 0.5), LATER) is not None
    second = race.come(2, "ada")
    race.approve(second)
    done = merge(race.finish(second, 0.9), LATER)
    assert done is not None
    assert "changes an entry with which others were compared" in done.report.reason
    assert not race.pulls[2].get("merged")


def test_how_an_entry_ran_in_turn_decides_before_anybody_merges(
    forge: Forge, hosted: fake_forge.FakeForge
) -> None:
    """The race lies with the job's records, or in the ledger: in no tree yet."""
    rule = "{beats: record, by: 0.01, p: 0.01, rerun: alternate}"
    change_base(forge, add_policy(f"  accept: {rule}\n  exclusive: true\n"))
    race = Race(forge, hosted)
    first, second, third = (race.come(n, who) for n, who in ((1, "ada"), (2, "bea"), (3, "cleo")))
    for source in (first, second, third):
        race.approve(source)
    assert "so it holds the record" in race.said(race.finish(first, 0.5))
    ada = next(iter(records_in(forge.folder.parent / "of-1").values()))
    ada_files = ada.keys.parts["submission"]
    content = race_against("ada/one", ada_files, [0.05] * 8)
    assert (
        "`bea/one` is to be confirmed as a record by a second race, from 2026-03-10 00:00 UTC on. "
        "`ada/one` held the record."
    ) in race.said(race.finish(second, 0.4, turns=content))
    level = race_against("ada/one", ada_files, [0.0] * 8)
    assert "`cleo/one` is an attempt, not a record: it is not shown to be 1% better" in race.said(
        race.finish(third, 0.9, turns=level)
    )
    for source in (first, second):
        forge.merge(source)

    def due_at(now: dt.datetime) -> list[PlannedCell]:
        done = collect(forge.ours.path, now, branch=BRANCH, remote="origin")
        return [item for item in done.missing if item.state == "asked"]

    assert due_at(NOON - dt.timedelta(hours=13)) == []
    due = due_at(NOON)
    assert {item.cell.id.participant for item in due} == {"bea"}
    for number, item in enumerate(due):
        again = record_of(item.cell, scores={"right": 0.45, "distance": 1.0})
        forge.hand_in(again)
        if not number:
            started = STARTED + dt.timedelta(days=1)
            second_race = race_against("ada/one", ada_files, [0.05] * 8, started)
            put_race(forge.folder, again, content + second_race)
    done = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", source=forge.folder)
    assert done.committed.cells == 2
    assert due_at(NOON + dt.timedelta(days=9)) == []
    board = leaderboard_at(forge.ours.path, "adding", phase=None, task=None, at="origin/main")
    bea = next(one for one in compare(board) if one.row.submission.participant == "bea")
    assert not bea.fault
    assert bea.since == started
