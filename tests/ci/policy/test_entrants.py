"""Who may enter, judged by the base branch's bundle."""

import pytest

from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, ORGANISER, Forge, entry
from tests.repository import BRANCH, Repository
from tests.steps import approve, receive

BUNDLE = "benchmarks/adding/competition.yaml"
LISTED = "  participants: [Carol, cats]\n"


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


@pytest.mark.parametrize(
    ("who", "folder", "admitted"),
    [
        ("carol", "", True), ("CAROL", "carol", True), ("mallory", "", False),
        ("dora", "cats", True), ("dora", "", False), (ORGANISER, "", True),
    ],
)  # fmt: skip
def test_a_login_or_the_team_that_enters_is_listed(
    forge: Forge, who: str, folder: str, admitted: bool
) -> None:
    rule(forge, LISTED)
    step = come(forge, who, folder)
    assert step.ok == admitted, step.report.problems
    if not admitted:
        (problem,) = step.report.problems
        assert f"'{who}' is not among the participants of adding" in problem.message
        assert "ask the organisers" in problem.hint
        assert not forge.ledger.entries.below("received")


def test_a_list_of_the_head_admits_nobody(forge: Forge) -> None:
    rule(forge, LISTED)
    text = (forge.ours.path / BUNDLE).read_text().replace("Carol", "mallory")
    step = come(forge, "mallory", **{BUNDLE: text})
    assert "is not among the participants" in str(step.report.problems)


def test_who_is_taken_off_the_list_is_not_approved(forge: Forge) -> None:
    rule(forge, LISTED)
    source = forge.open(1, entry("carol"))
    assert receive(forge.ours.path, source, "carol", NOON).ok
    forge.ours.replace(BUNDLE, "[Carol, cats]", "[cats]")
    push(forge)
    assert not approve(forge.ours.path, source, "carol", ORGANISER, NOON).ok
    # What is there may be withdrawn all the same.
    folder = "submissions/adding/carol/one"
    gone = forge.open(2, entry("carol") | {f"{folder}/submission.yaml": "cancelled: true\n"})
    assert receive(forge.ours.path, gone, "carol", NOON).ok


@pytest.mark.parametrize(("text", "fault"), [("[]", "at least 1"), ("ada", "valid list")])
def test_a_list_that_says_nothing_is_a_mistake(small: Repository, text: str, fault: str) -> None:
    small.replace(BUNDLE, "\npullbench:\n", f"\npullbench:\n  participants: {text}\n")
    assert any(fault in problem.message for problem in small.problems()), small.problems()
