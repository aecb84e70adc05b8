"""Whose a pull request is that our bot opened: a note of the ledger says it, and nothing else."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from evaluator.ci.forge.repository import BOT_VARIABLE
from evaluator.ci.ledger.form_notes import FormNote, form_files
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.scores.ledger_records import add_to_ledger
from evaluator.ci.steps.receive import judge_branches
from evaluator.core.errors import Problem
from evaluator.core.git.tree import open_repository
from tests.ci.policy.test_entrants import OPEN_NAMES, rule
from tests.ci.steps.conftest import LEDGER, NOON, ORGANISER, Forge, entry
from tests.fake_forge import BOT
from tests.steps import approve, receive


def note(forge: Forge, head: str, login: str = "ada", **given: object) -> None:
    said = FormNote(issue=12, account=7, login=login, sha256="0" * 64, commit=head, at=NOON)
    files = form_files(said.model_copy(update=given))
    repo = open_repository(forge.ours.path)
    add_to_ledger(repo, files, "Note a form\n", branch=LEDGER, remote="origin")


def judged(place: Path, source: PullRequestRef, author: str) -> Sequence[Problem]:
    """As `pullbench validate` judges it."""
    return judge_branches(place, "main", source.head, "origin", source.number, author, NOON)[0]


def says(forge: Forge, source: PullRequestRef, author: str) -> list[set[str]]:
    """What is wrong, by each step that judges; nothing of it is for an organiser's label."""
    place = forge.ours.path
    return [
        {one.message for one in said}
        for said in (
            judged(place, source, author),
            receive(place, source, author, NOON).report.problems,
            approve(place, source, author, ORGANISER, NOON).report.problems,
        )
    ]


NOBODYS = "is nobody's"


def one_of(said: list[set[str]], message: str) -> bool:
    return all(any(message in one for one in messages) for messages in said)


def test_a_pull_request_of_the_bot_without_a_note_is_nobodys(forge: Forge) -> None:
    for login in ("ada", ORGANISER, "cats"):
        source = forge.open(1, entry(login))
        assert one_of(says(forge, source, BOT), NOBODYS)
    assert not forge.ledger.entries.below("received")


@pytest.mark.parametrize("author", [BOT, BOT.upper()])
def test_with_a_note_it_is_the_account_s_that_wrote_the_issue(forge: Forge, author: str) -> None:
    rule(forge, OPEN_NAMES.replace("Carol", "ada"))
    source = forge.open(1, entry("ada"))
    note(forge, source.head)
    assert says(forge, source, author) == [set()] * 3
    assert forge.ledger.entries.below("received/adding/ada/one")


def test_it_has_the_quota_of_that_account(forge: Forge) -> None:
    bundle = "benchmarks/adding/competition.yaml"
    forge.ours.replace(bundle, "tasks: [0, 1]", "tasks: [0, 1], max_submissions: 1")
    rule(forge, "  accept_terms: false\n")
    first = forge.open(1, entry("ada"))
    note(forge, first.head, issue=1)
    approve(forge.ours.path, first, BOT, ORGANISER, NOON)
    third = forge.open(3, entry("ada", "three", "print(3)\n"))
    by_form = forge.open(4, entry("ada", "four", "print(4)\n"))
    note(forge, by_form.head)
    for source, author in ((third, "ada"), (by_form, BOT)):
        (problem,) = judged(forge.ours.path, source, author)
        assert "is number 2 of ada" in problem.message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda head: {"login": "mallory"}, "belongs to the participant 'ada'"),
        (lambda head: {"commit": "0" * 40}, NOBODYS),
        (lambda head: {"commit": ""}, NOBODYS),
        (lambda head: {"login": ""}, NOBODYS),
    ],
)
def test_a_note_of_another_login_or_head_counts_for_nothing(
    forge: Forge, change: Callable[[str], dict[str, str]], message: str
) -> None:
    source = forge.open(1, entry("ada"))
    note(forge, source.head, **change(source.head))
    assert one_of(says(forge, source, BOT), message)


def test_a_stranger_s_pull_request_with_the_same_head_is_the_stranger_s(forge: Forge) -> None:
    source = forge.open(1, entry("ada"))
    note(forge, source.head)
    twin = forge.push(2, source.head)
    assert one_of(says(forge, twin, "mallory"), "belongs to the participant 'ada'")
    # A push to the branch of the bot is another head.
    pushed = forge.open(1, entry("ada", content="print(2)\n"), base=source.head)
    assert one_of(says(forge, pushed, BOT), NOBODYS)


def test_a_bot_of_another_name_is_named(forge: Forge, monkeypatch: pytest.MonkeyPatch) -> None:
    source = forge.open(1, entry("ada"))
    note(forge, source.head)
    monkeypatch.setenv(BOT_VARIABLE, "our-app[bot]")
    assert one_of(says(forge, source, BOT), "belongs to the participant 'ada'")
    assert says(forge, source, "our-app[bot]") == [set()] * 3
