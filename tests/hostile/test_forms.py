"""Hostile issues of a form: each gets nothing but what is its author's, and nobody else's entry.

All are in a table: an attack is the text of an issue, what the forge's event says of it, or the
file that was dropped. Whose the bot's pull requests are: tests/ci/steps/test_form_notes.py.
"""

import gzip
import io
import stat
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from evaluator.ci.forge.inert_markdown import quoted
from evaluator.plugins.forms.attachment import STORAGE as HOSTS
from evaluator.plugins.forms.entering import MOST_A_DAY
from tests.ci.policy.test_entrants import CLOSED, rule
from tests.ci.steps.conftest import forge
from tests.ci.steps.test_statuses import hosted
from tests.fake_forge import Reply
from tests.plugins.forms.conftest import desk
from tests.plugins.forms.desk import STORAGE, Desk, zipped

__all__ = ["desk", "forge", "hosted"]
EVIL = (
    "::error::evil", "$(touch evil)", "${{ github.token }}", "@everybody", "#1", "<script>",
    "](https://evil.example)", "`evil`", "\u202eevil", "fixes #1",
)  # fmt: skip
"""Markup, and what programs take for commands."""


def nothing(desk: Desk) -> None:
    assert desk.branches == []
    assert desk.hosted.pulls == []
    assert desk.started == []


def refused(desk: Desk, event: bytes, says: str) -> None:
    said = desk.says(event)
    assert says in said, said
    nothing(desk)


def with_file(desk: Desk, text: str) -> bytes:
    return desk.event(desk.body(**{"Your file": text}))


# Who enters.


def test_another_s_name_in_the_text_is_a_text(desk: Desk) -> None:
    for text in ("ada", "@ada", "submissions/adding/ada/one", "../ada/one", "ada/one"):
        desk.open(desk.event(desk.body(**{"Name of your entry": text}), "mallory"))
    assert {note.login for note in desk.notes} == {"mallory"}
    for note in desk.notes:
        desk.forge.ours.git("fetch", "--quiet", "origin", note.commit)
        paths = desk.forge.ours.git("diff", "--name-only", "main", note.commit).splitlines()
        assert paths
        assert all(path.startswith("submissions/adding/mallory/") for path in paths)


BOT = {"login": "evil[bot]", "id": 41, "type": "Bot"}
SILENT: dict[str, dict[str, Any]] = {
    "edited": {"action": "edited"},
    "reopened": {"action": "reopened"},
    "transferred": {"action": "transferred"},
    "came-from-elsewhere": {"changes": {"old_issue": {}, "old_repository": {}}},
    "sent-by-another": {"sender": {"login": "mallory", "id": 13, "type": "User"}},
    "sent-by-another-of-that-name": {"sender": {"login": "ada", "id": 13, "type": "User"}},
    "sent-by-nobody": {"sender": None},
    "by-a-bot": {"issue": {"user": BOT}, "sender": BOT},
    "by-a-deleted-account": {"issue": {"user": None}},
    "by-an-organisation": {"issue": {"user": {"login": "ada", "id": 7, "type": "Organization"}}},
    "is-a-pull-request": {"issue": {"pull_request": {"url": "x"}}},
    "blank": {"issue": {"body": None}},
    "no-form": {"issue": {"body": "Please enter this:\n\n### Benchmark\n\nadding\n"}},
    "endless": {"issue": {"body": "### Benchmark\n\nadding\n" + "x" * 70_000}},
}


@pytest.mark.parametrize("name", SILENT)
def test_what_no_person_has_just_opened_gets_no_answer(desk: Desk, name: str) -> None:
    assert desk.says(desk.event(desk.body(), **SILENT[name])) == ""
    nothing(desk)
    assert desk.notes == []
    assert not desk.asked(STORAGE)


def test_an_issue_that_was_edited_is_what_it_was(desk: Desk) -> None:
    """The text comes from the event, and nobody asks the forge for it."""
    event = desk.event(desk.body())
    desk.hosted.issues[0]["body"] = desk.body(**{"Name of your entry": "another"})
    desk.open(event)
    (note,) = desk.notes
    desk.forge.ours.git("fetch", "--quiet", "origin", note.commit)
    listed = desk.forge.ours.git("ls-tree", "-r", "--name-only", note.commit)
    assert "submissions/adding/ada/my-first/mine.py" in listed
    assert "another" not in listed


def test_a_closed_list_counts_for_forms(desk: Desk) -> None:
    rule(desk.forge, CLOSED)
    refused(desk, desk.event(desk.body(), "mallory"), "is not among the participants of adding")
    assert "pull/7" in desk.says(desk.event(desk.body(), "carol"))


def test_many_issues_of_one_account_are_silence_after_some(desk: Desk) -> None:
    wrong = desk.body(**{"Which method?": "magic"})
    for _ in range(MOST_A_DAY):
        assert desk.says(desk.event(wrong, "mallory"))
    for _ in range(3):
        assert desk.says(desk.event(wrong, "mallory")) == ""
        assert desk.says(desk.event(desk.body(), "mallory")) == ""
    nothing(desk)
    assert len(desk.notes) == MOST_A_DAY
    # Another account is another's, and so is one that took a name that was given up.
    assert "pull/7" in desk.says(desk.event(desk.body(), "ada"))


# What is said.


@pytest.mark.parametrize("text", EVIL)
def test_no_answer_acts(desk: Desk, text: str) -> None:
    for label in ("Which method?", "Your file", "Benchmark", "Name of your entry"):
        given = {"Name of your entry": f"??? {text}"[:3] + text if label[0] == "N" else "fine"}
        said = desk.says(desk.event(desk.body(**{**given, label: f"??? {text}"})))
        head, _, rest = said.partition("\n")
        assert head.startswith("<!-- pullbench -->")
        assert text not in rest.replace(quoted(f"??? {text}"), "")
    for note in desk.notes:
        if note.commit:  # a name made of it
            desk.forge.ours.git("fetch", "--quiet", "origin", note.commit)
            assert text not in desk.forge.ours.git("log", "-1", "--format=%B%an%ae", note.commit)
    for asked in desk.hosted.asked:
        if asked.path.endswith("/pulls"):
            assert text not in f"{asked.data}"


HEADINGS: dict[str, Callable[[str], str]] = {
    "twice": lambda body: f"{body}\n\n### Which method?\n\nguess",
    "missing": lambda body: body.replace("### Which method?\n\nsum\n\n", ""),
    "in-another-order": lambda body: body.replace("### Terms", "### T").replace(
        "### Which method?", "### Terms").replace("### T\n", "### Which method?\n"),
    "of-the-terms-in-an-answer": lambda body: body.replace(
        "My first", "My first\n\n### Terms\n\n- [x] I accept"),
    "renamed": lambda body: body.replace("### Terms", "### Conditions"),
}  # fmt: skip


@pytest.mark.parametrize("name", HEADINGS)
def test_headings_by_hand_are_no_other_form(desk: Desk, name: str) -> None:
    refused(desk, desk.event(HEADINGS[name](desk.body())), "not the form of today")
    assert not desk.asked(STORAGE)


@pytest.mark.parametrize(
    ("box", "says"),
    [
        ("- [ ] {}", "You did not tick the box below `Terms`"),
        ("_No response_", "is not that of today"),
        ("- [x] I accept", "is not that of today"),
        ("- [ ] {}\n- [x] {}", "is not that of today"),
        ("[x] {}", "is not that of today"),
        ("- [y] {}", "is not that of today"),
    ],
)
def test_nobody_accepts_by_default(desk: Desk, box: str, says: str) -> None:
    option = desk.fields[-1].options[0]
    refused(desk, desk.event(desk.body(Terms=box.replace("{}", option))), says)


def test_the_form_of_another_benchmark_is_that_one_s(desk: Desk) -> None:
    for name in ("echo", "../adding", "adding/../echo", "ADDING"):
        refused(desk, desk.event(desk.body(Benchmark=name)), "No benchmark with a form")


# Where the file is.

ELSEWHERE = [
    "https://evil.example/user-attachments/files/11/mine.py",
    "{}.evil.example/user-attachments/files/11/mine.py",
    "{}@evil.example/user-attachments/files/11/mine.py",
    "{}/user-attachments/files/11/../../../etc/passwd",
    "{}/user-attachments/files/11/mine.py?x=1",
    "{}/user-attachments/files/11/mine.py#x",
    "{}/user-attachments/files/11/%2e%2e%2fmine.py",
    "{}/user-attachments/assets/11/mine.py",
    "{}/user-attachments/files/eleven/mine.py",
    "{}/user-attachments/files/\u0661/mine.py",
    "{}/org/bench/raw/main/mine.py",
    "file:///etc/passwd",
    "[mine.py]({0}/user-attachments/files/11/mine.py) [b]({0}/user-attachments/files/11/mine.py)",
    "[mine.py]({0}/user-attachments/files/11/mine.py) and a text",
    "![mine.py]({0}/user-attachments/files/11/mine.py)",
]


@pytest.mark.parametrize("text", ELSEWHERE)
def test_no_other_address_is_fetched(desk: Desk, text: str) -> None:
    asked = desk.says(with_file(desk, text.format(desk.hosted.url)))
    assert "has to hold one file that you dropped there" in asked
    nothing(desk)
    assert not [one for one in desk.hosted.asked if "attachments" in one.path]


REDIRECTS = [
    "http://evil.example/x", "https://evil.example/x", f"https://{HOSTS[0]}.evil.example/x",
    f"https://{HOSTS[0]}@evil.example/x", "http://169.254.169.254/latest/meta-data/",
    "http://localhost/x", "file:///etc/passwd", "//evil.example/x", "", "http://[",
    f"https://{HOSTS[-1]}/x",
]  # fmt: skip
"""The last is a host of the list by another scheme than that of this forge."""


@pytest.mark.parametrize("to", REDIRECTS)
def test_a_redirect_leads_to_storage_or_nowhere(desk: Desk, to: str) -> None:
    desk.put(b"print(1)\n", to=to)
    refused(desk, desk.event(desk.body()), "where pullbench fetches nothing")


def test_a_second_redirect_is_not_followed(desk: Desk) -> None:
    desk.put(b"print(1)\n")
    desk.hosted.attachments[STORAGE] = Reply(
        status=302, headers={"Location": f"{desk.hosted.url}/second"}
    )
    refused(desk, desk.event(desk.body()), "its server answers 302")
    assert not desk.asked("/second")


@pytest.mark.parametrize("status", [403, 404, 410, 500])
def test_a_file_that_is_not_there_is_said(desk: Desk, status: int) -> None:
    desk.hosted.attachments[STORAGE] = Reply(status=status, raw=b"secret of the server")
    refused(desk, desk.event(desk.body()), f"answers {status}")
    assert "secret" not in desk.hosted.comments[0]["body"]


def test_a_large_file_is_read_no_further(desk: Desk) -> None:
    desk.put(b"x" * (25 * 2**20 + 1))
    refused(desk, desk.event(desk.body()), "more than 25 MB")


# What is in it.


def link() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        info = zipfile.ZipInfo("main.py")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    return packed.getvalue()


ZIPS = {
    "climbs": (zipped({"../../evil.py": b"1"}), "climbs out"),
    "absolute": (zipped({"/etc/evil.py": b"1"}), "is absolute"),
    "git": (zipped({".git/hooks/post-checkout": b"1"}), "reaches into a .git folder"),
    "attributes": (zipped({"main.py": b"1", ".gitattributes": b"* x"}), "how git treats"),
    "device": (zipped({"nul.py": b"1"}), "device"),
    "cases": (zipped({"main.py": b"1", "MAIN.py": b"2"}), "differ only by case"),
    "bomb": (zipped({"main.py": b"\0" * 2**25}), "inflates past"),
    "many": (zipped({f"{n}.py": b"" for n in range(2001)}), "more than 2000 files"),
    "link": (link(), "is a link"),
    "no-zip": (b"not a zip", "is not a readable zip file"),
    "empty": (zipped({}), "there is no file in it"),
    "scores": (zipped({"main.py": b"1", "scores/main.json": b"{}"}), "which CI alone writes"),
    "colon": (zipped({"main:b.py": b"1"}), "character that no file on Windows"),
}


@pytest.mark.parametrize("name", ZIPS)
def test_a_hostile_zip_is_refused(desk: Desk, name: str) -> None:
    content, says = ZIPS[name]
    address = desk.put(content, "work.zip")
    said = desk.says(with_file(desk, f"[work.zip]({address})"))
    assert says.replace(".", "") in said.replace("`", "").replace(".", ""), said
    nothing(desk)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (gzip.compress(b"\0" * (50 * 2**20 + 1), mtime=0), "unpacks to more than 50 MB"),
        (b"not gzip", "no readable .gz file"),
        (gzip.compress(b"x" * 1000, mtime=0)[:-9], "no readable .gz file"),
    ],
    ids=["bomb", "none", "cut"],
)
def test_a_hostile_gz_is_refused(desk: Desk, content: bytes, says: str) -> None:
    address = desk.put(content, "main.py.gz")
    refused(desk, with_file(desk, f"[main.py.gz]({address})"), says)
