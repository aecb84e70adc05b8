"""Commands in comments: who may use them, what they do, and that their text never acts."""

import datetime as dt
import json
import os
from typing import Any

import pytest

from evaluator.ci.ledger.command_notes import command_notes
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.policy.waiting import last_waits
from evaluator.ci.steps.command_event import read_command
from evaluator.ci.steps.commands import answer_comment
from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor, UsageError
from evaluator.core.formats.record import CellError, Reason, Step
from tests import fake_forge
from tests.ci.steps.conftest import NOON, ORGANISER, Forge, entry
from tests.ci.steps.test_statuses import hosted, pr
from tests.steps import receive

__all__ = ["hosted"]
CELL = "adding/carol/one/main/one"
LATER = dt.timedelta(minutes=1)


def event_of(
    body: str | None, by: str, *, at: dt.datetime, number: int = 77, **changed: Any
) -> bytes:
    payload = {
        "action": "created",
        "issue": {"number": 1, "pull_request": {}},
        "comment": {"id": number, "body": body, "user": {"login": by, "type": "User"},
                    "created_at": at.isoformat()},
        **changed,
    }  # fmt: skip
    return json.dumps(payload).encode()


class Talk:
    """Comments on carol's pull request 1, and what the forge got for them."""

    def __init__(self, forge: Forge, hosted: fake_forge.FakeForge) -> None:
        self.forge, self.hosted, self.said = forge, hosted, 0
        self.source = forge.open(1, entry("carol"))
        hosted.pulls[0] |= {"user": {"login": "carol"}, "labels": []}
        self.show(self.source)
        assert pr(forge, "receive", self.source, "carol") == 0
        hosted.comments.clear()

    def show(self, source: PullRequestRef) -> None:
        """The forge has another head."""
        self.source = source
        self.hosted.pulls[0]["head"]["sha"] = source.head

    def say(self, body: str, by: str, *, at: dt.datetime | None = None, again: int = 0) -> str:
        """Somebody comments; returns the answer, empty where there is none.

        ``again`` is the number of an earlier comment, which is delivered once more.
        """
        self.said += not again
        event = event_of(body, by, at=at or utc_now() + LATER, number=again or self.said)
        count = len(self.hosted.comments)
        where = PullRequestRef(base="main", head="", remote="origin")
        answer_comment(self.forge.ours.path, where, event, utc_now())
        return "".join(one["body"] for one in self.hosted.comments[count:])

    def made(self, end: str) -> list[Any]:
        return [one.data for one in self.hosted.asked if one.path.endswith(end)]

    def proceed(self, verb: str, *options: str) -> int:
        """What evaluate.yml calls when it was dispatched: it has a number and nothing else."""
        arguments = ("--base", "main", "--remote", "origin", "--pull-request", "1")
        done = self.forge.ours.pullbench("pr", verb, *arguments, *options,
                                         environment=dict(os.environ))  # fmt: skip
        return done.returncode


@pytest.fixture
def talk(forge: Forge, hosted: fake_forge.FakeForge) -> Talk:
    return Talk(forge, hosted)


@pytest.mark.slow
def test_an_organisers_evaluate_is_the_label_of_this_head(talk: Talk) -> None:
    assert talk.say("/evaluate\nThank you!", ORGANISER) == ""
    assert talk.made("dispatches") == [{"ref": "main", "inputs": {"pull_request": "1"}}]
    assert talk.made("/reactions") == [{"content": "+1"}]
    (note,) = command_notes(talk.forge.ledger, 1)
    assert (note.word, note.by, note.head) == ("evaluate", ORGANISER, talk.source.head)
    assert talk.proceed("receive") == 0
    assert talk.hosted.comments == []  # nothing is new, and the comment stays as it is
    assert talk.proceed("approve") == 0
    (approval,) = talk.forge.ledger.approvals()
    assert (approval.approver, approval.head) == (ORGANISER, talk.source.head)
    assert talk.proceed("approve") == 0  # the same once more, until it has an outcome
    assert len(talk.forge.ledger.approvals()) == 1


@pytest.mark.slow
def test_evaluate_binds_no_head_that_came_after_the_comment(talk: Talk) -> None:
    first, early = talk.source, utc_now() - LATER
    assert "has not received" in talk.say("/evaluate", ORGANISER, at=early)
    talk.show(talk.forge.open(1, entry("carol", content="print('unseen')\n")))
    assert "has not received" in talk.say("/evaluate", ORGANISER)
    assert pr(talk.forge, "receive", talk.source, "carol") == 0
    talk.show(talk.forge.push(1, first.head))  # back to what was read long ago
    assert "the head was moved back" in talk.say("/evaluate", ORGANISER)
    assert talk.made("dispatches") == []
    assert command_notes(talk.forge.ledger, 1) == []


def test_a_clock_that_was_ahead_holds_back_no_later_head(talk: Talk) -> None:
    talk.show(talk.forge.open(1, entry("carol", content="print('early')\n")))
    ahead = utc_now() + dt.timedelta(days=9)
    assert receive(talk.forge.ours.path, talk.source, "carol", ahead).ok
    assert "has not received" in talk.say("/evaluate", ORGANISER)
    talk.show(talk.forge.open(1, entry("carol", content="print('late')\n")))
    assert pr(talk.forge, "receive", talk.source, "carol") == 0
    assert talk.say("/evaluate", ORGANISER) == ""
    assert talk.proceed("receive") == 0
    assert talk.proceed("approve") == 0


def test_a_push_after_evaluate_is_not_approved(talk: Talk) -> None:
    assert talk.say("/evaluate", ORGANISER) == ""
    talk.show(talk.forge.open(1, entry("carol", content="print('unseen')\n")))
    assert talk.proceed("receive") == 0
    assert talk.proceed("approve") == 1
    assert not talk.forge.ledger.approvals()


def test_a_stranger_may_nothing(talk: Talk) -> None:
    for word in ("evaluate", "retry", "withdraw"):
        assert "`mallory` may not" in talk.say(f"/{word}", "mallory")
    assert not talk.made("dispatches")
    assert not talk.hosted.made("PATCH")
    assert not command_notes(talk.forge.ledger, 1)


@pytest.mark.parametrize(
    "body",
    ["evaluate", " /evaluate", "/evaluated", "/Evaluate", "Please\n/evaluate", "/approve", "", None,
     "/", "/ evaluate", "//evaluate", "/evaluate\vnow", "/evaluate\u00a0", "\ufeff/evaluate",
     "/log a" + "\t" * 500_000 + "b"],
)  # fmt: skip
def test_what_is_no_command_is_ignored(body: str | None) -> None:
    assert read_command(event_of("/evaluate\r\nThanks", ORGANISER, at=NOON))
    assert read_command(event_of(body, ORGANISER, at=NOON)) is None


@pytest.mark.parametrize(
    "changed",
    [
        {"action": "edited"},
        {"comment": {"id": 1, "body": "/evaluate", "user": {"login": ORGANISER, "type": "Bot"},
                     "created_at": "2026-01-01T00:00:00Z"}},
        {"comment": {"id": 1, "body": "/evaluate", "user": None,
                     "created_at": "2026-01-01T00:00:00Z"}},
    ],
)  # fmt: skip
def test_what_is_ignored_whatever_it_says(changed: dict[str, Any]) -> None:
    assert read_command(event_of("/evaluate", ORGANISER, at=NOON, **changed)) is None


@pytest.mark.parametrize("event", [b"", b"[]", b"{", b'{"action": "created"}', b"x" * 2**21])
def test_what_is_no_event_is_said(event: bytes) -> None:
    with pytest.raises(UsageError, match="not that of a comment"):
        read_command(event)


def test_a_wrong_form_is_named_and_its_words_are_not_repeated(talk: Talk) -> None:
    for line in ("/evaluate now", "/log", "/retry $(now)", "/withdraw ::now::"):
        answer = talk.say(line, ORGANISER)
        assert "as the first line" in answer
        assert "now" not in answer
    assert not talk.made("dispatches")


def test_ordinary_comments_silence_no_answer(talk: Talk) -> None:
    for number in range(210):
        talk.hosted.add_comment("mallory", f"Nice work {number}")
    assert "nothing to try again" in talk.say("/retry", "carol")
    talk.hosted.add_comment("mallory", talk.hosted.comments[-1]["body"])  # by a stranger
    for _ in range(3):
        assert talk.say("/evaluate", "mallory")
    assert talk.say("/evaluate", "Mallory") == ""
    assert "nothing to try again" in talk.say("/retry", "carol")


@pytest.mark.slow
def test_answers_have_a_limit(talk: Talk) -> None:
    for _ in range(3):
        assert talk.say("/evaluate", "mallory")
    assert talk.say("/evaluate", "mallory") == ""
    # A stranger cannot silence it for who entered.
    assert "nothing to try again" in talk.say("/retry", "carol")
    for number in range(11):
        assert bool(talk.say("/log x", "carol")), number
    assert talk.say("/log x", "carol") == ""
    for one in talk.hosted.comments:
        one["updated_at"] = "2026-01-01T00:00:00Z"
    assert talk.say("/evaluate", "mallory")


@pytest.mark.slow
def test_a_retry_repeats_an_approval_for_what_has_no_record(talk: Talk) -> None:
    assert "Nobody approved" in talk.say("/retry", "carol")
    assert talk.say("/evaluate", ORGANISER) == ""
    assert talk.proceed("approve") == 0
    error = CellError(actor=Actor.PLATFORM, reason=Reason.PLATFORM_FAULT, message="x", step=None)
    folder = talk.forge.evaluate(talk.source, utc_now(), status="failed", scores={}, error=error)
    assert talk.proceed("finish", "--from", str(folder)) == 1
    for number in range(3):
        assert talk.say("/retry", "carol") == "", number
    assert "an organiser must comment" in talk.say("/retry", "carol")
    assert talk.proceed("approve") == 0
    # Nor do other commits of the same files help, which need no approval of their own.
    for number in range(2, 5):
        talk.forge.theirs.git("commit", "--quiet", "--amend", "-m", f"Once more {number}")
        talk.show(talk.forge.push(1, talk.forge.theirs.git("rev-parse", "HEAD")))
        assert talk.proceed("finish", "--from", str(folder)) == 1
        assert talk.proceed("receive") == 0
        assert (talk.say("/retry", "carol") == "") is (number < 4), number
        assert talk.proceed("approve") == (0 if number < 4 else 1), number
    assert [one.approver for one in talk.forge.ledger.approvals()] == [ORGANISER] * 4
    # A label that waits for its turn would be replaced by what is dispatched.
    talk.hosted.pulls[0]["labels"] = [{"id": 1, "name": "Evaluate"}]
    assert "is set" in talk.say("/retry", ORGANISER)


def test_who_entered_withdraws_and_what_waits_is_cancelled(talk: Talk) -> None:
    talk.hosted.runs += [
        {"id": 5, "status": "waiting", "display_title": "evaluate #1"},
        {"id": 6, "status": "in_progress", "display_title": "evaluate #11"},
        {"id": 7, "status": "in_progress", "display_title": "evaluate #1"},
    ]
    assert talk.say("/evaluate", ORGANISER) == ""
    assert "Withdrawn by `carol`" in talk.say("/withdraw", "carol")
    assert talk.hosted.pulls[0]["state"] == "closed"
    cancelled = [one.path.split("/")[-2] for one in talk.hosted.asked if "cancel" in one.path]
    assert cancelled == ["5", "7"]
    waits = last_waits(talk.forge.ledger, [1]).get(1)
    assert waits is not None
    assert waits.why == "closed"
    assert talk.proceed("receive") == 0  # nothing is to be done
    assert last_waits(talk.forge.ledger, [1]).get(1) == waits
    assert "is not open" in talk.say("/evaluate", ORGANISER)
    talk.hosted.pulls[0]["state"] = "open"
    assert talk.proceed("approve") == 1  # what was asked for before is withdrawn, too
    assert not talk.forge.ledger.approvals()


def test_a_member_of_the_team_that_enters_may_what_its_author_may(
    forge: Forge,
    hosted: fake_forge.FakeForge,
) -> None:
    talk = Talk(forge, hosted)
    assert "may not" in talk.say("/withdraw", "dora")
    talk.show(forge.open(1, entry("cats")))
    assert "Withdrawn by `dora`" in talk.say("/withdraw", "dora")


@pytest.mark.slow
def test_a_log_is_shown_as_far_as_it_may_be(talk: Talk) -> None:
    assert "There is no such cell" in talk.say("/log ../../etc/passwd", "carol")
    assert f"`{CELL}`" in talk.say("/log x", "carol")
    assert "has no record yet" in talk.say(f"/log {CELL}", "carol")
    assert talk.say("/evaluate", ORGANISER) == ""
    assert talk.proceed("approve") == 0
    evil = "@everyone ```\n</details> ::error::evil"
    truth = "the truth is 42"
    steps = [
        Step(step="ingestion", wall_seconds=0.25, exit_code=0, log=evil),
        Step(step="scoring", wall_seconds=0.25, exit_code=0, log=truth),
    ]
    folder = talk.forge.evaluate(talk.source, utc_now(), steps=steps)
    assert talk.proceed("finish", "--from", str(folder)) == 0
    answer = talk.say(f"/log {CELL}", "carol")
    assert f"`{CELL}` is finished" in answer
    assert "    @everyone" in answer  # an indented block, in which nothing acts
    assert "</details>" not in answer
    assert f"    {truth}" in answer
    assert len(answer) < 65_536

    bundle = "benchmarks/adding/competition.yaml"
    talk.forge.ours.replace(bundle, "name: Main, ", "name: Main, hide_score_output: true, ")
    talk.forge.ours.commit("Hide")
    talk.forge.ours.git("push", "--quiet", "origin", "HEAD:main")
    answer = talk.say(f"/log {CELL}", "carol")
    assert truth not in answer
    assert "    @everyone" in answer

    # The base branch's bundle hides it, whatever the pull request makes of that, or of a copy.
    shows = (talk.forge.ours.path / bundle).read_text().replace("hide_score_output: true, ", "")
    talk.show(talk.forge.open(1, {**entry("carol"), bundle: shows}))
    assert truth not in talk.say(f"/log {CELL}", "carol")
