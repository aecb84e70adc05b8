"""Answers that must be addresses are checked before anything runs."""

import pytest

from evaluator.core.formats.fact_sheet import form_fault
from evaluator.core.formats.submission import parse_submission
from tests.repository import Repository

FILE = "benchmarks/echo/competition.yaml"
SHEET = """
fact_sheet:
  code: {key: code, type: text, title: Code, selection: "", is_required: "true"}
  talk: {key: talk, type: text, title: Talk, selection: "", is_required: "false"}
  email: {key: email, type: text, title: Mail, selection: "", is_required: "true"}
"""
FORMS = "quota_by: email\n  questions: {code: {type: url}, talk: {type: url}, email: {type: email}}"


@pytest.mark.parametrize(
    "url",
    [
        "https://arxiv.org/abs/2103.09430", "http://gitea/owner/name",
        "https://github.com/o/n/tree/v1?tab=readme#top", "https://[2001:db8::1]:8080/x",
        "https://müller.de/code", "https://my-example.com/", "HTTPS://host.edu/a%20b",
    ],
)  # fmt: skip
def test_addresses(url: str) -> None:
    assert form_fault("url", url) is None


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("n/a", "must begin with https://"), ("github.com/o/n", "must begin with https://"),
        ("javascript:alert(1)", "must begin"), ("data:text/html,x", "must begin"),
        ("ftp://host/x", "must begin"), ("file:///etc/passwd", "must begin"),
        ("https://", "names no host"), ("https:///path", "names no host"),
        ("https://a b.org", "blank"), ("https://host/\u202eoc", "blank"),
        ('https://host/"onmouseover=x', "blank"), ("https://host\\@evil", "blank"),
        ("https://user:secret@host.org", "user name"), ("https://host:99999999/", "cannot be read"),
        ("https://example.org/report", "placeholder"),
        ("https://www.Example.COM./x", "placeholder"),
        ("http://localhost/x", "placeholder"), ("https://my.test", "placeholder"),
    ],
)  # fmt: skip
def test_no_addresses(url: str, fault: str) -> None:
    assert fault in (form_fault("url", url) or "")


@pytest.mark.parametrize(
    ("mail", "good"),
    [("a@b.org", True), ("A.b+c@x-y.edu", True), ("a@b", False), ("a b@c.org", False),
     ("a@b.org, c@d.org", False), ("\u0430@b.org", False), ("@b.org", False), ("", False)],
)  # fmt: skip
def test_mail(mail: str, good: bool) -> None:
    assert (form_fault("email", mail) is None) is good


@pytest.fixture
def asking(small: Repository) -> Repository:
    text = (small.path / FILE).read_text()
    extension = text.replace("\npullbench:\n", f"\npullbench:\n  {FORMS}\n")
    small.write(
        FILE, (extension if extension != text else f"{text}\npullbench:\n  {FORMS}\n") + SHEET
    )
    return small


def problems(repo: Repository, sheet: str) -> list[str]:
    found = repo.snapshot().benchmarks["echo"]
    text = f"kind: results\nfact_sheet: {{{sheet}}}\n".encode()
    _, reported = parse_submission(("echo", "alice", "x"), text, ("predictions.csv",), found)
    return [f"{problem.key}: {problem.message} {problem.hint}" for problem in reported]


def test_every_answer_is_reported_with_its_key_and_what_to_write(asking: Repository) -> None:
    assert [p for p in asking.problems() if p.file == FILE] == []
    code, mail = problems(asking, "code: later, email: me")
    assert code == (
        "fact_sheet.code: is no address of a page: it must begin with https:// or http://: "
        "'later'. Write the address of the page, such as https://arxiv.org/abs/2103.09430."
    )
    assert mail.startswith("fact_sheet.email: is no e-mail address such as")


def test_what_is_required_may_not_be_blank_and_the_rest_may(asking: Repository) -> None:
    good = 'code: "https://host.edu/x", email: "a@host.edu"'
    assert problems(asking, good) == []
    assert problems(asking, f'{good}, talk: ""') == []
    assert problems(asking, 'code: " ", email: "a@host.edu"') == [
        "fact_sheet.code: must be answered: Code. Add the answer."
    ]
    assert problems(asking, 'code: "https://host.edu/x", email: ""') == [
        "fact_sheet.email: must be answered: Mail. Add the answer."
    ]


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("talk: {type: url}", "talks: {type: url}", "pullbench.questions.talks"),
        ("quota_by: email", "quota_by: mail", "pullbench.quota_by"),
        ("quota_by: email", "quota_by: talk", "pullbench.quota_by"),
        ("talk: {type: url}", "talk: {type: link}", "pullbench.questions.talk.type"),
        ("title: Talk", "title: Talk, type: checkbox", ""),
    ],
)
def test_mistakes_in_a_bundle(asking: Repository, old: str, new: str, key: str) -> None:
    asking.replace(FILE, old, new)
    found = [problem.key for problem in asking.problems() if problem.file == FILE]
    assert found
    assert key == "" or key in found
