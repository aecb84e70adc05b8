"""The commit status of a head belongs to the pull request that had it first."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from evaluator.ci.opened.heads import PullRequestRef
from tests import fake_forge
from tests.ci.steps.conftest import SETTINGS, Forge, entry
from tests.repository import BRANCH


@contextmanager
def hosting(forge: Forge, monkeypatch: pytest.MonkeyPatch) -> Iterator[fake_forge.FakeForge]:
    """The repository on a forge that answers, with pull requests of carol's and mallory's."""
    with fake_forge.running(fake_forge.FakeForge()) as server:
        line = '[tool.pullbench]\nforge = "https://forge.example/org/bench"\n'
        forge.ours.write("pyproject.toml", SETTINGS.replace("[tool.pullbench]\n", line))
        forge.ours.commit("A forge")
        forge.ours.git("push", "--quiet", "origin", BRANCH)
        monkeypatch.setenv("PULLBENCH_FORGE_API", server.url)
        monkeypatch.setenv("PULLBENCH_TOKEN", "secret")
        server.add_pull(1, "evaluate")
        server.add_pull(2, "evaluate")
        yield server


@pytest.fixture
def hosted(forge: Forge, monkeypatch: pytest.MonkeyPatch) -> Iterator[fake_forge.FakeForge]:
    with hosting(forge, monkeypatch) as server:
        yield server


def pr(forge: Forge, verb: str, source: PullRequestRef, actor: str) -> int:
    arguments = ["--base", source.base, "--head", source.head, "--remote", "origin",
                 "--pull-request", str(source.number)]  # fmt: skip
    if verb != "finish":
        arguments += ["--actor", actor]
    if verb == "approve":
        arguments += ["--approver", "olga"]
    return forge.ours.pullbench("pr", verb, *arguments, environment=dict(os.environ)).returncode


def states(server: fake_forge.FakeForge, head: str) -> list[str]:
    return [one.data["state"] for one in server.made("POST") if one.path.endswith(head)]


@pytest.mark.parametrize("verb", ["receive", "approve"])
@pytest.mark.parametrize("before", ["receive", pytest.param("approve", marks=pytest.mark.slow)])
def test_a_status_that_belongs_to_another_pull_request_is_left_alone(
    forge: Forge, hosted: fake_forge.FakeForge, before: str, verb: str
) -> None:
    """Mallory opens one with carol's head, which is refused: carol's head stays as it was."""
    carols = forge.open(1, entry("carol"))
    for step in dict.fromkeys(["receive", before]):
        assert pr(forge, step, carols, "carol") == 0
    assert states(hosted, carols.head) == ["pending"]
    copied = forge.push(2, carols.head)
    assert pr(forge, verb, copied, "mallory") == 1
    assert states(hosted, carols.head) == ["pending"]
    assert any("belongs to the participant" in one["body"] for one in hosted.comments)


def test_a_label_approves_no_head_that_was_never_shown(
    forge: Forge, hosted: fake_forge.FakeForge
) -> None:
    """Olga reads one head; the next is pushed, its `receive` is replaced by her label's event."""
    read = forge.open(1, entry("carol"))
    assert pr(forge, "receive", read, "carol") == 0
    pushed = forge.open(1, entry("carol", content="print('unseen')\n"))
    assert pr(forge, "approve", read, "carol") == 1  # the event of a label names its head
    hosted.pulls[0]["labels"] = [{"id": 1, "name": "evaluate"}]
    assert pr(forge, "approve", pushed, "carol") == 1
    assert not forge.ledger.approvals()
    assert "before CI received this head" in hosted.comments[0]["body"]
    assert hosted.pulls[0]["labels"] == []
    assert states(hosted, pushed.head) == ["pending"]
    hosted.pulls[0]["labels"] = [{"id": 1, "name": "evaluate"}]
    assert pr(forge, "approve", pushed, "carol") == 0  # she has read it, and sets the label again
    assert [one.head for one in forge.ledger.approvals()] == [pushed.head]


def test_a_push_between_label_and_approval_is_not_approved(
    forge: Forge, hosted: fake_forge.FakeForge
) -> None:
    read = forge.open(1, entry("carol"))
    assert pr(forge, "receive", read, "carol") == 0
    pushed = forge.open(1, entry("carol", content="print('unseen')\n"))
    assert pr(forge, "receive", pushed, "carol") == 0
    assert hosted.pulls[0]["labels"] == []
    assert pr(forge, "approve", read, "carol") == 1
    assert pr(forge, "approve", pushed, "carol") == 1
    assert "Void.** The label was taken off" in hosted.comments[0]["body"]
    assert not forge.ledger.approvals()


def test_an_organisers_head_is_safe_as_well(forge: Forge, hosted: fake_forge.FakeForge) -> None:
    ours = forge.open(1, {"benchmarks/adding/overview.md": "Better.\n"})
    assert pr(forge, "receive", ours, "olga") == 0
    assert pr(forge, "receive", forge.push(2, ours.head), "mallory") == 1
    assert states(hosted, ours.head) == ["pending"]


def test_ones_own_status_turns_red(forge: Forge, hosted: fake_forge.FakeForge) -> None:
    source = forge.open(2, {"pyproject.toml": "[tool.pullbench]\n"})
    assert pr(forge, "receive", source, "mallory") == 1
    assert states(hosted, source.head) == ["failure"]
