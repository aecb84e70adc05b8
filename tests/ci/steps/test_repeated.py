"""A step that died and is repeated hands on what it handed on, and an event is dealt with once."""

import datetime as dt
import os

import pytest

from evaluator.ci.forge.connection import ForgeError
from evaluator.ci.ledger.command_notes import command_notes
from evaluator.ci.scores.collecting import collect
from evaluator.core.clock import utc_now
from evaluator.core.errors import PullbenchError
from evaluator.core.planning.cells import cells
from evaluator.plugins.attest.statements import FOLDER, read_claim
from tests import fake_forge
from tests.ci.steps.conftest import NOON, ORGANISER, SETTINGS, Forge
from tests.ci.steps.test_commands import Talk
from tests.ci.steps.test_statuses import hosted
from tests.plugins.attest.conftest import make_key
from tests.records import record_of
from tests.repository import BRANCH
from tests.steps import approve as take_approval
from tests.steps import receive

__all__ = ["hosted"]
COMMENTS = f"{fake_forge.REPOSITORY}/issues/1/comments"
LABEL = {"id": 1, "name": "evaluate"}


@pytest.fixture
def talk(forge: Forge, hosted: fake_forge.FakeForge) -> Talk:
    return Talk(forge, hosted)


def step(talk: Talk, verb: str, *options: str) -> tuple[int, list[str]]:
    """Take a step; returns its exit code and its outputs."""
    file = talk.forge.folder.parent / "outputs"
    file.write_text("")
    done = talk.forge.ours.pullbench(
        "pr", verb, "--base", "main", "--remote", "origin", "--pull-request", "1", *options,
        environment={**os.environ, "GITHUB_OUTPUT": str(file)},
    )  # fmt: skip
    return done.returncode, file.read_text().splitlines()[1::3]


def approve(talk: Talk) -> tuple[int, list[str]]:
    """Do what the label starts."""
    head = talk.source.head
    return step(talk, "approve", "--head", head, "--actor", "carol", "--approver", ORGANISER)


def said(talk: Talk, verb: str) -> str:
    return str(talk.forge.ours.pullbench("pr", verb, environment=dict(os.environ)).stdout)


def notes(talk: Talk) -> set[str]:
    """Paths of the ledger, but which comment is ours."""
    return {path for path in talk.forge.ledger.entries.below("") if "/comments/" not in path}


def die_at_the_comment(talk: Talk) -> None:
    """Approve by the label; the comment cannot be written, so that the forge runs no cells."""
    talk.hosted.pulls[0]["labels"] = [LABEL]
    talk.hosted.reply(f"GET {COMMENTS}", fake_forge.Reply(status=403, data={"message": "No"}))
    assert approve(talk) == (1, [])
    assert len(talk.forge.ledger.approvals_of(1)) == 1


@pytest.mark.parametrize(
    "road",
    ["job", pytest.param("label", marks=pytest.mark.slow),
     pytest.param("dispatch", marks=pytest.mark.slow), "retry"],
)  # fmt: skip
def test_an_approval_whose_step_died_hands_out_its_cells_again(talk: Talk, road: str) -> None:
    die_at_the_comment(talk)
    before = notes(talk)
    if road == "label":
        talk.hosted.pulls[0]["labels"] = []
        assert step(talk, "receive")[0] == 0
        talk.hosted.pulls[0]["labels"] = [LABEL]
    elif road == "retry":
        talk.hosted.pulls[0]["labels"] = []
        assert talk.say("/retry", "carol") == ""
    if road in ("job", "label"):
        code, (matrix, count, *_) = approve(talk)
        assert talk.hosted.pulls[0]["labels"] == []
    else:
        assert step(talk, "receive")[1][0] == "approve"
        code, (matrix, count, *_) = step(talk, "approve")
    assert (code, count) == (0, "2")
    assert "adding/carol/one/main/one adding/carol/one/main/two" in matrix
    # Nothing is charged again, and no attempt counts twice.
    more = {path.split("/")[0] for path in notes(talk) - before}
    assert more == ({"pulls", "handed-out"} if road == "retry" else {"handed-out"})
    folder = talk.forge.evaluate(talk.source, utc_now())
    finished = step(talk, "finish", "--head", talk.source.head, "--from", str(folder))
    assert finished[0] == 0
    # The command is done with, and so is the label.
    assert step(talk, "approve")[1][1] == "0"
    assert len(talk.forge.ledger.approvals_of(1)) == 1


def test_the_queue_starts_what_no_job_evaluates_any_more(talk: Talk) -> None:
    die_at_the_comment(talk)
    talk.hosted.pulls[0]["labels"] = []
    assert "1 go on by themselves" in said(talk, "list")
    talk.hosted.runs.append({"id": 5, "status": "queued", "display_title": "evaluate #1"})
    assert said(talk, "queue") == ""
    talk.hosted.runs[0]["status"] = "completed"
    assert said(talk, "queue") == "#1 goes on\n"
    assert talk.made("dispatches") == [{"ref": "main", "inputs": {"pull_request": "1"}}]
    # A forge that says nothing of its runs: then as soon as it is overdue.
    runs = f"GET {fake_forge.REPOSITORY}/actions/workflows/evaluate.yml/runs"
    talk.hosted.reply(runs, *[fake_forge.Reply(status=404, data={})] * 4)
    assert said(talk, "queue") == ""


def test_a_withdrawn_pull_request_gets_nothing_free_when_it_is_reopened(talk: Talk) -> None:
    die_at_the_comment(talk)
    talk.say("/withdraw", "carol")
    talk.hosted.pulls[0]["state"] = "open"
    assert step(talk, "receive")[1][0] == ""
    assert step(talk, "approve")[0] == 1


def test_a_label_of_one_pull_request_starts_no_other_of_its_head(talk: Talk) -> None:
    die_at_the_comment(talk)
    talk.hosted.pulls[0]["labels"] = []
    twin, path = talk.forge.push(2, talk.source.head), talk.forge.ours.path
    talk.hosted.add_pull(2, user={"login": "carol"})["head"]["sha"] = twin.head
    assert not receive(path, twin, "carol", utc_now()).next
    assert not take_approval(path, twin, "carol", None, utc_now()).planned


@pytest.mark.parametrize("word", ["evaluate", pytest.param("retry", marks=pytest.mark.slow)])
def test_a_comment_that_is_delivered_three_times_is_done_once(talk: Talk, word: str) -> None:
    if word == "retry":
        die_at_the_comment(talk)
        talk.hosted.pulls[0]["labels"] = []
    dispatches = f"POST {fake_forge.REPOSITORY}/actions/workflows/evaluate.yml/dispatches"
    talk.hosted.reply(dispatches, fake_forge.Reply(status=403, data={"message": "No"}))
    with pytest.raises(ForgeError):
        talk.say(f"/{word}", ORGANISER)
    asked = len(talk.made("dispatches"))
    for _ in range(3):
        assert talk.say(f"/{word}", ORGANISER, again=talk.said) == ""
    assert len(talk.made("dispatches")) == asked + 1, "as soon as the forge takes it"
    assert [note.word for note in command_notes(talk.forge.ledger, 1)] == [word]
    assert step(talk, "approve")[0] == 0
    assert talk.say(f"/{word}", ORGANISER, again=talk.said) == ""
    assert len(talk.made("dispatches")) == asked + 1


def test_an_answer_is_given_once_and_a_withdrawal_happens_once(talk: Talk) -> None:
    assert "Nobody approved" in talk.say("/retry", "carol")
    assert talk.say("/retry", "carol", again=talk.said) == ""
    assert "Withdrawn by" in talk.say("/withdraw", "carol")
    assert talk.say("/withdraw", "carol", again=talk.said) == ""
    talk.hosted.pulls[0]["state"] = "open"
    assert talk.say("/withdraw", "carol", again=talk.said) == ""
    assert talk.hosted.pulls[0]["state"] == "open"


def test_a_statement_is_signed_once_although_collect_was_killed_before_its_commit(
    forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    public, secret = make_key()
    monkeypatch.setenv("PULLBENCH_SIGNING_KEY", secret)
    attest = f'\n[tool.pullbench.attest]\nkeys = ["{public}"]\n'
    forge.ours.write("pyproject.toml", SETTINGS + attest)
    forge.ours.commit("Signed")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    for cell in cells(forge.ours.snapshot(), NOON):
        forge.hand_in(record_of(cell))
    hook = forge.origin / "hooks" / "update"
    hook.write_text(f"#!/bin/sh\ntest $1 != refs/heads/{BRANCH}\n")
    hook.chmod(0o755)
    folder, path, now = forge.folder, forge.ours.path, utc_now()
    with pytest.raises(PullbenchError):
        collect(path, now, branch=BRANCH, remote="origin", source=folder)
    (signed,) = forge.ledger.entries.below(FOLDER)
    hook.unlink()
    later = now + dt.timedelta(seconds=1)
    done = collect(path, later, branch=BRANCH, remote="origin", source=folder)
    first, second = forge.ledger.entries.below(FOLDER)
    assert first == signed
    # Once the commit is pushed it is signed as well, so that nobody can take it back unseen.
    bases = [
        read_claim(content).statement.predicate.base
        for content in forge.ledger.contents([first, second])
    ]
    assert bases[0] != done.committed.commit == bases[1]
