"""A person without git enters: what the answers become, and what is said of mistakes."""

import gzip
import hashlib
import re
from pathlib import Path

import pytest
import yaml

from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.steps.receive import receive
from evaluator.core.errors import PlatformError
from evaluator.importing.edited_yaml import with_value
from tests.ci.policy.test_entrants import BUNDLE, push
from tests.ci.steps.conftest import NOON
from tests.ci.steps.test_statuses import pr
from tests.fake_forge import BOT
from tests.plugins.forms.desk import PROGRAM, STORAGE, Desk, zipped
from tests.steps import opened

PLACE = "submissions/adding/ada/my-first"


def tip(desk: Desk, issue: int) -> str:
    return desk.forge.ours.git("ls-remote", "origin", f"refs/heads/form/{issue}").split()[0]


def show(desk: Desk, commit: str, path: str) -> str:
    desk.forge.ours.git("fetch", "--quiet", "origin", commit)
    return desk.forge.ours.git("show", f"{commit}:{path}")


def test_an_issue_becomes_the_pull_request_of_who_wrote_it(desk: Desk) -> None:
    event = desk.event(desk.body())
    said = desk.says(event)
    (note,) = desk.notes
    assert (note.issue, note.account, note.login) == (100, 7, "ada")
    assert note.commit == tip(desk, 100)
    assert len(note.sha256) == 64
    card = yaml.safe_load(show(desk, note.commit, f"{PLACE}/submission.yaml"))
    assert card["name"] == "My first"
    assert card["fact_sheet"] == {"method": "sum"}
    assert re.fullmatch("[0-9a-f]{64}", card["terms_accepted"])
    assert show(desk, note.commit, f"{PLACE}/mine.py") == PROGRAM.decode().strip()
    (pull,) = desk.hosted.pulls
    assert pull["number"] == 7
    pull["labels"].append({"name": "evaluate"})  # an organiser, later
    assert desk.started == [{"pull_request": "7"}]
    assert pull["html_url"] in said
    assert "has no effect" in said
    # The file was fetched once at each of two addresses, and nobody got a token for it.
    for path in ("/user-attachments/files/11/mine.py", STORAGE):
        (asked,) = desk.asked(path)
        assert asked.token == ""
    # CI takes it for ada's, and says so on the issue, too.
    desk.forge.theirs.git("fetch", "--quiet", "origin", note.commit)
    ref = desk.forge.push(7, note.commit)
    step = receive(opened(desk.forge.ours.path, ref, NOON), BOT)
    assert step.ok, step.report.problems
    assert desk.forge.ledger.entries.below("received/adding/ada/my-first")
    desk.hosted.asked.clear()
    assert pr(desk.forge, "approve", ref, BOT) == 0
    assert any(one.path.endswith("/issues/100/comments") for one in desk.hosted.asked)


def test_the_same_event_twice_is_one_entry(desk: Desk) -> None:
    event = desk.event(desk.body())
    desk.open(event)
    head = tip(desk, 100)
    desk.put(b"print(2)\n")  # it was replaced at its address
    desk.open(event)
    assert tip(desk, 100) == head
    assert [note.commit for note in desk.notes] == [head]
    assert [one.data["head"] for one in desk.asked("/repos/org/bench/pulls")] == ["form/100"] * 2


@pytest.mark.parametrize(
    ("name", "content", "files"),
    [
        ("work.zip", zipped({"main.py": b"1\n", "lib/a.py": b"2\n"}), {"main.py", "lib/a.py"}),
        ("work.ZIP", zipped({"mine/main.py": b"1\n", "mine/b.py": b"2\n"}), {"main.py", "b.py"}),
        ("main.py.gz", gzip.compress(b"1\n", mtime=0), {"main.py"}),
        ("work.zip", zipped({"main.py": b"1\n", "submission.yaml": b"kind: results\n"}),
         {"main.py"}),
    ],
    ids=["zip", "folder", "gz", "card"],
)  # fmt: skip
def test_what_is_packed_is_unpacked(desk: Desk, name: str, content: bytes, files: set[str]) -> None:
    address = desk.put(content, name)
    desk.open(desk.event(desk.body(**{"Your file": f"[{name}]({address})"})))
    (note,) = desk.notes
    desk.forge.ours.git("fetch", "--quiet", "origin", note.commit)
    listed = desk.forge.ours.git("ls-tree", "-r", "--name-only", note.commit, f"{PLACE}/")
    found = {Path(path).relative_to(PLACE).as_posix() for path in listed.splitlines()}
    assert found == {*files, "submission.yaml"}
    assert "results" not in show(desk, note.commit, f"{PLACE}/submission.yaml")


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({"Your file": "_No response_"}, "`Your file` has no answer"),
        ({"Your file": "here it is"}, "has to hold one file that you dropped there"),
        ({"Which method?": "magic"}, "`Which method?` has the answer `magic`, which is none of"),
        ({"Name of your entry": "???"}, "use letters, digits and hyphens"),
        ({"Benchmark": "nothing"}, "No benchmark with a form has the name `nothing`"),
        ({"Benchmark": "echo"}, "No benchmark with a form has the name `echo`"),
    ],
)
def test_a_mistake_is_named_by_the_question(desk: Desk, answers: dict[str, str], says: str) -> None:
    said = desk.says(desk.event(desk.body(**answers)))
    assert says in said
    assert "does not count as an attempt" in said
    assert "open another form" in said
    assert desk.branches == []
    assert [note.commit for note in desk.notes] == [""]
    assert desk.hosted.pulls == []


def take_a_table(desk: Desk) -> None:
    file = desk.forge.ours.path / BUNDLE
    columns = {"id": "integer", "value": "number"}
    declared = [{"file": "predictions.csv", "rows": 2, "columns": columns}]
    file.write_bytes(with_value(file.read_bytes(), declared, "pullbench", "predictions"))
    desk.forge.ours.pullbench("forms")
    push(desk.forge)


def test_a_wrong_row_is_named_by_its_line(desk: Desk) -> None:
    take_a_table(desk)
    address = desk.put(b"id,value\n1,2\n2,two\n", "from_excel.csv")
    body = desk.body(**{"Your file": f"[from_excel.csv]({address})"})
    said = desk.says(desk.event(body))
    assert "`predictions.csv`, line 3: " in said
    assert "yaml" not in said.lower()
    desk.put(b"id,value\n1,2\n2,3\n", "from_excel.csv")
    assert "pull/7" in desk.says(desk.event(body))


@pytest.mark.parametrize("text", ["id,value\n1,2\n2,3", "```csv\nid,value\n1,2\n2,3\n```"])
def test_a_table_may_be_pasted(desk: Desk, text: str) -> None:
    """No workflow can fetch what was dropped into an issue of a private repository."""
    take_a_table(desk)
    assert "pull/7" in desk.says(desk.event(desk.body(**{"Your file": text})))
    (note,) = desk.notes
    desk.forge.ours.git("fetch", "--quiet", "origin", note.commit)
    assert show(desk, note.commit, f"{PLACE}/predictions.csv") == "id,value\n1,2\n2,3"
    assert note.sha256 == hashlib.sha256(b"id,value\n1,2\n2,3\n").hexdigest()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("id,value\n1,2\n2,two", "`predictions.csv`, line 3: "),
        ("my file is\nhttps://elsewhere.example/a.csv", "has to hold one file that you dropped"),
        ("id,value\n### Name of your entry\n1,2", "a question is missing, is there twice"),
    ],
)
def test_what_is_pasted_is_read_as_if_it_was_dropped(desk: Desk, text: str, says: str) -> None:
    take_a_table(desk)
    assert says in desk.says(desk.event(desk.body(**{"Your file": text})))
    assert desk.branches == []


def test_a_program_cannot_be_pasted(desk: Desk) -> None:
    said = desk.says(desk.event(desk.body(**{"Your file": "print(1)\nprint(2)"})))
    assert "has to hold one file that you dropped there" in said


def test_a_name_is_used_once(desk: Desk) -> None:
    desk.forge.ours.write(f"{PLACE}/submission.yaml", "kind: code\n")
    push(desk.forge)
    assert "You have an entry `my-first` already" in desk.says(desk.event(desk.body()))


def test_terms_of_another_day_are_not_accepted(desk: Desk) -> None:
    body = desk.body()
    desk.forge.ours.write("benchmarks/adding/terms.md", "All that you have is ours.\n")
    push(desk.forge)
    said = desk.says(desk.event(body))
    assert "The box below `Terms` is not that of today" in said
    assert not desk.branches


@pytest.mark.parametrize("place", ["pull request", "issue"])
def test_who_commands_is_who_wrote_the_issue(desk: Desk, place: str) -> None:
    """See tests/ci/steps/test_commands.py for what the words do."""
    from evaluator.ci.steps.commands import answer_comment
    from tests.ci.steps.test_commands import event_of

    desk.open(desk.event(desk.body()))
    (pull,) = desk.hosted.pulls
    desk.forge.theirs.git("fetch", "--quiet", "origin", desk.notes[0].commit)
    ref = desk.forge.push(7, desk.notes[0].commit)
    pull["head"]["sha"] = ref.head
    pull["user"] = {"login": BOT}
    assert pr(desk.forge, "receive", ref, BOT) == 0
    base = PullRequestRef(base="main", head="", remote="origin")
    for by, state in (("mallory", "open"), ("ada", "closed")):
        event = event_of("/withdraw", by, at=NOON, number=len(by))
        there = b'"number": 100' if place == "issue" else b'"number": 7, "pull_request": {}'
        payload = event.replace(b'"number": 1, "pull_request": {}', there)
        answer_comment(desk.forge.ours.path, base, payload, NOON)
        assert pull["state"] == state
    number = b"100" if place == "issue" else b"7"
    answers = [one.path for one in desk.hosted.made("POST") if one.path.endswith("/comments")]
    assert answers[-1].endswith(f"/issues/{number.decode()}/comments")


def test_a_comment_on_another_issue_is_no_command(desk: Desk) -> None:
    """Nor is one whose number is that of a branch in somebody's fork."""
    from evaluator.ci.steps.commands import answer_comment
    from tests.ci.steps.test_commands import event_of

    head = {"ref": "form/12", "sha": "0" * 40, "label": "mallory:form/12", "repo": None}
    pull = desk.hosted.add_pull(12, head=head, user={"login": "mallory"})
    event = event_of("/withdraw", "mallory", at=NOON).replace(
        b'"number": 1, "pull_request": {}', b'"number": 12'
    )
    base = PullRequestRef(base="main", head="", remote="origin")
    said = answer_comment(desk.forge.ours.path, base, event, NOON)
    assert said == "the issue is no entry that is open"
    assert pull["state"] == "open"
    assert desk.hosted.made("POST") == []


def test_a_command_on_an_issue_is_not_lost_where_the_forge_fails(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job fails, so that somebody runs it again."""
    from evaluator.ci.forge.repository import Forge
    from evaluator.ci.steps.commands import answer_comment
    from tests.ci.steps.test_commands import event_of

    def fail(*_: object) -> None:
        raise PlatformError("the forge answered 502", hint="Try again later.")

    monkeypatch.setattr(Forge, "find_pull_request", fail)
    event = event_of("/withdraw", "ada", at=NOON).replace(b', "pull_request": {}', b"")
    base = PullRequestRef(base="main", head="", remote="origin")
    with pytest.raises(PlatformError, match="502"):
        answer_comment(desk.forge.ours.path, base, event, NOON)
