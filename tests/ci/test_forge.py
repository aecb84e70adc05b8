"""The forge's client against a real server on loopback, kind and unkind."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

import pytest

from evaluator.ci.forge.connection import MAX_BYTES, MAX_TRIES, Connection, ForgeError
from evaluator.ci.forge.repository import (
    MERGE_VARIABLES,
    Forge,
    compare_address,
    find_forge,
)
from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor, PlatformError, PullbenchError
from tests.fake_forge import BOT, REPOSITORY, FakeForge, Reply, running

TOKEN = "secret-token"
MARKER = "<!-- pullbench -->"
COMMENTS = f"{REPOSITORY}/issues/1/comments"
ADDRESS = "https://forge.example/org/bench"
VARIABLES = (
    "PULLBENCH_TOKEN", "PULLBENCH_MERGE_TOKEN", "GITHUB_TOKEN", "GH_TOKEN",
    "PULLBENCH_FORGE_API", "PULLBENCH_BOT", "GITHUB_API_URL",
    "GITHUB_SERVER_URL", "GITHUB_REPOSITORY",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[FakeForge]:
    with running(FakeForge()) as forge:
        yield forge


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Pauses that were taken, none of them for real."""
    pauses: list[float] = []
    monkeypatch.setattr("evaluator.ci.forge.connection.time.sleep", pauses.append)
    monkeypatch.setattr("evaluator.ci.forge.connection.Connection.pauses", [])
    return pauses


@pytest.fixture
def forge(server: FakeForge, slept: list[float], monkeypatch: pytest.MonkeyPatch) -> Forge:
    monkeypatch.setenv("PULLBENCH_TOKEN", TOKEN)
    monkeypatch.setenv("PULLBENCH_FORGE_API", f"{server.url}/")
    found = find_forge(ADDRESS)
    assert found is not None
    return found


# --- pull requests


def test_a_pull_request(forge: Forge, server: FakeForge) -> None:
    server.add_pull(4, "evaluate", "help wanted", merged=True, state="closed")
    pull = forge.pull_request(4)
    assert (pull.number, pull.html_url) == (4, f"{ADDRESS}/pull/4")
    assert [label.name for label in pull.labels] == ["evaluate", "help wanted"]
    assert server.asked[0].token == f"Bearer {TOKEN}"


def test_a_merge_is_of_one_head(forge: Forge, server: FakeForge) -> None:
    pull = server.add_pull(4)
    with pytest.raises(ForgeError, match="409, Head branch was modified") as moved:
        forge.merge(4, "f" * 40)
    assert moved.value.status == 409
    assert not forge.pull_request(4).merged
    assert forge.merge(4, pull["head"]["sha"]) == "c" * 40
    assert (forge.pull_request(4).state, forge.pull_request(4).merged) == ("closed", True)
    # As GitHub says of one that is merged, is a draft, conflicts, or misses a review.
    with pytest.raises(ForgeError, match="405, Pull Request is not mergeable"):
        forge.merge(4, pull["head"]["sha"])


def test_a_token_that_merges_is_no_other(
    server: FakeForge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULLBENCH_MERGE_TOKEN", "merges")
    monkeypatch.setenv("PULLBENCH_FORGE_API", server.url)
    assert find_forge(ADDRESS) is None
    merger = find_forge(ADDRESS, tokens=MERGE_VARIABLES)
    server.add_pull(1)
    assert merger is not None and merger.merge(1, f"{1:040x}")
    assert server.asked[-1].token == "Bearer merges"


def test_open_pull_requests_come_in_pages(forge: Forge, server: FakeForge) -> None:
    for number in range(1, 46):
        server.add_pull(number, *(["Evaluate"] if number % 10 == 0 else []))
    server.add_pull(46, state="closed")
    assert [pull.number for pull in forge.open_pull_requests()] == list(range(1, 46))
    # The next page's address names another server, which is never asked.
    assert [asked.query.get("page") for asked in server.asked] == [None, "2", "3"]
    assert all(asked.path == f"{REPOSITORY}/pulls" for asked in server.asked)


def test_pages_without_end_are_not_followed(
    forge: Forge, server: FakeForge, capsys: pytest.CaptureFixture[str]
) -> None:
    server.add_pull(1)
    endless = Reply(data=server.pulls, headers={"Link": '<https://x.example/?page=2>; rel="next"'})
    server.reply(f"GET {REPOSITORY}/pulls", *[endless] * 1000)
    assert len(list(forge.open_pull_requests())) == 100
    assert "only the first 100 pages" in capsys.readouterr().err


def test_a_pull_request_from_a_fork(forge: Forge, server: FakeForge) -> None:
    address = forge.open_pull_request(head="ada:submit/x", base="main", title="T", body="B")
    assert address == f"{ADDRESS}/pull/7"
    assert server.asked[0].data["head"] == "ada:submit/x"
    compared = compare_address(ADDRESS, head="ada:submit/x", base="main")
    assert compared == f"{ADDRESS}/compare/main...ada:submit/x?expand=1"


@pytest.mark.parametrize(
    ("head", "asked"), [("submit/x", "org:submit/x"), ("ada:submit/x", "ada:submit/x")]
)
def test_the_pull_request_that_is_already_open(
    forge: Forge, server: FakeForge, head: str, asked: str
) -> None:
    server.add_pull(3)
    exists = {"message": "Validation Failed",
              "errors": [{"message": f"A pull request already exists for {head}."}]}  # fmt: skip
    server.reply(f"POST {REPOSITORY}/pulls", *[Reply(status=422, data=exists)] * 2)
    given = {"head": head, "base": "main", "title": "T", "body": "B"}
    assert forge.open_pull_request(**given) == f"{ADDRESS}/pull/3"
    assert server.asked[1].query["head"] == asked
    # A forge that does not know the filter lists all: then a person looks.
    server.add_pull(4)
    assert forge.open_pull_request(**given) == f"{ADDRESS}/compare/main...{head}?expand=1"


def test_a_pull_request_without_a_difference(forge: Forge, server: FakeForge) -> None:
    said = {"message": "Validation Failed", "errors": [{"message": "No commits between"}]}
    server.reply(f"POST {REPOSITORY}/pulls", Reply(status=422, data=said))
    with pytest.raises(ForgeError, match="422, Validation Failed; No commits between") as caught:
        forge.open_pull_request(head="x", base="main", title="T", body="B")
    assert caught.value.actor == Actor.PARTICIPANT


# --- the sticky comment


def test_a_comment_is_created_then_updated_then_left_alone(forge: Forge, server: FakeForge) -> None:
    first = forge.comment_sticky(1, "received")
    assert server.comments[0]["body"] == f"{MARKER}\nreceived"
    assert forge.comment_sticky(1, f"{MARKER}\nqueued").id == first.id
    assert [comment["body"] for comment in server.comments] == [f"{MARKER}\nqueued"]
    server.comments[0]["body"] = f"{MARKER}\r\nqueued\n"
    forge.comment_sticky(1, "queued")
    assert len(server.made("POST")) == len(server.made("PATCH")) == 1


@pytest.mark.parametrize("login", [None, "the-organiser"])
def test_a_strangers_comment_with_the_marker_is_never_adopted(
    forge: Forge, server: FakeForge, login: str | None
) -> None:
    server.login = login
    server.add_comment("mallory", f"{MARKER}\nscored, rank 1")
    server.add_comment(None, f"{MARKER}\nby an account that is gone")
    server.add_comment(login or BOT, f"another workflow quotes:\n> {MARKER}")
    forge.comment_sticky(1, "received")
    forge.comment_sticky(1, "queued")
    assert [comment["body"].splitlines()[-1] for comment in server.comments] == [
        "scored, rank 1", "by an account that is gone", f"> {MARKER}", "queued",
    ]  # fmt: skip


def test_ours_is_found_among_many(forge: Forge, server: FakeForge) -> None:
    for number in range(50):
        server.add_comment("mallory", f"{MARKER} {number}")
    server.add_comment(BOT, f"{MARKER}\nreceived")
    forge.comment_sticky(1, "queued")
    assert server.comments[50]["body"].endswith("queued")
    assert len(server.comments) == 51


def test_a_bot_whose_login_the_forge_does_not_tell(
    server: FakeForge, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PULLBENCH_TOKEN", TOKEN)
    monkeypatch.setenv("PULLBENCH_FORGE_API", server.url)
    made = server.add_comment("our-app[bot]", "")
    server.reply(f"POST {COMMENTS}", Reply(status=201, data=made))
    found = find_forge(ADDRESS)
    assert found is not None
    found.comment_sticky(1, "received")
    assert "Set PULLBENCH_BOT=our-app[bot]" in capsys.readouterr().err
    monkeypatch.setenv("PULLBENCH_BOT", "our-app[bot]")
    made["body"] = f"{MARKER}\nreceived"
    found = find_forge(ADDRESS)
    assert found is not None
    found.comment_sticky(1, "queued")
    assert [comment["body"] for comment in server.comments] == [f"{MARKER}\nqueued"]


def test_a_comment_that_was_deleted_meanwhile_is_written_anew(
    forge: Forge, server: FakeForge
) -> None:
    ghost = {**server.add_comment(BOT, f"{MARKER}\nold"), "id": 77}
    server.comments.clear()
    server.reply(f"GET {COMMENTS}", Reply(data=[ghost]))
    forge.comment_sticky(1, "new")
    assert [comment["body"] for comment in server.comments] == [f"{MARKER}\nnew"]


def test_a_comment_created_behind_a_failing_gateway_is_not_doubled(
    forge: Forge, server: FakeForge
) -> None:
    server.reply(f"POST {COMMENTS}", Reply(status=502, raw=b"<html>", after_the_deed=True))
    forge.comment_sticky(1, "received")
    assert [comment["body"] for comment in server.comments] == [f"{MARKER}\nreceived"]


def test_a_spent_limit_is_not_taken_for_a_token_without_a_name(
    forge: Forge, server: FakeForge
) -> None:
    server.login = "the-organiser"
    limited = Reply(status=403, headers={"X-RateLimit-Remaining": "0"}, data={"message": "limit"})
    server.reply("GET /user", *[limited] * MAX_TRIES)
    with pytest.raises(PlatformError, match="403, limit"):
        forge.comment_sticky(1, "received")
    assert server.comments == []


def test_a_comment_beyond_the_forges_limit(forge: Forge, server: FakeForge) -> None:
    forge.comment_sticky(1, f"{MARKER}\n".ljust(65_536, "x"))
    with pytest.raises(ValueError, match="65,537 characters; a forge takes 65,536"):
        forge.comment_sticky(1, f"{MARKER}\n".ljust(65_537, "x"))


# --- labels, statuses, workflows, issues


def test_a_label_is_taken_off_once(forge: Forge, server: FakeForge) -> None:
    server.add_pull(1, "to evaluate/now", "other")
    assert forge.remove_label(1, "to evaluate/now")
    assert not forge.remove_label(1, "to evaluate/now")
    assert [label.name for label in forge.pull_request(1).labels] == ["other"]
    (taken,) = server.made("DELETE")
    assert taken.path == f"{REPOSITORY}/issues/1/labels/to%20evaluate%2Fnow"


def test_a_label_that_may_not_be_taken_off_is_not_thought_gone(
    forge: Forge, server: FakeForge
) -> None:
    server.add_pull(1, "Evaluate")
    hidden = Reply(status=404, data={"message": "Not Found"})
    server.reply(f"DELETE {REPOSITORY}/issues/1/labels/evaluate", hidden)
    with pytest.raises(ForgeError, match="take the label 'evaluate' off pull request 1"):
        forge.remove_label(1, "evaluate")


def test_a_status(forge: Forge, server: FakeForge) -> None:
    forge.set_status("a" * 40, "pending", "long\n" * 100)
    (status,) = (asked.data for asked in server.made("POST"))
    assert server.asked[0].path == f"{REPOSITORY}/statuses/{'a' * 40}"
    assert len(status["description"]) == 140
    assert "\n" not in status["description"]
    assert (status["state"], status["context"]) == ("pending", "pullbench")


def test_a_workflow_is_started(forge: Forge, server: FakeForge) -> None:
    forge.dispatch("publish.yml", "main", {"rerun": "iris/alice", "failed": "true"})
    assert server.asked[0].path == f"{REPOSITORY}/actions/workflows/publish.yml/dispatches"
    assert server.asked[0].data == {
        "ref": "main", "inputs": {"rerun": "iris/alice", "failed": "true"},
    }  # fmt: skip


def test_an_issue_is_opened_updated_and_closed(forge: Forge, server: FakeForge) -> None:
    server.add_issue("mallory", "Overdue", f"{MARKER}\nnothing is overdue")
    server.add_issue(BOT, "A pull request", f"{MARKER}\n", pull_request={"url": "x"})
    assert forge.sticky_issue("Overdue", None) is None
    first = forge.sticky_issue("Overdue", "one submission")
    assert forge.sticky_issue("Overdue: 2", "two submissions") == first
    assert forge.sticky_issue("Overdue: 2", "two submissions") == first
    issue = server.issues[2]
    assert (issue["title"], issue["body"]) == ("Overdue: 2", f"{MARKER}\ntwo submissions")
    assert forge.sticky_issue("Overdue", None) == first
    assert [item["state"] for item in server.issues] == ["open", "open", "closed"]
    assert forge.sticky_issue("Overdue", "again") != first
    assert len(server.made("PATCH")) == 2


# --- an unkind forge

CALLS: dict[str, tuple[str, str, Callable[[Forge], object]]] = {
    "read pull request 1": (
        f"GET {REPOSITORY}/pulls/1", "pull-requests: read", lambda f: f.pull_request(1)),
    "list the pull requests": (
        f"GET {REPOSITORY}/pulls", "pull-requests: read", lambda f: list(f.open_pull_requests())),
    "comment on pull request 1": (
        f"GET {COMMENTS}", "pull-requests: write", lambda f: f.comment_sticky(1, "x")),
    "take the label 'a' off pull request 1": (
        f"DELETE {REPOSITORY}/issues/1/labels/a", "pull-requests: write",
        lambda f: f.remove_label(1, "a")),
    "set the status of commit abc": (
        f"POST {REPOSITORY}/statuses/abc", "statuses: write",
        lambda f: f.set_status("abc", "error", "d")),
    "start the workflow w.yml": (
        f"POST {REPOSITORY}/actions/workflows/w.yml/dispatches", "actions: write",
        lambda f: f.dispatch("w.yml", "main", {})),
    "write the issue": (
        f"GET {REPOSITORY}/issues", "issues: write", lambda f: f.sticky_issue("t", "b")),
    "open the pull request": (
        f"POST {REPOSITORY}/pulls", "pull-requests: write",
        lambda f: f.open_pull_request(head="h", base="b", title="t", body="b")),
}  # fmt: skip


@pytest.mark.parametrize("doing", CALLS)
@pytest.mark.parametrize("status", [301, 307, 401, 403, 422, 429, 500, 503])
def test_every_refusal_names_the_deed_the_status_and_the_permission(
    forge: Forge, server: FakeForge, doing: str, status: int
) -> None:
    call, permission, do = CALLS[doing]
    server.add_pull(1, "a")
    reply = Reply(
        status=status, headers={"Location": f"{server.url}/stolen"},
        data={"message": f"No, {TOKEN}! \x1b[31m"},
    )  # fmt: skip
    server.reply(call, *[reply] * 2 * MAX_TRIES)
    with pytest.raises(PullbenchError) as caught:
        do(forge)
    text = str(caught.value)
    assert f"could not {doing}: the forge answered {status}, No" in text
    assert permission in text
    assert TOKEN not in text
    assert "\x1b" not in text
    assert "/stolen" not in {asked.path for asked in server.asked}
    assert isinstance(caught.value, PlatformError if status in {429, 500, 503} else ForgeError)


@pytest.mark.parametrize("doing", [name for name in CALLS if "label" not in name])
def test_what_is_not_there(forge: Forge, server: FakeForge, doing: str) -> None:
    call, permission, do = CALLS[doing]
    server.reply(call, Reply(status=404, data={"message": "Not Found"}))
    with pytest.raises(ForgeError, match="404, Not Found") as caught:
        do(forge)
    assert caught.value.status == 404
    assert permission in caught.value.hint


@pytest.mark.parametrize(
    ("asks", "pauses"),
    [("7", [7, 7]), ("0", [0, 0]), ("Wed, 21 Oct 2026 07:28:00 GMT", [2, 4]), ("", [2, 4])],
)
@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_busy_forge_is_asked_again_when_it_says(
    forge: Forge, server: FakeForge, slept: list[float], status: int, asks: str, pauses: list[int]
) -> None:
    server.add_pull(1)
    headers = {"Retry-After": asks} if asks else {}
    server.reply(f"GET {REPOSITORY}/pulls/1", *[Reply(status=status, headers=headers)] * 2)
    assert forge.pull_request(1).number == 1
    assert slept == pauses


@pytest.mark.parametrize("status", [403, 429])
@pytest.mark.parametrize(
    ("asks", "pauses"), [({"Retry-After": "90"}, [90, 90]), ({}, [60, 120]),
                         ({"X-RateLimit-Remaining": "7", "X-RateLimit-Reset": "9" * 10}, [60, 120])]
)  # fmt: skip
def test_a_secondary_limit_is_waited_for_at_least_a_minute(
    forge: Forge, server: FakeForge, slept: list[float], status: int, asks: dict[str, str],
    pauses: list[int],
) -> None:  # fmt: skip
    server.add_pull(1)
    said = "You have exceeded a secondary rate limit. Please wait a few minutes before you try."
    limited = Reply(status=status, headers=asks, data={"message": said})
    server.reply(f"GET {REPOSITORY}/pulls/1", limited, limited)
    assert forge.pull_request(1).number == 1
    assert slept == pauses


@pytest.mark.parametrize("status", [403, 429])
def test_a_spent_limit_is_waited_for_until_it_is_renewed(
    forge: Forge, server: FakeForge, slept: list[float], status: int
) -> None:
    server.add_pull(1)
    renewed = str(int(utc_now().timestamp()) + 600)
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": renewed}
    server.reply(f"GET {REPOSITORY}/pulls/1", Reply(status=status, headers=headers))
    assert forge.pull_request(1).number == 1
    assert 590 < slept[0] < 610


def test_all_pauses_together_are_shorter_than_a_job(
    forge: Forge, server: FakeForge, slept: list[float]
) -> None:
    """A job that ends while its command waits says nothing at all; see tests/workflows/rules.py."""
    server.add_pull(1)
    limited = Reply(status=429, headers={"Retry-After": "1000"})
    server.reply(f"GET {REPOSITORY}/pulls/1", limited, limited)
    assert forge.pull_request(1).number == 1
    server.reply(f"GET {REPOSITORY}/pulls/1", limited, limited)
    with pytest.raises(PlatformError, match="Try again in 1000 s"):
        forge.pull_request(1)
    assert slept == [1000] * 3


def test_connections_of_one_command_wait_no_longer_together(
    forge: Forge, server: FakeForge, slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step asks with one token and merges with another, and is one part of a job."""
    monkeypatch.setenv("PULLBENCH_MERGE_TOKEN", "merges")
    server.add_pull(1)
    limited = Reply(status=429, headers={"Retry-After": "1000"})
    server.reply(f"GET {REPOSITORY}/pulls/1", limited, limited)
    assert forge.pull_request(1).number == 1
    merger = find_forge(ADDRESS, tokens=MERGE_VARIABLES)
    assert merger is not None
    server.reply(f"PUT {REPOSITORY}/pulls/1/merge", limited, limited)
    with pytest.raises(PlatformError, match="Try again in 1000 s"):
        merger.merge(1, f"{1:040x}")
    assert slept == [1000] * 3


def test_tries_are_bounded_and_a_long_pause_is_not_taken(
    forge: Forge, server: FakeForge, slept: list[float]
) -> None:
    call = f"GET {REPOSITORY}/pulls/1"
    server.reply(call, *[Reply(status=503)] * 10)
    with pytest.raises(PlatformError, match="503, no reason given"):
        forge.pull_request(1)
    assert (len(server.asked), slept) == (MAX_TRIES, [2, 4, 8])
    server.replies.clear()
    slept.clear()
    server.reply(call, Reply(status=429, headers={"Retry-After": "7200"}))
    with pytest.raises(PlatformError, match="Try again in 7200 s"):
        forge.pull_request(1)
    assert slept == []


LOST = [0, 500, 502, 503, 504]
"""Statuses after which nobody knows whether it was done; at the first the connection breaks."""


@pytest.mark.parametrize("status", LOST)
@pytest.mark.parametrize("after", [False, True])
def test_a_deed_whose_answer_is_lost_is_done_once(
    forge: Forge, server: FakeForge, status: int, after: bool
) -> None:
    lost = Reply(status=status, raw=b"<html>", after_the_deed=after)
    server.add_pull(1, "evaluate")
    for call in (
        f"GET {REPOSITORY}/pulls/1", f"GET {COMMENTS}", f"POST {COMMENTS}",
        f"PUT {REPOSITORY}/pulls/1/merge", f"DELETE {REPOSITORY}/issues/1/labels/evaluate",
        f"POST {REPOSITORY}/issues", f"POST {REPOSITORY}/statuses/abc",
    ):  # fmt: skip
        server.reply(call, lost, lost)
    assert forge.remove_label(1, "evaluate")
    forge.comment_sticky(1, "received", is_first=True)
    forge.comment_sticky(1, "scored")
    server.reply(f"POST {COMMENTS}", lost, lost)
    forge.answer(1, "ada", "<!-- to 77 -->\nDone.")
    forge.sticky_issue("Overdue", "one")
    forge.set_status("abc", "success", "Scored")
    assert forge.merge(1, f"{1:040x}") == ("" if after else "c" * 40)
    assert [one["body"].split("\n")[-1] for one in server.comments] == ["scored", "Done."]
    assert len(server.issues) == 1
    assert not any(server.replies.values()) or after


@pytest.mark.parametrize("raw", [b"<html>ok</html>", b'{"sha": "abc', b""])
def test_a_deed_whose_answer_cannot_be_read_is_done_once(
    forge: Forge, server: FakeForge, slept: list[float], raw: bytes
) -> None:
    garbled = Reply(status=201, raw=raw, after_the_deed=True)
    server.add_pull(1, "evaluate")
    for call in (
        f"POST {COMMENTS}", f"PUT {REPOSITORY}/pulls/1/merge", f"POST {REPOSITORY}/statuses/abc",
        f"DELETE {REPOSITORY}/issues/1/labels/evaluate",
    ):  # fmt: skip
        server.reply(call, garbled)
    assert forge.remove_label(1, "evaluate")
    forge.comment_sticky(1, "received", is_first=True)
    forge.set_status("abc", "success", "Scored")
    assert forge.merge(1, f"{1:040x}") == ""
    assert len(server.comments) == len(server.made("PUT")) == 1
    assert slept == [2] * 4


@pytest.mark.parametrize("status", LOST)
def test_what_may_have_been_let_through_is_not_started_twice(
    forge: Forge, server: FakeForge, status: int
) -> None:
    path = f"POST {REPOSITORY}/actions/workflows/w.yml/dispatches"
    server.reply(path, Reply(status=status), Reply(status=status))
    with pytest.raises(PlatformError):
        forge.dispatch("w.yml", "main", {})
    assert len(server.asked) == 1
    server.runs.append({"id": 1, "display_title": "evaluate #2", "status": "queued"})
    forge.dispatch("w.yml", "main", {}, title="evaluate #2")
    forge.dispatch("w.yml", "main", {}, title="evaluate #3")
    assert len([one for one in server.asked if one.method == "POST"]) == 3


@pytest.mark.parametrize(
    "raw", [b'{"number": 1, "head', b"<html>", b"[" * 100_000, b"\xff", b'{"a": 1, "a": 2}']
)
def test_answers_that_are_no_json(forge: Forge, server: FakeForge, raw: bytes) -> None:
    server.reply(f"GET {REPOSITORY}/pulls/1", Reply(raw=raw))
    with pytest.raises(ForgeError, match=r"read pull request 1: .* is not JSON"):
        forge.pull_request(1)


@pytest.mark.parametrize("data", [[], {}, "x", {"number": "one"}, None])
def test_answers_of_another_shape(forge: Forge, server: FakeForge, data: object) -> None:
    server.reply(f"GET {REPOSITORY}/pulls/1", Reply(data=data))
    with pytest.raises(ForgeError, match="something else than was asked for"):
        forge.pull_request(1)


def test_an_answer_that_breaks_off(forge: Forge, server: FakeForge) -> None:
    cut = Reply(raw=b'{"number": 1}', cut=10)
    server.reply(f"GET {REPOSITORY}/pulls/1", *[cut] * MAX_TRIES)
    with pytest.raises(PlatformError, match="the forge does not answer"):
        forge.pull_request(1)


def test_an_answer_that_is_too_large(forge: Forge, server: FakeForge) -> None:
    server.reply(f"GET {REPOSITORY}/pulls/1", Reply(raw=b" " * 10_000_000))
    with pytest.raises(PlatformError, match=f"more than {MAX_BYTES // 2**20} MiB"):
        forge.pull_request(1)


def test_an_answer_that_trickles(forge: Forge, server: FakeForge) -> None:
    server.reply(f"GET {REPOSITORY}/pulls/1", Reply(raw=b" " * 1_000_000))
    seconds = count(step=40.0)
    connection = Connection(token=TOKEN, clock=lambda: next(seconds))
    slow = replace(forge, client=replace(forge.client, connection=connection))
    with pytest.raises(PlatformError, match="longer than 60 s"):
        slow.pull_request(1)


def test_nobody_answers(forge: Forge, slept: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULLBENCH_FORGE_API", "http://127.0.0.1:9")
    silent = find_forge(ADDRESS)
    assert silent is not None
    with pytest.raises(PlatformError, match="does not answer: ConnectionError"):
        silent.pull_request(1)
    assert slept == [2, 4, 8]


def test_the_token_is_in_no_representation_and_gives_way_to_nothing(
    forge: Forge, server: FakeForge, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    assert TOKEN not in repr(forge)
    netrc = f"{tmp_path}/netrc"
    with open(netrc, "w") as file:  # noqa: PTH123
        file.write("machine 127.0.0.1 login somebody password else\n")
    monkeypatch.setenv("NETRC", netrc)
    server.add_pull(1)
    forge.pull_request(1)
    assert server.asked[0].token == f"Bearer {TOKEN}"


# --- from an address to its forge


@pytest.mark.parametrize(
    ("address", "environment", "api"),
    [
        ("https://github.com/a/b", {}, "https://api.github.com/repos/a/b"),
        ("https://git.example/a/b.git", {}, "https://git.example/api/v1/repos/a/b"),
        ("", {}, None),
        ("https://github.com/a", {}, None),
        ("", {"GITHUB_SERVER_URL": "https://ghe.example", "GITHUB_REPOSITORY": "c/d",
              "GITHUB_API_URL": "https://ghe.example/api/v3"},
         "https://ghe.example/api/v3/repos/c/d"),
        ("https://github.com/a/b", {"GITHUB_API_URL": "http://127.0.0.1:1/"},
         "http://127.0.0.1:1/repos/a/b"),
        ("https://git.example/a/b", {"GITHUB_SERVER_URL": "https://github.com",
                                     "GITHUB_API_URL": "https://api.github.com"},
         "https://git.example/api/v1/repos/a/b"),
        ("https://github.com/a/b", {"PULLBENCH_FORGE_API": "http://127.0.0.1:2/api",
                                    "GITHUB_API_URL": "https://api.github.com"},
         "http://127.0.0.1:2/api/repos/a/b"),
    ],
)  # fmt: skip
def test_where_the_interface_is(
    address: str, environment: dict[str, str], api: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert find_forge(address) is None, "without a token there is none"
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    found = find_forge(address)
    assert (found and found.client.api) == api
