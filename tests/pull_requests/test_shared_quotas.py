"""One address, two participants: pull requests are judged by both, merged or not."""

import datetime as dt
from typing import Any

import pytest

from evaluator.formats.settings import Settings
from evaluator.git.tree import open_repository
from evaluator.planning.ledger_notes import (
    Approval,
    ApprovedSubmission,
    Outcome,
    approval_files,
    note_json,
)
from evaluator.planning.shared_quotas import Parties, compared
from evaluator.pull_requests import approve
from evaluator.pull_requests.notes import add_notes
from tests.pull_requests.conftest import NOON, ORGANISER, Files, Forge
from tests.pull_requests.conftest import entry as plain_entry

FILE = "benchmarks/adding/competition.yaml"
SHEET = """
fact_sheet:
  email: {key: email, type: text, title: E-mail, selection: "", is_required: "true"}
"""
HOUR = dt.timedelta(hours=1)


def entry(participant: str, mail: str) -> Files:
    folder = f"submissions/adding/{participant}/one"
    return {
        f"{folder}/submission.yaml": f"kind: code\nfact_sheet: {{email: {mail}}}\n",
        f"{folder}/main.py": f"# {participant}\n",
    }


@pytest.fixture
def sharing(forge: Forge) -> Forge:
    """One submission a week for each address."""
    ours = forge.ours
    ours.git("rm", "-rq", "submissions")
    ours.replace(
        FILE, "\npullbench:\n",
        "\npullbench:\n  phases: {0: {max_submissions_per_week: 1}}\n  quota_by: email\n",
    )  # fmt: skip
    ours.write(FILE, (ours.path / FILE).read_text() + SHEET)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_COMMITTER_DATE", (NOON - dt.timedelta(days=8)).isoformat())
        ours.commit("Rules")
    ours.git("push", "--quiet", "origin", "HEAD:refs/heads/main")
    return forge


def test_what_is_approved_and_not_merged_counts_for_the_address(sharing: Forge) -> None:
    first = sharing.open(1, entry("carol", "Lab@uni.edu"))
    assert approve(sharing.ours.path, first, "carol", ORGANISER, NOON).ok
    second = sharing.open(2, entry("dora", "lab@uni.edu"))
    step = approve(sharing.ours.path, second, "dora", ORGANISER, NOON + HOUR)
    assert not step.ok
    (problem,) = step.report.problems
    assert "is number 2 of dora and who gives the same 'email' within seven days" in problem.message
    other = sharing.open(3, entry("erik", "erik@uni.edu"))
    assert approve(sharing.ours.path, other, "erik", ORGANISER, NOON + HOUR).ok
    later = approve(sharing.ours.path, second, "dora", ORGANISER, NOON + dt.timedelta(days=7))
    assert later.ok


def test_what_is_merged_counts_for_the_address(sharing: Forge) -> None:
    first = sharing.open(1, entry("carol", "lab@uni.edu"))
    sharing.merge(first, NOON)
    second = sharing.open(2, entry("dora", "LAB@uni.edu"))
    step = approve(sharing.ours.path, second, "dora", ORGANISER, NOON + HOUR)
    assert [p.message for p in step.report.problems] != []
    assert "the limit is 1 in any seven days" in step.report.problems[0].message


def test_older_approvals_keep_their_names() -> None:
    """An approval's id is a digest of its note; a new field must not be in old ones."""
    item = ApprovedSubmission(id="a/b/c", phase="main", content="0" * 64, received=NOON)
    note = Approval(tree="t", head="h", base="b", approver="o", at=NOON, submissions=[item])
    (content,) = approval_files(note).values()
    assert b"shared" not in content
    assert note.id == "f1fff68f032a29f0"
    with_answer = item.model_copy(update={"shared": "lab@uni.edu"})
    (content,) = approval_files(note.model_copy(update={"submissions": [with_answer]})).values()
    assert b'"shared": "lab@uni.edu"' in content
    assert Approval.model_validate_json(content).submissions[0].shared == "lab@uni.edu"


@pytest.mark.parametrize(
    ("outcome", "counts"),
    [(None, True), ({}, True), ({"void": True}, False), ({"spoiled": ["adding/carol/old"]}, False)],
)
def test_attempts_of_ledgers_without_notes_of_them(
    forge: Forge, outcome: dict[str, Any] | None, counts: bool
) -> None:
    """An approval was an attempt then, unless its outcome said otherwise."""
    forge.ours.replace(
        FILE, "execution_time_limit: 3}", "execution_time_limit: 3, max_submissions: 1}"
    )
    forge.ours.commit("A limit")
    forge.ours.git("push", "--quiet", "origin", "main")
    item = ApprovedSubmission(id="adding/carol/old", phase="main", content="0" * 64, received=NOON)
    note = Approval(
        tree="1" * 40, head="2" * 40, base="3" * 40, approver=ORGANISER, at=NOON, submissions=[item]
    )
    # They stood in the folders themselves.
    files = {f"approved/{note.tree}-{note.id}.json": note_json(note)}
    if outcome is not None:
        left = Outcome(approval=note.id, at=NOON, **outcome)
        files[f"finished/{note.id}-{'0' * 16}.json"] = note_json(left)
    add_notes(open_repository(forge.ours.path), "pullbench-ledger", "origin", files)
    source = forge.open(1, plain_entry("Carol"))
    step = approve(forge.ours.path, source, "carol", ORGANISER, NOON + HOUR)
    assert step.ok is not counts, step.report.problems


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lab@Uni.edu", "lab@uni.EDU"),
        ("a.b@uni.edu", "ab@uni.edu"),
        ("ab+second@uni.edu", "ab@uni.edu"),
        ("ab@uni.edu.", "ab@uni.edu"),
        ("a\u200bb@uni.edu", "ab@uni.edu"),
        ("ab@xn--uni-mnchen-eeb.de", "ab@uni-münchen.de"),
        ("ab@XN--UNI-MNCHEN-EEB.DE", "ab@Uni-München.de"),
        ('"a.b"@uni.edu', "ab@uni.edu"),
        ("Lab of Uni", "lab of  uni"),
    ],
)
def test_answers_that_are_one(one: str, other: str) -> None:
    assert compared(one) == compared(other)


@pytest.mark.parametrize(
    ("one", "other"), [("ab@uni.edu", "ab@uni.org"), ("ab@uni.edu", "abc@uni.edu"), ("a.b", "ab")]
)
def test_answers_that_are_two(one: str, other: str) -> None:
    assert compared(one) != compared(other)


def test_who_is_one_party() -> None:
    parties = Parties(Settings(teams={"cats": ["Dora", "erik"], "dogs": ["ERIK", "fay"]}))
    assert {parties.of(name) for name in ("dora", "Cats", "erik", "dogs", "Fay")} == {"cats"}
    assert parties.of("Mallory") == parties.of("MALLORY") == "mallory"
