"""Merging by itself, against a forge on loopback that merges in a real bare repository."""

import datetime as dt
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from evaluator.ci.forge.connection import MAX_TRIES
from evaluator.ci.forge.repository import merge_title
from evaluator.ci.ledger.ledger_notes import POLICY
from evaluator.ci.ledger.unreviewed import number_of
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.policy.merging import closes_something
from evaluator.ci.policy.queue import read_queue
from evaluator.ci.policy.waiting import GOES_ON, Merged, last_waits
from evaluator.ci.steps.comment import to_markdown
from evaluator.ci.steps.merge import DONE, merge
from evaluator.ci.steps.reports import StepResult
from evaluator.core.errors import Actor, PlatformError
from tests import fake_forge
from tests.ci.steps.conftest import NOON, ORGANISER, SETTINGS, Forge, entry
from tests.repository import BRANCH
from tests.steps import approve, finish, receive

LATER = NOON + dt.timedelta(hours=1)
BUNDLE = "benchmarks/adding/competition.yaml"
MERGE = f"PUT {fake_forge.REPOSITORY}/pulls/1/merge"


def change_base(forge: Forge, change: Callable[[Forge], object]) -> None:
    """Commit something on the base branch."""
    forge.ours.git("pull", "--quiet", "--ff-only", "origin", BRANCH)
    change(forge)
    forge.ours.commit("By an organiser")
    forge.ours.git("push", "--quiet", "origin", f"HEAD:{BRANCH}")


def add_policy(keys: str) -> Callable[[Forge], object]:
    return lambda forge: forge.ours.replace(BUNDLE, "\npullbench:\n", f"\npullbench:\n{keys}")


@pytest.fixture
def hosted(forge: Forge, monkeypatch: pytest.MonkeyPatch) -> Iterator[fake_forge.FakeForge]:
    """A forge in front of the bare repository, for a benchmark whose policy merges."""
    change_base(forge, add_policy("  policy: {merge: true}\n"))

    def merge_branches(pull: dict[str, Any]) -> str:
        head = pull["head"]["sha"]
        forge.merge(
            PullRequestRef(base=BRANCH, head=head), message=pull.get("merge_title", "Merge")
        )
        return forge.ours.git("rev-parse", "HEAD")

    monkeypatch.setattr("evaluator.ci.forge.connection.time.sleep", lambda _: None)
    monkeypatch.setattr("evaluator.ci.forge.connection.Connection.pauses", [])
    with fake_forge.running(fake_forge.FakeForge()) as server:
        server.merge_branches = merge_branches
        for name, value in {
            "GITHUB_TOKEN": "reads", "PULLBENCH_MERGE_TOKEN": "merges",
            "PULLBENCH_FORGE_API": server.url, "GITHUB_REPOSITORY": "org/bench",
            "GITHUB_SERVER_URL": "https://forge.example",
        }.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        yield server


def evaluated(
    forge: Forge, hosted: fake_forge.FakeForge, number: int = 1, who: str = "carol",
    approver: str | None = ORGANISER, source: PullRequestRef | None = None,
) -> tuple[StepResult, dict[str, Any]]:  # fmt: skip
    """Take an entry to the end of its evaluation; returns the last step, and the pull request."""
    source, pull = came(forge, hosted, number, who, source)
    assert approve(forge.ours.path, source, who, approver, NOON).ok
    return finish(forge.ours.path, source, forge.evaluate(source), NOON), pull


def came(
    forge: Forge, hosted: fake_forge.FakeForge, number: int = 1, who: str = "carol",
    source: PullRequestRef | None = None,
) -> tuple[PullRequestRef, dict[str, Any]]:  # fmt: skip
    source = source or forge.open(number, entry(who, content=f"print({number})\n"))
    pull = hosted.add_pull(number, "evaluate", user={"login": who})
    pull["head"]["sha"] = source.head
    assert receive(forge.ours.path, source, who, NOON).ok
    return source, pull


def test_what_is_as_it_was_approved_is_merged(forge: Forge, hosted: fake_forge.FakeForge) -> None:
    step, pull = evaluated(forge, hosted)
    assert "pullbench merges it by itself" in step.report.next_step
    done = merge(step, LATER)
    assert done is not None and done.ok
    assert done.report.reason == "pullbench merged it by itself."
    assert pull["merged"]
    (asked,) = hosted.made("PUT")
    assert (asked.data["sha"], asked.data["merge_method"]) == (pull["head"]["sha"], "merge")
    # Neither the title nor a branch's name is in the message, which workflows act upon.
    assert number_of(asked.data["commit_title"]) == 1
    assert pull["title"] not in str(asked.data)
    assert asked.token == "Bearer merges"
    assert all(one.token == "Bearer reads" for one in hosted.asked if one is not asked)
    assert (forge.ours.path / "submissions/adding/carol/one/main.py").exists()
    assert forge.ledger.entries.names("pulls/1/merged") == [f"{pull['head']['sha']}.json"]


def test_the_records_are_kept_and_said_before_it_is_merged(
    forge: Forge, hosted: fake_forge.FakeForge
) -> None:
    source, _ = came(forge, hosted)
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    folder = forge.evaluate(source)
    done = forge.ours.pullbench(
        "pr", "finish", "--pull-request", "1", "--head", source.head, "--from", str(folder)
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    calls = [one.path.rpartition("/")[2] if one.method == "PUT" else one.path.split("/")[4]
             for one in hosted.asked if one.method in ("PUT", "POST")]  # fmt: skip
    first = calls.index("merge")
    assert {"issues", "statuses"} <= set(calls[:first])
    assert "merged it by itself" in hosted.comments[-1]["body"]
    assert len(hosted.comments) == 1


def test_without_a_policy_a_person_merges(forge: Forge, hosted: fake_forge.FakeForge) -> None:
    change_base(forge, lambda forge: forge.ours.replace(BUNDLE, "  policy: {merge: true}\n", ""))
    step, _ = evaluated(forge, hosted)
    assert merge(step, LATER) is None
    assert "An organiser merges it" in step.report.next_step
    assert not hosted.made("PUT")


def stop(forge: Forge) -> None:
    forge.ours.write("pyproject.toml", f'{SETTINGS}[tool.pullbench.policy]\nstop = "Fraud."\n')


def no_merging(forge: Forge) -> None:
    forge.ours.replace(BUNDLE, "  policy: {merge: true}\n", "")


def scorer(forge: Forge) -> None:
    forge.ours.write("benchmarks/adding/scoring_program/more.py", "# another scorer\n")


def conflict(forge: Forge) -> None:
    forge.ours.write("submissions/adding/carol/one/main.py", "print('another')\n")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (stop, "stopped the policy: Fraud."),
        (no_merging, "has no policy that merges any more"),
        (scorer, "The benchmark has changed"),
        (conflict, "conflicts with the base branch"),
    ],
)
def test_the_newest_base_decides(
    forge: Forge, hosted: fake_forge.FakeForge, change: Callable[[Forge], None], said: str
) -> None:
    """Whatever an organiser changed while it was evaluated."""
    step, _ = evaluated(forge, hosted)
    change_base(forge, change)
    refuses(forge, hosted, step, said)


def refuses(
    forge: Forge, hosted: fake_forge.FakeForge, step: StepResult, said: str, asked: int = 0
) -> StepResult:
    done = merge(step, LATER)
    assert done is not None
    assert said in done.report.reason
    assert done.report.state == "scored"
    assert len(hosted.made("PUT")) == asked
    waits = last_waits(forge.ledger, [1]).get(1)
    assert waits is not None and waits.reason == done.report.reason
    return done


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"base": {"ref": "release", "sha": "b" * 40}}, "goes to another branch"),
        ({"state": "closed"}, "is closed"),
        ({"user": {"login": ORGANISER}}, "Its author is an organiser"),
        ({"user": {"login": "mallory"}}, "Today's rules do not allow the merge"),
        ({"user": None}, "Its author is unknown"),
        ({"body": "Better.\n\nFixes #7, closes #8"}, "would close something else"),
        ({"title": "Resolves: https://forge.example/org/bench/pull/8"}, "would close"),
    ],
)
def test_what_the_forge_says_of_it_counts(
    forge: Forge, hosted: fake_forge.FakeForge, change: dict[str, Any], said: str
) -> None:
    """Who opened it, and where it goes, is asked of the forge: no event of a workflow counts."""
    step, pull = evaluated(forge, hosted)
    pull.update(change)
    refuses(forge, hosted, step, said)


@pytest.mark.parametrize(
    "text",
    ["fix", "fix ", "fix:", "fix#", "fix:::::::::", "closgh-", "fix\t\t\t\t\t\t\t\tx",
     "fix" + "x" * 200,
     "fix " + "/issues/" * 25, "fix\n" + ":" * 300, "#1 ", "fix-", "resolving!"],
)  # fmt: skip
def test_a_message_of_any_length_is_read_in_linear_time(text: str) -> None:
    start = time.process_time()
    assert not closes_something(text * (2**21 // len(text)))
    assert time.process_time() - start < 1.5


@pytest.mark.parametrize("text", [
    "Fixes #7", "closes: #7", "fixed:#7", "RESOLVE org/bench#7", "reopens GH-7", "fix fix #7",
    "fix-it:fix https://forge.test/org/bench/issues/7", "closing\n\n!7", "fixgh-7",
    "a/fix::#7", "resolves  \t https://forge.test/a/b/pull/7",
])  # fmt: skip
def test_words_that_close_others(text: str) -> None:
    assert closes_something(f"Better.\n{text}")


@pytest.mark.parametrize(
    "text", ["fix the bug #7", "fix-the-bug #7", "prefix #7", "#7 fixes", "Fix!"]
)
def test_words_that_close_nothing(text: str) -> None:
    assert not closes_something(text)


def test_a_commit_that_closes_the_pull_requests_of_others(
    forge: Forge, hosted: fake_forge.FakeForge
) -> None:
    """A person would read its message; on the base branch the forge acts upon it."""
    first = forge.open(1, entry("carol"))
    forge.theirs.git("commit", "--quiet", "--amend", "-m", "Mine\n\ncloses org/bench#2")
    source = forge.push(1, forge.theirs.git("rev-parse", "HEAD"))
    assert source.head != first.head
    step, _ = evaluated(forge, hosted, source=source)
    refuses(forge, hosted, step, "would close something else")


def by_policy(forge: Forge, keys: str) -> None:
    text = (forge.ours.path / BUNDLE).read_text()
    begin, _, rest = text.partition("  policy: ")
    forge.ours.write(
        BUNDLE, f"{begin}  policy: {{merge: true, {keys}}}\n{rest.partition(chr(10))[2]}"
    )


def refuse_carol(forge: Forge) -> None:
    forge.ours.write(
        "benchmarks/adding/approvals.yaml",
        "decisions:\n  - {submission: carol/old, decision: refused, date: 2026-03-10, reason: X}\n",
    )
    by_policy(forge, "approve: {code: returning}")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda forge: by_policy(forge, "approve: {code: never}"), "it approves nothing"),
        (
            lambda forge: by_policy(forge, "approve: {results: everyone}"),
            "each entry of kind 'code'",
        ),
        (refuse_carol, "a participant's first entry"),
    ],
)
def test_the_policy_that_approved_has_changed(
    forge: Forge, hosted: fake_forge.FakeForge, change: Callable[[Forge], None], said: str
) -> None:
    """An organiser closes a hole while an entry that uses it is evaluated."""
    change_base(forge, lambda forge: by_policy(forge, "approve: {code: everyone}"))
    step, _ = evaluated(forge, hosted, approver=None)
    assert [one.approver for one in forge.ledger.approvals_of(1)] == [POLICY]
    change_base(forge, change)
    refuses(forge, hosted, step, said)


def test_a_head_that_moves(forge: Forge, hosted: fake_forge.FakeForge) -> None:
    step, _ = evaluated(forge, hosted)
    forge.open(1, entry("carol", content="import os\n"))
    refuses(forge, hosted, step, "head moved")


def test_the_forge_refuses(forge: Forge, hosted: fake_forge.FakeForge) -> None:
    """A draft, a conflict, a missing review, checks that are required: its words are shown."""
    step, pull = evaluated(forge, hosted)
    words = "Required status check is expected."
    hosted.reply(MERGE, *[fake_forge.Reply(status=405, data={"message": words})] * 2)
    done = merge(step, LATER)
    assert done is not None and words in done.report.reason
    assert "An organiser" in done.report.next_step
    waits = last_waits(forge.ledger, [1]).get(1)
    assert waits is not None and (waits.why, waits.actor) == ("merge", Actor.ORGANISER)
    assert not pull.get("merged")


def test_without_a_token_that_may(
    forge: Forge, hosted: fake_forge.FakeForge, monkeypatch: pytest.MonkeyPatch
) -> None:
    step, _ = evaluated(forge, hosted)
    monkeypatch.delenv("PULLBENCH_MERGE_TOKEN")
    refuses(forge, hosted, step, "there is no token that may merge: PULLBENCH_MERGE_TOKEN")
    # However often it is repeated, that is noted once.
    assert step.pull is not None
    again = finish(forge.ours.path, step.pull.ref, None, LATER)
    assert merge(again, LATER) is not None
    assert len(forge.ledger.entries.names("pulls/1/waiting")) == 2  # and for the approval


@pytest.mark.parametrize(("status", "raw"), [(504, None), (200, b"<html>ok</html>"), (200, b"")])
def test_a_gateway_that_fails_after_the_deed(
    forge: Forge, hosted: fake_forge.FakeForge, status: int, raw: bytes | None
) -> None:
    step, pull = evaluated(forge, hosted)
    hosted.reply(MERGE, fake_forge.Reply(status=status, raw=raw, after_the_deed=True))
    done = merge(step, LATER)
    assert done is not None and done.report.reason == "pullbench merged it by itself."
    assert pull["merged"] and len(hosted.made("PUT")) == 1


@pytest.mark.parametrize(("status", "call"), [
    (0, MERGE), (403, MERGE), (500, MERGE), (500, f"GET {fake_forge.REPOSITORY}/pulls/1"),
])  # fmt: skip
def test_a_merge_that_fails_for_what_passes_is_tried_again_by_the_queue(
    forge: Forge, hosted: fake_forge.FakeForge, status: int, call: str
) -> None:
    step, pull = evaluated(forge, hosted)
    said = {"message": "You have exceeded a secondary rate limit."}
    hosted.reply(call, *[fake_forge.Reply(status=status, data=said)] * MAX_TRIES)
    done = merge(step, LATER)
    assert done is not None and done.report.next_step.startswith(GOES_ON)
    waits = last_waits(forge.ledger, [1]).get(1)
    assert waits is not None and (waits.why, waits.actor) == ("merge", None)
    queue = read_queue(forge.ours.path, LATER, branch=BRANCH, remote="origin")[0]
    assert queue.ready() == [1] and queue.report().people == []
    assert step.pull is not None
    again = merge(finish(forge.ours.path, step.pull.ref, None, LATER), LATER)
    assert again is not None and again.report.reason == "pullbench merged it by itself."
    assert pull["merged"]


def test_a_ledger_that_refuses_the_note_of_a_merge_is_no_refusal_of_the_merge(
    forge: Forge, hosted: fake_forge.FakeForge
) -> None:
    step, pull = evaluated(forge, hosted)
    before = forge.ledger.entries.names("pulls/1/waiting")
    hook = forge.origin / "hooks/pre-receive"
    hook.write_text('#!/bin/sh\nread _ _ name\n[ "$name" = refs/heads/main ]\n')
    hook.chmod(0o755)
    with pytest.raises(PlatformError, match="cannot be moved"):
        merge(step, LATER)
    hook.unlink()
    assert pull["merged"]
    assert forge.ledger.entries.names("pulls/1/waiting") == before


def facts(step: StepResult) -> str:
    """The comment without what it says of the merge."""
    return to_markdown(replace(step.report, reason="", next_steps=(), at=NOON))


@pytest.mark.parametrize("by_itself", [True, False])
def test_a_step_that_was_killed_after_the_merge_is_repeated(
    forge: Forge, hosted: fake_forge.FakeForge, by_itself: bool
) -> None:
    """It keeps board, cells and who merged; what comes later still changes nothing."""
    step, pull = evaluated(forge, hosted)
    assert step.pull is not None and hosted.merge_branches is not None
    source, base = step.pull.ref, step.pull.base
    if by_itself:
        pull["merge_title"] = merge_title(1, source.head)
    hosted.merge_branches(pull)
    pull.update(state="closed", merged=True)
    reason = "pullbench merged it by itself." if by_itself else "It is merged."
    done = merge(step, LATER)  # right before the note
    for again in (finish(forge.ours.path, source, None, NOON), done):
        assert again is not None
        assert (again.ok, again.report.state, again.report.reason) == (True, "scored", reason)
        assert facts(again) == facts(step)
        assert again.report.next_step == DONE
        assert merge(again, LATER) is None
    (path,) = forge.ledger.entries.below("pulls/1/merged")
    ((_, note),) = forge.ledger.notes([path], Merged)
    assert (note.base, bool(note.commit)) == (base, by_itself)
    assert not hosted.made("PUT")
    before = forge.ledger.entries.below("")
    late = receive(forge.ours.path, source, "carol", LATER)
    assert (late.ok, late.is_known, late.report.state) == (True, True, "scored")
    assert approve(forge.ours.path, source, "carol", ORGANISER, LATER).is_known
    assert forge.ledger.entries.below("") == before


def test_a_failure_is_not_merged(forge: Forge, hosted: fake_forge.FakeForge) -> None:
    source, _ = came(forge, hosted)
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    step = finish(forge.ours.path, source, None, NOON)
    assert not step.ok
    assert merge(step, LATER) is None
    assert merge(replace(step, pull=None), NOON) is None


def test_an_approved_change_of_more_than_ones_own_is_for_a_person(
    forge: Forge, hosted: fake_forge.FakeForge
) -> None:
    """An organiser may approve a page of theirs beside an entry; its author may not merge that."""
    files = {**entry("carol"), "benchmarks/adding/overview.md": "# Mine\n"}
    source = forge.open(1, files)
    hosted.add_pull(1, "evaluate", user={"login": "carol"})["head"]["sha"] = source.head
    receive(forge.ours.path, source, ORGANISER, NOON)
    approve(forge.ours.path, source, ORGANISER, ORGANISER, NOON)
    step = finish(forge.ours.path, source, forge.evaluate(source), NOON)
    assert step.ok
    refuses(forge, hosted, step, "do not allow the merge")
