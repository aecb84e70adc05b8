"""What waits for too long is listed with who must act, and flagged at the forge."""

import datetime as dt
import os

import click
import pytest

from evaluator.ci.steps.overdue import overdue
from evaluator.core.cli import cli
from evaluator.core.errors import Actor
from evaluator.core.planning.plan import PlannedCell, make_local_plan
from tests import fake_forge
from tests.ci.steps.conftest import NOON, ORGANISER, SETTINGS, Forge, entry
from tests.records import record_of
from tests.repository import BRANCH
from tests.steps import approve, finish, receive

DAY = dt.timedelta(days=1)
SOON = "progress_hours = 0.000001"


def waiting(forge: Forge, now: dt.datetime, *numbers: int) -> dict[str, tuple[str, Actor]]:
    """What waits, apart from the submissions that the bundle came with."""
    forge.ours.git("pull", "--quiet", "--ff-only", "origin", BRANCH)
    found = overdue(forge.ours.snapshot("HEAD"), forge.ledger, now, numbers)
    return {item.subject: (item.reason, item.actor) for item in found
            if "/right" not in item.subject and "/wrong" not in item.subject
            and "/same" not in item.subject}  # fmt: skip


def test_a_pull_request_that_nobody_approves(forge: Forge) -> None:
    source = forge.open(3, entry("carol"))
    receive(forge.ours.path, source, "carol", NOON)
    assert waiting(forge, NOON + DAY / 2, 3) == {}
    assert waiting(forge, NOON + 2 * DAY, 3) == {
        "#3": ("waits for an organiser's approval", Actor.ORGANISER)
    }
    assert waiting(forge, NOON + 2 * DAY) == {}, "it is closed, for all that is known"


def test_an_approval_of_which_nothing_came(forge: Forge) -> None:
    source = forge.open(3, entry("carol"))
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    ((what, (reason, actor)),) = waiting(forge, NOON + 2 * DAY, 3).items()
    assert (what, actor) == ("#3", Actor.PLATFORM)
    assert "no record came" in reason
    finish(forge.ours.path, source, forge.evaluate(source), NOON)
    assert waiting(forge, NOON + 2 * DAY, 3) == {}


def test_a_merged_submission_that_no_runner_takes(forge: Forge) -> None:
    source = forge.open(3, entry("carol"))
    receive(forge.ours.path, source, "carol", NOON)
    forge.merge(source, NOON + DAY / 4)
    assert waiting(forge, NOON + DAY / 2) == {}
    ((what, (reason, actor)),) = waiting(forge, NOON + 2 * DAY).items()
    assert (what, actor) == ("adding/carol/one", Actor.PLATFORM)
    assert reason == "2 cells are missing: no record yet"


def test_a_phase_that_has_not_begun_is_not_waited_for(forge: Forge) -> None:
    forge.ours.replace(
        "benchmarks/adding/competition.yaml", "start: 2020-01-01", "start: 2026-04-01"
    )
    forge.ours.commit("Later")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    source = forge.open(3, entry("carol"))
    forge.merge(source)
    assert waiting(forge, NOON + 5 * DAY) == {}
    begun = dt.datetime(2026, 4, 1, tzinfo=dt.UTC)
    assert waiting(forge, begun + DAY / 2) == {}
    assert "adding/carol/one" in waiting(forge, begun + 2 * DAY)


@pytest.fixture
def hosted(forge: Forge, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """The repository on a forge that answers."""
    with fake_forge.running(fake_forge.FakeForge()) as server:
        address = "https://forge.example/org/bench"
        forge.ours.write(
            "pyproject.toml",
            SETTINGS.replace(
                "[tool.pullbench]\n", f'[tool.pullbench]\nforge = "{address}"\n{SOON}\n'
            ),
        )
        forge.ours.commit("A forge")
        forge.ours.git("push", "--quiet", "origin", BRANCH)
        monkeypatch.setenv("PULLBENCH_FORGE_API", server.url)
        monkeypatch.setenv("PULLBENCH_TOKEN", "secret")
        yield server


def run(forge: Forge, *arguments: str) -> str:
    done = forge.ours.pullbench(*arguments, environment=dict(os.environ))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_one_issue_says_so_and_is_closed(forge: Forge, hosted: fake_forge.FakeForge) -> None:
    """The bundle's own submissions have no records, and nothing may wait at all here."""
    assert "longer than they should wait: 3 submissions" in run(forge, "overdue")
    (issue,) = hosted.issues
    assert issue["state"] == "open"
    assert "adding/alice/right" in issue["body"]
    run(forge, "overdue")
    assert len(hosted.issues) == 1
    for item in missing(forge):
        forge.hand_in(record_of(item.cell))
    run(forge, "collect", "--from", str(forge.folder))
    assert "longer than they should wait: 0 submissions" in run(forge, "overdue")
    assert issue["state"] == "closed"


def missing(forge: Forge) -> tuple[PlannedCell, ...]:
    return make_local_plan(forge.ours.snapshot("HEAD"), NOON + 900 * DAY).missing


def test_a_rerun_is_asked_for(forge: Forge, hosted: fake_forge.FakeForge) -> None:
    assert "asked for 2 cells" in run(forge, "rerun", "adding/alice", "--failed")
    (asked,) = [one for one in hosted.made("POST") if "dispatches" in one.path]
    assert asked.path.endswith("/actions/workflows/publish.yml/dispatches")
    assert asked.data == {"ref": "main", "inputs": {"rerun": "adding/alice", "failed": "true"}}


def test_a_rerun_of_what_is_not_there(forge: Forge, hosted: fake_forge.FakeForge) -> None:
    done = forge.ours.pullbench("rerun", "adding/nobody", environment=dict(os.environ))
    assert done.returncode == 2
    assert "there is no cell called 'adding/nobody'" in done.stderr
    assert hosted.made("POST") == []


def test_a_rerun_without_a_forge(forge: Forge) -> None:
    done = forge.ours.pullbench("rerun", "adding/alice")
    assert done.returncode == 2
    assert "pullbench run --fresh adding/alice" in done.stderr


def test_every_verb_is_there() -> None:
    assert {"collect", "hand-in", "overdue", "pr", "rerun", "validate"} <= set(
        cli.list_commands(click.Context(cli))
    )
