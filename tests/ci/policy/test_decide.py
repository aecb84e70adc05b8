"""Which pull requests need no person, against a real bare repository."""

import datetime as dt
from concurrent.futures import ThreadPoolExecutor

import pytest

from evaluator.ci.ledger.ledger_notes import POLICY
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.policy.waiting import Waits, last_waits
from evaluator.ci.scores.collecting import collect
from evaluator.ci.steps.reports import StepResult
from evaluator.core.errors import Actor
from tests.ci.steps.conftest import NOON, ORGANISER, SETTINGS, Files, Forge, entry
from tests.records import STEPS
from tests.repository import BRANCH, Repository
from tests.steps import approve, finish, receive

HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)
BUNDLE = "benchmarks/adding/competition.yaml"
EVERYONE = "approve: {code: everyone, results: everyone}"


def set_policy(forge: Forge, policy: str, more: str = "", settings: str = SETTINGS) -> None:
    """Write the base branch's policy, and other keys below ``pullbench``."""
    keys = f"\npullbench:\n  policy: {{{policy}}}\n{more}"
    forge.ours.replace(BUNDLE, "\npullbench:\n", keys)
    forge.ours.write("pyproject.toml", settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_COMMITTER_DATE", (NOON - DAY).isoformat())
        forge.ours.commit("A policy")
    forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")


def come(
    forge: Forge, number: int, files: Files, who: str, at: dt.datetime = NOON
) -> tuple[PullRequestRef, StepResult]:
    source = forge.open(number, files)
    return source, receive(forge.ours.path, source, who, at)


def go_on(forge: Forge, source: PullRequestRef, who: str, at: dt.datetime = NOON) -> StepResult:
    """Take the step that the policy decides on."""
    return approve(forge.ours.path, source, who, None, at)


def enter(
    forge: Forge, number: int, who: str, at: dt.datetime = NOON, name: str = "one"
) -> tuple[PullRequestRef, StepResult]:
    """Open a pull request with a submission of its own, and go on as evaluate.yml does."""
    source, step = come(forge, number, entry(who, name, f"print({number})\n"), who, at)
    return source, go_on(forge, source, who, at) if step.next == "approve" else step


def land(forge: Forge, source: PullRequestRef, at: dt.datetime) -> None:
    """Evaluate, merge and commit the scores."""
    done = finish(forge.ours.path, source, forge.evaluate(source, at), at)
    assert done.ok, done.report
    forge.merge(source, at)
    collect(forge.ours.path, at, branch=BRANCH, remote="origin")
    forge.ours.git("pull", "--quiet", "--ff-only", "origin", BRANCH)


def waits(forge: Forge, number: int) -> Waits:
    found = last_waits(forge.ledger, [number]).get(number)
    assert found is not None
    return found


def test_without_a_policy_an_organiser_approves(forge: Forge) -> None:
    source, step = come(forge, 1, entry("carol"), "carol")
    assert (step.ok, step.next, step.report.state) == (True, "", "received")
    assert "sets the label `evaluate`" in step.report.next_step
    noted = waits(forge, 1)
    assert (noted.why, noted.actor) == ("person", Actor.ORGANISER)
    receive(forge.ours.path, source, "carol", NOON + HOUR)
    assert waits(forge, 1) == noted, "a repeated step notes nothing new"
    refused = go_on(forge, source, "carol")
    assert not refused.ok
    assert not forge.ledger.approvals_of(1)
    assert approve(forge.ours.path, source, "carol", ORGANISER, NOON).ok
    assert [one.approver for one in forge.ledger.approvals_of(1)] == [ORGANISER]


def test_the_policy_approves_by_itself(forge: Forge) -> None:
    set_policy(forge, EVERYONE)
    source, step = come(forge, 1, entry("carol"), "carol")
    assert (step.ok, step.next, step.report.state) == (True, "approve", "received")
    assert "policy of the benchmark approves it" in step.report.reason
    assert "organiser" not in step.report.next_step
    done = go_on(forge, source, "carol")
    assert done.ok
    assert len(done.planned) == 2
    assert [one.approver for one in forge.ledger.approvals_of(1)] == [POLICY]
    assert finish(forge.ours.path, source, forge.evaluate(source), NOON + HOUR).ok


def test_an_organisers_label_still_approves(forge: Forge) -> None:
    set_policy(forge, EVERYONE, settings=f'{SETTINGS}\n[tool.pullbench.policy]\nstop = "A leak."\n')
    source, step = come(forge, 1, entry("carol"), "carol")
    assert step.next == ""
    assert "A leak." in step.report.reason
    assert not go_on(forge, source, "carol").ok
    assert (waits(forge, 1).why, waits(forge, 1).actor) == ("stopped", Actor.ORGANISER)
    assert approve(forge.ours.path, source, "carol", ORGANISER, NOON).ok


@pytest.mark.slow
def test_who_returns_was_approved_by_a_person_once(forge: Forge) -> None:
    set_policy(forge, "approve: {code: returning}")
    source, step = enter(forge, 1, "carol")
    assert step.next == ""
    assert "a participant's first entry of kind 'code'" in step.report.reason
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    _, still = enter(forge, 2, "carol", name="two")
    assert not still.planned, "an entry that is not on the base branch counts for nothing"
    land(forge, source, NOON + HOUR)
    _, later = enter(forge, 3, "carol", NOON + 2 * HOUR, name="three")
    assert len(later.planned) == 2
    _, other = enter(forge, 4, "erin", NOON + 2 * HOUR)
    assert not other.planned
    # alice's entries of the bundle are on the base branch, and were never evaluated.
    _, unevaluated = enter(forge, 5, "alice", NOON + 2 * HOUR, name="new")
    assert not unevaluated.planned
    forge.ours.write(
        "benchmarks/adding/approvals.yaml",
        "decisions:\n  - {submission: carol/one, decision: refused, date: 2026-03-10, reason: X}\n",
    )
    forge.ours.commit("Disqualify")
    forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
    _, disqualified = enter(forge, 6, "carol", NOON + 3 * HOUR, name="six")
    assert not disqualified.planned
    assert "first entry" in waits(forge, 6).reason


def test_a_team_returns_together(forge: Forge) -> None:
    set_policy(forge, "approve: {code: returning}")
    source, _ = come(forge, 1, entry("cats"), "dora")
    approve(forge.ours.path, source, "dora", ORGANISER, NOON)
    land(forge, source, NOON + HOUR)
    _, later = enter(forge, 2, "dora", NOON + 2 * HOUR, name="two")
    assert len(later.planned) == 2


def test_results_that_landed_by_themselves_let_no_code_through(forge: Forge) -> None:
    set_policy(forge, "approve: {code: returning, results: everyone}")
    folder = "submissions/adding/carol/one"
    files: Files = {f"{folder}/submission.yaml": "kind: results\n", f"{folder}/one.txt": "1\n"}
    source, step = come(forge, 1, files, "carol")
    assert step.next == "approve", step.report
    assert go_on(forge, source, "carol").ok
    land(forge, source, NOON + HOUR)
    code: Files = {f"{folder}/submission.yaml": "kind: code\n", f"{folder}/main.py": "print(1)\n",
                   f"{folder}/one.txt": None}  # fmt: skip
    _, same = come(forge, 2, code, "carol", NOON + 2 * HOUR)
    assert (same.ok, same.next) == (True, "")
    _, another = enter(forge, 3, "carol", NOON + 2 * HOUR, name="two")
    assert not another.planned


def test_a_head_that_moves_after_the_policy_approved_it(forge: Forge) -> None:
    set_policy(forge, EVERYONE)
    source, _ = enter(forge, 1, "carol")
    folder = forge.evaluate(source)
    moved = forge.open(1, entry("carol", content="import os\n"))
    assert finish(forge.ours.path, source, folder, NOON).report.state == "void"
    again = receive(forge.ours.path, moved, "carol", NOON + HOUR)
    assert (again.report.state, again.next) == ("void", "approve")
    assert go_on(forge, moved, "carol", NOON + HOUR).ok
    assert [one.head for one in forge.ledger.approvals_of(1)] == [source.head, moved.head]


def test_a_policy_of_the_pull_request_itself_counts_for_nothing(forge: Forge) -> None:
    text = (forge.ours.path / BUNDLE).read_text()
    changed = text.replace("\npullbench:\n", f"\npullbench:\n  policy: {{{EVERYONE}}}\n")
    files: Files = {**entry("mallory"), BUNDLE: changed}
    _, refused = come(forge, 1, files, "mallory")
    assert not refused.ok
    _, by_an_organiser = come(forge, 2, {**entry(ORGANISER), BUNDLE: changed}, ORGANISER)
    assert (by_an_organiser.ok, by_an_organiser.next) == (True, "")
    set_policy(forge, EVERYONE)
    loose = (forge.ours.path / BUNDLE).read_text().replace("cpus: 1", "cpus: 2")
    _, more = come(forge, 3, {**entry(ORGANISER), BUNDLE: loose}, ORGANISER)
    assert (more.ok, more.next) == (True, "")
    assert "changes more than" in more.report.reason
    _, others = come(forge, 4, entry("carol"), ORGANISER)
    assert (others.ok, others.next) == (True, ""), "an organiser's change of another's folder"


def test_what_is_approved_is_not_evaluated_once_more(forge: Forge) -> None:
    """Closing and opening it again is free; machines are not."""
    set_policy(forge, EVERYONE)
    source, _ = enter(forge, 1, "carol")
    finish(forge.ours.path, source, None, NOON + HOUR)
    reopened = receive(forge.ours.path, source, "carol", NOON + HOUR)
    assert (reopened.next, reopened.report.state) == ("", "queued")
    assert not go_on(forge, source, "carol", NOON + HOUR).ok
    assert len(forge.ledger.approvals_of(1)) == 1
    finish(forge.ours.path, source, forge.evaluate(source), NOON + 2 * HOUR)
    after = receive(forge.ours.path, source, "carol", NOON + 3 * HOUR)
    assert after.next == "approve", "its records are there, so that it costs nothing"
    assert go_on(forge, source, "carol", NOON + 3 * HOUR).planned == ()


def test_what_an_organiser_approved_goes_on_by_itself_once_it_is_evaluated(forge: Forge) -> None:
    """Else an entry that waited for an earlier one would never be merged by itself."""
    source, _ = come(forge, 1, entry("carol"), "carol")
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    assert finish(forge.ours.path, source, forge.evaluate(source), NOON + HOUR).ok
    again = receive(forge.ours.path, source, "carol", NOON + 2 * HOUR)
    assert again.next == "approve"
    step = go_on(forge, source, "carol", NOON + 2 * HOUR)
    assert (step.ok, step.planned) == (True, ())
    assert [one.approver for one in forge.ledger.approvals_of(1)] == [ORGANISER]


def test_a_removal_waits_for_a_person(forge: Forge) -> None:
    set_policy(forge, EVERYONE)
    _, step = come(forge, 1, {"submissions/adding/alice/right": None}, "alice")
    assert (step.ok, step.next) == (True, "")
    assert step.report.reason == "It removes a submission."


# --- budgets: an entry has two tasks of two steps of three seconds, and so 0.2 minutes


def test_over_the_budget_an_entry_waits_in_line(forge: Forge) -> None:
    set_policy(forge, f"{EVERYONE}, minutes_per_day: {{benchmark: 0.3}}")
    carol, approved = enter(forge, 1, "carol")
    assert approved.ok
    erin, second = enter(forge, 2, "erin", NOON + HOUR)
    assert (second.ok, second.next) == (True, "")
    assert "number 1 in the line" in second.report.reason
    assert "2026-03-11 12:00 UTC" in second.report.reason
    assert "nobody has to act" in second.report.next_step
    _, third = enter(forge, 3, "frank", NOON + 2 * HOUR)
    assert "number 2 in the line" in third.report.reason
    assert "2026-03-12 12:00 UTC" in third.report.reason
    assert (waits(forge, 3).why, waits(forge, 3).actor) == ("budget", None)
    assert not go_on(forge, erin, "erin", NOON + 3 * HOUR).ok
    # Once it is finished, what it took counts in place of what it might have taken.
    assert finish(forge.ours.path, carol, forge.evaluate(carol, steps=STEPS), NOON + 4 * HOUR).ok
    assert go_on(forge, erin, "erin", NOON + 4 * HOUR).ok


def test_who_came_later_does_not_pass(forge: Forge) -> None:
    set_policy(forge, f"{EVERYONE}, minutes_per_day: {{benchmark: 0.45}}")
    enter(forge, 1, "carol")
    two: Files = {**entry("erin", "one"), **entry("erin", "two", "print(2)\n")}
    _, large = come(forge, 2, two, "erin", NOON + HOUR)
    assert "number 1" in large.report.reason, "it needs 0.4 of 0.45"
    _, small = enter(forge, 3, "frank", NOON + 2 * HOUR)
    assert "number 2" in small.report.reason, "though there is room for it"
    # It was to run at noon; something else holds it up, and holds up nobody else for long.
    late = NOON + DAY + 3 * HOUR
    assert go_on(forge, forge.open(3, entry("frank", content="print(3)\n")), "frank", late).ok


def test_each_participant_has_a_budget_with_their_team(forge: Forge) -> None:
    set_policy(forge, f"{EVERYONE}, minutes_per_day: {{participant: 0.3}}")
    assert enter(forge, 1, "dora")[1].ok
    source = forge.open(2, entry("cats", content="print(2)\n"))
    team = receive(forge.ours.path, source, "dora", NOON)
    assert (team.next, waits(forge, 2).why) == ("", "budget")
    assert "The budget of the participant for 'adding'" in team.report.reason
    assert enter(forge, 3, "carol")[1].planned


def test_an_entry_beyond_a_whole_days_budget_needs_a_person(forge: Forge) -> None:
    set_policy(forge, f"{EVERYONE}, minutes_per_day: {{benchmark: 0.1}}")
    _, step = enter(forge, 1, "carol")
    assert waits(forge, 1).why == "person"
    assert "needs 0.2 minutes, which is more" in step.report.reason


def test_organisers_approvals_count_and_have_no_limit(forge: Forge) -> None:
    set_policy(forge, f"{EVERYONE}, minutes_per_day: {{benchmark: 0.3}}")
    for number, who in ((1, "carol"), (2, "erin")):
        source, _ = come(forge, number, entry(who, content=f"print({number})\n"), who)
        assert approve(forge.ours.path, source, who, ORGANISER, NOON).ok
    _, third = enter(forge, 3, "frank", NOON + HOUR)
    assert waits(forge, 3).why == "budget"
    assert not third.planned


def test_a_cell_without_a_record_keeps_what_was_reserved(forge: Forge) -> None:
    set_policy(forge, f"{EVERYONE}, minutes_per_day: {{participant: 0.3}}")
    source, _ = enter(forge, 1, "mallory")
    assert not finish(forge.ours.path, source, None, NOON + HOUR).ok
    _, second = enter(forge, 2, "mallory", NOON + HOUR, name="two")
    assert not second.planned
    assert waits(forge, 2).why == "budget"


def test_two_approvals_at_once_stay_within_the_budget(forge: Forge) -> None:
    set_policy(forge, f"{EVERYONE}, minutes_per_day: {{benchmark: 0.3}}")
    sources = [come(forge, n, entry(who, content=f"print({n})\n"), who)
               for n, who in ((1, "carol"), (2, "erin"))]  # fmt: skip
    assert [step.next for _, step in sources] == ["approve", "approve"], "each alone may go on"
    clones = []
    for number, who in ((1, "carol"), (2, "erin")):
        folder = forge.folder.parent / who
        forge.ours.git("clone", "--quiet", str(forge.origin), str(folder))
        clones.append((Repository(folder).path, sources[number - 1][0], who))
    with ThreadPoolExecutor(2) as pool:
        steps = list(pool.map(lambda one: approve(one[0], one[1], one[2], None, NOON), clones))
    assert sorted(step.ok for step in steps) == [False, True]
    assert sum(bool(forge.ledger.approvals_of(number)) for number in (1, 2)) == 1


# --- open entries


@pytest.mark.slow
def test_the_pull_requests_beyond_the_open_entries_wait(forge: Forge) -> None:
    set_policy(forge, EVERYONE, "  phases: {0: {open_entries: 2}}\n")
    sources = [enter(forge, n, "mallory", NOON + n * HOUR, f"s{n}") for n in range(1, 6)]
    assert [bool(step.planned) for _, step in sources] == [True, True, False, False, False]
    third = waits(forge, 3)
    assert (third.why, third.actor, third.behind) == ("open", Actor.PARTICIPANT, (1, 2))
    assert "may have 2 open in phase 'Main'" in third.reason
    assert "#1, #2" in third.reason
    assert enter(forge, 6, "carol")[1].planned
    land(forge, sources[0][0], NOON + 7 * HOUR)
    assert go_on(forge, sources[2][0], "mallory", NOON + 8 * HOUR).ok
    assert not go_on(forge, sources[3][0], "mallory", NOON + 8 * HOUR).ok


@pytest.mark.slow
def test_fifty_pull_requests_of_one_participant(forge: Forge) -> None:
    set_policy(forge, EVERYONE, "  phases: {0: {open_entries: 3}}\n")
    steps = [enter(forge, n, "mallory", NOON, f"s{n}")[1] for n in range(1, 51)]
    assert sum(bool(step.planned) for step in steps) == 3
    assert len(waits(forge, 50).reason) < 400
    assert enter(forge, 51, "carol")[1].planned
