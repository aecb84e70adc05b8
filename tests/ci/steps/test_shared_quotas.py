"""One address, two participants: pull requests are judged by both, merged or not."""

import datetime as dt

import pytest

from evaluator.ci.ledger.attempts import Parties, normalise_answer
from evaluator.core.formats.settings import Settings
from tests.ci.steps.conftest import NOON, ORGANISER, Files, Forge
from tests.steps import approve

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


@pytest.mark.slow
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
    assert normalise_answer(one) == normalise_answer(other)


@pytest.mark.parametrize(
    ("one", "other"), [("ab@uni.edu", "ab@uni.org"), ("ab@uni.edu", "abc@uni.edu"), ("a.b", "ab")]
)
def test_answers_that_are_two(one: str, other: str) -> None:
    assert normalise_answer(one) != normalise_answer(other)


def test_who_is_one_party() -> None:
    parties = Parties(Settings(teams={"cats": ["Dora", "erik"], "dogs": ["ERIK", "fay"]}))
    assert {parties.party_of(name) for name in ("dora", "Cats", "erik", "dogs", "Fay")} == {"cats"}
    assert parties.party_of("Mallory") == parties.party_of("MALLORY") == "mallory"
