"""Pull requests that wait: which go on, and what an organiser is shown."""

import json
import math
import os
from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from evaluator.ci.policy.queue import Queue, read_queue
from evaluator.core.clock import utc_now
from evaluator.core.formats.repository_status import PolicyReport, read_report
from evaluator.core.scores.climbing import majority_gain
from tests import fake_forge
from tests.ci.policy.test_decide import DAY, EVERYONE, HOUR, enter, go_on, land, set_policy, waits
from tests.ci.steps.conftest import NOON, ORGANISER, SETTINGS, Forge, entry
from tests.records import STEPS, cells_of, record_of
from tests.repository import BRANCH
from tests.steps import approve, finish, receive

ADDRESS = "https://forge.example/org/bench"
ON_FORGE = SETTINGS.replace("[tool.pullbench]\n", f'[tool.pullbench]\nforge = "{ADDRESS}"\n', 1)


@pytest.fixture
def hosted(monkeypatch: pytest.MonkeyPatch) -> Iterator[fake_forge.FakeForge]:
    """A forge that answers."""
    with fake_forge.running(fake_forge.FakeForge()) as server:
        monkeypatch.setenv("PULLBENCH_FORGE_API", server.url)
        monkeypatch.setenv("PULLBENCH_TOKEN", "secret")
        yield server


def queue(forge: Forge, at: object = NOON) -> Queue:
    return read_queue(forge.ours.path, at, branch=BRANCH, remote="origin")[0]  # type: ignore[arg-type]


def run(forge: Forge, *arguments: str) -> str:
    done = forge.ours.pullbench(*arguments, environment=dict(os.environ))
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_line_moves_as_the_budget_becomes_free(forge: Forge) -> None:
    set_policy(forge, f"{EVERYONE}, minutes_per_day: {{benchmark: 0.5}}")
    carol, _ = enter(forge, 1, "carol")
    enter(forge, 2, "dora")
    third, _ = enter(forge, 3, "erin", NOON + HOUR)
    enter(forge, 4, "frank", NOON + 2 * HOUR)
    enter(forge, 5, "grace", NOON + 3 * HOUR)
    assert {waits(forge, n).why for n in (3, 4, 5)} == {"budget"}
    assert queue(forge, NOON + 4 * HOUR).ready() == []
    finish(forge.ours.path, carol, forge.evaluate(carol, steps=STEPS), NOON + 4 * HOUR)
    assert queue(forge, NOON + 4 * HOUR).ready() == [3], "there is room for one"
    assert go_on(forge, third, "erin", NOON + 4 * HOUR).ok
    assert queue(forge, NOON + 4 * HOUR).ready() == []
    assert queue(forge, NOON + DAY).ready(running={2, 3}) == [4]


def test_a_place_in_line_ends_with_what_held_it(forge: Forge) -> None:
    set_policy(forge, f"{EVERYONE}, minutes_per_day: {{benchmark: 0.3}}")
    enter(forge, 1, "carol")
    enter(forge, 2, "mallory", NOON + HOUR)
    enter(forge, 3, "erin", NOON + 2 * HOUR)
    assert waits(forge, 3).reason.count("number 2")
    links = {"submissions/adding/mallory/one/submission.yaml": "kind: nothing\n"}
    refused = receive(
        forge.ours.path, forge.open(2, {**links}), "mallory", NOON + 3 * HOUR
    )  # fmt: skip
    assert not refused.ok
    assert queue(forge, NOON + DAY).ready(running={1}) == [3]


def test_an_earlier_entry_that_ends_lets_the_next_go_on(
    forge: Forge, hosted: fake_forge.FakeForge
) -> None:
    set_policy(forge, EVERYONE, "  phases: {0: {open_entries: 1}}\n", ON_FORGE)
    for number in (1, 2, 3):
        pull = hosted.add_pull(number)
        source, _ = enter(forge, number, "mallory", NOON + number * HOUR, f"s{number}")
        pull["head"]["sha"] = source.head
    assert [waits(forge, number).behind for number in (2, 3)] == [(1,), (1, 2)]
    hosted.runs.append({"id": 5, "status": "in_progress", "display_title": "evaluate #1"})
    assert run(forge, "pr", "queue") == ""
    hosted.pulls[0]["state"] = "closed"
    assert "#2 goes on" in run(forge, "pr", "queue", "--most", "1")
    (started,) = [asked for asked in hosted.made("POST") if "dispatches" in asked.path]
    assert started.path.endswith("/actions/workflows/evaluate.yml/dispatches")
    assert started.data == {"ref": "main", "inputs": {"pull_request": "2"}}
    # Each step that was started before it closed ends without one.
    for step in ("receive", "approve"):
        said = run(forge, "pr", step, "--base", BRANCH, "--remote", "origin", "--pull-request", "1")
        assert said == "pull request 1 is closed: there is nothing to do\n"
    assert not [asked for asked in hosted.made("POST") if "statuses" in asked.path]
    # Whose last push could not be received, so that nothing is noted of it, is not in the way.
    hosted.pulls[1]["head"]["sha"] = "f" * 40
    assert "#3 goes on" in run(forge, "pr", "queue", "--most", "1")


def test_a_closed_pull_request_holds_no_place_and_the_forge_is_asked_only_then(
    forge: Forge, hosted: fake_forge.FakeForge
) -> None:
    set_policy(forge, f"{EVERYONE}, minutes_per_day: {{benchmark: 0.3}}", settings=ON_FORGE)
    hosted.add_pull(1)
    enter(forge, 1, "carol")
    hosted.add_pull(2, state="closed")
    enter(forge, 2, "mallory", NOON + HOUR)
    assert waits(forge, 2).why == "budget"
    assert not [asked for asked in hosted.asked if asked.path.endswith("/pulls")]
    hosted.add_pull(3)
    enter(forge, 3, "erin", NOON + 2 * HOUR)
    assert "number 1 in the line" in waits(forge, 3).reason


def test_a_head_in_another_pull_request_is_open_there(
    forge: Forge, hosted: fake_forge.FakeForge
) -> None:
    """Its arrival is noted for both, though the first is closed now."""
    set_policy(forge, EVERYONE, "  phases: {0: {open_entries: 1}}\n", ON_FORGE)
    for number in (1, 2, 3):
        hosted.add_pull(number)
    first, _ = enter(forge, 1, "mallory", name="s1")
    hosted.pulls[0]["state"] = "closed"
    assert receive(forge.ours.path, forge.push(2, first.head), "mallory", NOON + HOUR).ok
    enter(forge, 3, "mallory", NOON + 2 * HOUR, "s3")
    assert (waits(forge, 3).why, waits(forge, 3).behind) == ("open", (2,))


def test_what_cannot_be_merged_any_more_is_not_started_again_and_again(forge: Forge) -> None:
    set_policy(forge, EVERYONE, "  phases: {0: {open_entries: 1}}\n")
    first, _ = enter(forge, 1, "mallory")
    second, step = enter(forge, 2, "mallory")
    assert step.next == ""
    land(forge, first, NOON + HOUR)
    assert queue(forge).ready() == [2]
    assert not receive(forge.ours.path, second, "mallory", NOON + 2 * HOUR).ok
    assert "cannot be merged" in waits(forge, 2).reason
    assert queue(forge).ready() == []
    # Whatever tries it once more adds nothing.
    count = len(forge.ledger.entries.names("pulls/2/waiting"))
    go_on(forge, second, "mallory", NOON + 3 * HOUR)
    assert len(forge.ledger.entries.names("pulls/2/waiting")) == count


def test_nothing_goes_on_while_it_is_stopped(forge: Forge) -> None:
    set_policy(forge, EVERYONE, "  phases: {0: {open_entries: 1}}\n")
    first, _ = enter(forge, 1, "mallory")
    enter(forge, 2, "mallory", name="two")
    land(forge, first, NOON + HOUR)
    assert queue(forge).ready() == [2]
    before = forge.ours.git("show", "HEAD:pyproject.toml")
    stopped = f'{SETTINGS}\n[tool.pullbench.policy]\nstop = "A leak."\n'
    forge.ours.write("pyproject.toml", stopped)
    forge.ours.commit("Stop")
    forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
    assert queue(forge).ready() == []
    assert queue(forge).report().stopped == "A leak."
    enter(forge, 3, "carol", NOON + HOUR)
    assert waits(forge, 3).why == "stopped"
    forge.ours.write("pyproject.toml", before)
    forge.ours.commit("Go on")
    forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
    assert queue(forge).ready() == [2, 3]


def test_what_an_organiser_is_shown(forge: Forge) -> None:
    set_policy(forge, "approve: {code: returning, results: everyone}, "
               "minutes_per_day: {benchmark: 10}")  # fmt: skip
    for number, who in ((1, "carol"), (2, "erin"), (3, "frank")):
        enter(forge, number, who, NOON + number * HOUR)
    source = forge.open(1, entry("carol", content="print(1)\n"))
    approve(forge.ours.path, source, "carol", ORGANISER, NOON + 4 * HOUR)
    report = queue(forge, NOON + 5 * HOUR).report()
    assert [one.pull_request for one in report.people] == [2, 3]
    assert "a participant's first entry of kind 'code'" in report.people[0].reason
    assert report.shown == []  # all labels are in git
    (budget,) = report.budgets
    assert (budget.benchmark, budget.minutes_limit) == ("adding", 10)
    assert budget.minutes == pytest.approx(0.2)
    assert (report.approved, report.merged, report.refused, report.waiting) == (0, 0, 0, 1)
    later = queue(forge, NOON + 2 * DAY).report()
    assert later.budgets[0].minutes == 0


def test_scores_of_hidden_labels_are_counted(forge: Forge) -> None:
    """By attempts, so that what is replaced or withdrawn counts as well."""
    pin = {"task": 0, "file": "reference_data", "path": "labels", "sha256": "0" * 64}
    set_policy(forge, EVERYONE, "  phases: {0: {feedback_digits: 2}}\n"
               f"  private: [{json.dumps(pin)}]\n")  # fmt: skip
    enter(forge, 1, "carol", NOON)
    enter(forge, 2, "erin", NOON + HOUR)
    (shown,) = queue(forge, NOON + DAY).report().shown
    columns = len(queue(forge).snapshot.benchmarks["adding"].leaderboard.columns)
    assert (shown.scores, shown.most) == (2 * columns, columns)
    assert shown.bits == pytest.approx(2 * columns * math.log2(101))
    assert f"{2 * columns} scores of hidden labels were shown" in run(forge, "pr", "list")


def test_what_a_vote_of_random_files_gains_is_said(forge: Forge) -> None:
    ours, bundle = forge.ours, "benchmarks/echo/competition.yaml"
    pin = {"task": 0, "file": "reference_data", "path": "labels", "sha256": "0" * 64}
    ours.replace(bundle, "time_limit: 3}", "time_limit: 3, accepts_only_result_submissions: true}")
    ours.write(bundle, (ours.path / bundle).read_text() + f"  private: [{json.dumps(pin)}]\n"
               "  phases: {0: {feedback_digits: 2, ladder: {labels: 100}}}\n")  # fmt: skip
    for number in range(3):
        place = f"submissions/echo/carol/{number}"
        ours.write(f"{place}/submission.yaml", "kind: results\n")
        ours.write(f"{place}/predictions.csv", f"id,value\n1,0.{number}\n2,0\n")
    ours.commit("Entries")
    for cell in cells_of(ours).values():
        if cell.id.participant == "carol":
            ours.put(record_of(cell))
    ours.commit("Scores")
    ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
    (shown,) = queue(forge).report().shown
    gain = majority_gain(3, 100)
    assert shown.gain == pytest.approx(gain)
    assert f"whom a vote gains {100 * gain:.1f} points" in run(forge, "pr", "list")


def test_scores_that_the_ledger_does_not_know_are_counted_by_their_records(forge: Forge) -> None:
    pin = {"task": 0, "file": "reference_data", "path": "labels", "sha256": "0" * 64}
    set_policy(forge, EVERYONE, f"  private: [{json.dumps(pin)}]\n")
    (shown,) = queue(forge).report().shown
    assert (shown.scores, shown.most) == (0, 0)
    cells = [cell for cell in cells_of(forge.ours).values() if cell.benchmark.name == "adding"]
    for cell in cells:
        forge.ours.put(record_of(cell))
    forge.ours.commit("Scores")
    forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
    columns = len(cells[0].benchmark.leaderboard.columns)
    entered = Counter(cell.id.participant for cell in cells if cell.task.index == 0)
    (shown,) = queue(forge).report().shown
    assert (shown.scores, shown.most) == (
        entered.total() * columns,
        max(entered.values()) * columns,
    )
    enter(forge, 1, "carol", NOON)
    (shown,) = queue(forge).report().shown
    assert shown.scores == (entered.total() + 1) * columns


def test_the_command_prints_it_for_people_and_for_the_site(forge: Forge) -> None:
    set_policy(forge, EVERYONE)
    enter(forge, 1, "carol", utc_now())
    printed = run(forge, "pr", "list")
    assert "adding: 0.2 of any minutes" in printed
    assert "1 approved and 0 merged by policy" in printed
    said = run(forge, "pr", "list", "--json")
    report = read_report(said.encode())
    assert report is not None
    assert report.approved == 1
    assert json.loads(said) == msgspec.to_builtins(report)
    assert isinstance(report, PolicyReport)
