"""Who may enter, and terms that are accepted: judged by the base branch's bundle."""

import hashlib
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator.ci.policy.entrants import Participants
from evaluator.ci.steps.reports import StepResult
from tests import fake_forge
from tests.ci.steps.conftest import NOON, ORGANISER, SETTINGS, Forge, entry, make_forge
from tests.repository import BRANCH, Repository
from tests.steps import approve, receive

BUNDLE = "benchmarks/adding/competition.yaml"
SALT = "autumn-course"
TERMS = b"# Terms\n\nNo second account.\n"
DIGEST = hashlib.sha256(TERMS).hexdigest()


def rule(forge: Forge, text: str) -> None:
    """Put keys into the bundle of the base branch."""
    forge.ours.replace(BUNDLE, "\npullbench:\n", f"\npullbench:\n{text}")
    push(forge)


def push(forge: Forge) -> None:
    forge.ours.commit("A rule")
    forge.ours.git("push", "--quiet", "origin", BRANCH)


def come(forge: Forge, who: str, folder: str = "", **files: str) -> StepResult:
    source = forge.open(1, entry(folder or who) | dict(files))
    return receive(forge.ours.path, source, who, NOON)


def salted(name: str) -> str:
    return hashlib.sha256(f"{SALT}{name}".encode()).hexdigest()


CLOSED = f"  participants: {{salt: {SALT}, digests: [{salted('carol')}, {salted('cats')}]}}\n"
OPEN_NAMES = "  participants: {names: [Carol, cats]}\n"


@pytest.mark.parametrize("written", [OPEN_NAMES, CLOSED], ids=["names", "digests"])
@pytest.mark.parametrize(
    ("who", "folder", "admitted"),
    [
        ("carol", "", True), ("CAROL", "carol", True), ("mallory", "", False),
        ("dora", "cats", True), ("dora", "", False), (ORGANISER, "", True),
    ],
)  # fmt: skip
def test_a_login_or_the_team_that_enters_is_listed(
    forge: Forge, written: str, who: str, folder: str, admitted: bool
) -> None:
    rule(forge, written)
    step = come(forge, who, folder)
    assert step.ok == admitted, step.report.problems
    if not admitted:
        (problem,) = step.report.problems
        assert f"'{who}' is not among the participants of adding" in problem.message
        assert "ask the organisers" in problem.hint
        assert not forge.ledger.entries.below("received")


def test_a_list_of_the_head_admits_nobody(forge: Forge) -> None:
    rule(forge, OPEN_NAMES)
    text = (forge.ours.path / BUNDLE).read_text().replace("Carol", "mallory")
    step = come(forge, "mallory", **{BUNDLE: text})
    assert "is not among the participants" in str(step.report.problems)


def test_who_is_taken_off_the_list_is_not_approved(forge: Forge) -> None:
    rule(forge, OPEN_NAMES)
    source = forge.open(1, entry("carol"))
    assert receive(forge.ours.path, source, "carol", NOON).ok
    forge.ours.replace(BUNDLE, "[Carol, cats]", "[cats]")
    push(forge)
    assert not approve(forge.ours.path, source, "carol", ORGANISER, NOON).ok
    # What is there may be withdrawn all the same.
    folder = "submissions/adding/carol/one"
    gone = forge.open(2, entry("carol") | {f"{folder}/submission.yaml": "cancelled: true\n"})
    assert receive(forge.ours.path, gone, "carol", NOON).ok


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{}", "names nobody"), ("{names: [a], digests: [abc]}", "should match pattern"),
        (f"{{digests: [{'a' * 64}]}}", "need a 'salt'"), ("{domains: ['*']}", "match pattern"),
    ],
)  # fmt: skip
def test_a_list_that_says_nothing_is_a_mistake(small: Repository, text: str, fault: str) -> None:
    small.replace(BUNDLE, "\npullbench:\n", f"\npullbench:\n  participants: {text}\n")
    assert any(fault in problem.message for problem in small.problems()), small.problems()


def test_the_page_shows_a_list_and_how_it_is_made() -> None:
    page = (Path(__file__).parents[3] / "site/organisers/special.md").read_text(encoding="utf-8")
    salt, digest = re.findall(r"^    salt: (\S+)\n    digests:\n      - (\w+)$", page, re.M)[0]
    listed = Participants(salt=salt, digests=[digest])
    assert listed.has(["Ada"]) and not listed.has(["bob"])
    (line,) = re.findall(r"^printf .*$", page, re.M)
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == digest


# --- addresses that the forge has verified


@pytest.fixture
def hosted(
    small: Repository, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Forge, fake_forge.FakeForge]]:
    forge = make_forge(tmp_path_factory.mktemp("hosted"), small)
    line = '[tool.pullbench]\nforge = "https://forge.example/org/bench"\n'
    forge.ours.write("pyproject.toml", SETTINGS.replace("[tool.pullbench]\n", line))
    rule(forge, "  participants: {domains: [uni.example]}\n")
    with fake_forge.running(fake_forge.FakeForge()) as server:
        monkeypatch.setenv("PULLBENCH_FORGE_API", server.url)
        monkeypatch.setenv("PULLBENCH_TOKEN", "secret-token")
        yield forge, server


@pytest.mark.parametrize(
    ("login", "email", "verified", "admitted"),
    [
        ("Carol", "Carol@Uni.example", True, True), ("carol", "carol@uni.example", False, False),
        ("dave", "dave@uni.example", True, False), ("carol", "carol@evil-uni.example", True, False),
        ("carol", "carol@uni.example.evil.example", True, False),
        ("web-flow", "noreply@uni.example", True, False), (None, "carol@uni.example", True, False),
    ],
)  # fmt: skip
def test_the_committer_has_signed_with_an_address_of_the_domain(
    hosted: tuple[Forge, fake_forge.FakeForge],
    login: str | None,
    email: str,
    verified: bool,
    admitted: bool,
) -> None:
    forge, server = hosted
    source = forge.open(1, entry("carol"))
    server.commits[source.head] = {
        "sha": source.head, "author": {"login": "carol", "id": 1},
        "committer": {"login": login, "id": 2} if login else {},
        "commit": {
            # Everybody who commits may write this.
            "author": {"name": "Carol", "email": "carol@uni.example"},
            "committer": {"name": "Carol", "email": email},
            "verification": {"verified": verified, "reason": "valid" if verified else "unsigned"},
        },
    }  # fmt: skip
    step = receive(forge.ours.path, source, "carol", NOON)
    assert step.ok == admitted
    assert admitted or "an address at uni.example that the forge has" in str(step.report.problems)


def test_without_a_forge_nobody_has_a_domain(
    hosted: tuple[Forge, fake_forge.FakeForge], monkeypatch: pytest.MonkeyPatch
) -> None:
    forge, _ = hosted
    monkeypatch.delenv("PULLBENCH_TOKEN")
    assert not come(forge, "carol").ok
    # At home nobody can know: the pull request will say.
    forge.ours.write("submissions/adding/carol/one/main.py", "print(1)\n")
    forge.ours.write("submissions/adding/carol/one/submission.yaml", "kind: code\n")
    assert forge.ours.pullbench("validate", "submissions/adding/carol").returncode == 0


# --- terms


def accepting(digest: str) -> dict[str, str]:
    text = f'kind: code\nterms_accepted: "{digest}"\n'
    return {"submissions/adding/carol/one/submission.yaml": text}


def test_terms_are_accepted_by_their_digest(forge: Forge) -> None:
    forge.ours.write("benchmarks/adding/terms.md", TERMS)
    rule(forge, "  accept_terms: true\n")
    (problem,) = come(forge, "carol").report.problems
    assert problem.key == "terms_accepted"
    assert f'`terms_accepted: "{DIGEST[:16]}"`' in problem.hint
    assert "benchmarks/adding/terms.md" in problem.hint
    assert come(forge, "carol", **accepting(DIGEST[:16])).ok
    assert come(forge, "carol", **accepting(DIGEST)).ok
    assert not come(forge, "carol", **accepting(DIGEST[:11])).ok
    assert come(forge, ORGANISER).ok

    forge.ours.write("benchmarks/adding/terms.md", TERMS + b"Nor a third.\n")
    push(forge)
    (problem,) = come(forge, "carol", **accepting(DIGEST)).report.problems
    assert "are others than those of today" in problem.message


def test_terms_are_asked_for_before_anything_is_pushed(forge: Forge) -> None:
    forge.ours.write("benchmarks/adding/terms.md", TERMS)
    rule(forge, "  accept_terms: true\n")
    forge.ours.git("fetch", "--quiet", "origin")
    for path, content in entry("carol").items():
        forge.ours.write(path, content or "")
    done = forge.ours.pullbench("validate", "submissions/adding/carol")
    assert done.returncode == 1
    assert DIGEST[:16] in done.stdout + done.stderr
