"""A phase for the best of an earlier one: who may enter it, is carried into it, and is shown."""

import datetime as dt
import shutil
from pathlib import Path

import pytest

from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.planning.plan import Plan, make_local_plan
from evaluator.core.planning.rules import validate
from evaluator.plugins.races.plugin import PLUGIN
from evaluator.plugins.races.promoted import policy
from evaluator.site.build import build
from tests.plugging import leave_out
from tests.records import cells_of, record_of
from tests.repository import Repository

ROOT = Path(__file__).parents[3]
COMPETITION = "benchmarks/adding/competition.yaml"
END = dt.datetime(2026, 4, 1, tzinfo=dt.UTC)
BEFORE, AFTER = END - dt.timedelta(days=1), END + dt.timedelta(days=1)
PHASES = """\
phases:
  - {index: 0, name: Open, start: 2020-01-01, end: 2026-04-01, tasks: [0]}
  - {index: 1, name: Closed, start: 2026-04-01, tasks: [1]%s}
"""
SCORES = {"ada": 0.9, "ben": 0.7, "cay": 0.7, "dan": 0.1}


def contest(repo: Repository, promote: str, *, migrate: bool = False) -> Repository:
    """Four participants enter the first phase; their scores are there."""
    repo.copy_bundle("small")
    shutil.rmtree(repo.path / "submissions")
    text = (repo.path / COMPETITION).read_text()
    head, _, rest = text.partition("phases:\n")
    phases = PHASES % (", auto_migrate_to_this_phase: true" if migrate else "")
    repo.write(COMPETITION, head + phases + "\nleaderboards:" + rest.partition("leaderboards:")[2])
    repo.replace(
        COMPETITION, "\npullbench:\n", f"\npullbench:\n  phases: {{1: {{promote: {promote}}}}}\n"
    )
    for name in SCORES:
        enter(repo, name, "first", "open")
    for cell in cells_of(repo).values():
        if cell.phase.slug == "open":
            score = SCORES[cell.id.participant]
            repo.put(record_of(cell, scores={"right": score, "distance": 1.0}))
    repo.commit("Enter and evaluate")
    return repo


def enter(repo: Repository, who: str, name: str, phase: str) -> None:
    folder = f"submissions/adding/{who}/{name}"
    repo.write(f"{folder}/submission.yaml", f"kind: code\nphase: {phase}\n")
    repo.write(f"{folder}/main.py", f"# {who} {name}\n")


def plan(repo: Repository, now: dt.datetime) -> Plan:
    return make_local_plan(repo.snapshot(), now)


def reasons(repo: Repository, now: dt.datetime) -> dict[str, str]:
    return {
        one.submission.participant: f"{one.reason}. {one.hint}" for one in plan(repo, now).refused
    }


def missing(repo: Repository, now: dt.datetime) -> list[str]:
    return [item.cell.id.participant for item in plan(repo, now).missing]


@pytest.mark.parametrize(
    ("best", "promoted"),
    [(1, ["ada"]), (2, ["ada", "ben", "cay"]), (3, ["ada", "ben", "cay"]), (9, [*SCORES])],
)
def test_all_who_tie_for_the_last_place_may_enter(
    repo: Repository, best: int, promoted: list[str]
) -> None:
    contest(repo, f"{{from: open, best: {best}}}")
    for name in (*SCORES, "eve"):
        enter(repo, name, "second", "closed")
    repo.commit("Enter the second phase")
    assert missing(repo, AFTER) == promoted
    refused = reasons(repo, AFTER)
    assert sorted([*refused, *promoted]) == [*SCORES, "eve"]
    assert "of phase 'Open'; 'eve' is not among them" in refused["eve"]


def test_nobody_enters_before_the_earlier_phase_has_ended(repo: Repository) -> None:
    contest(repo, "{from: open, best: 1}")
    enter(repo, "ada", "second", "closed")
    repo.commit("Too soon")
    assert missing(repo, BEFORE) == []
    # The phase has not started, so that nothing of it is planned; who asks hears why.
    snapshot = repo.snapshot()
    entry = [one for one in snapshot.submissions if one.phase == "closed"]
    judge = policy(snapshot)
    (refusal,) = judge(snapshot, entry, BEFORE).values()
    assert "which ends on 2026-04-01 00:00 UTC" in refusal.reason
    assert "Enter phase 'Open' now" in refusal.hint
    assert judge(snapshot, entry, AFTER) == {}


def test_only_the_promoted_are_carried(repo: Repository) -> None:
    contest(repo, "{from: Open, best: 2}", migrate=True)
    assert missing(repo, BEFORE) == []
    assert missing(repo, AFTER) == ["ada", "ben", "cay"]
    snapshot = repo.snapshot()
    board = leaderboard(snapshot, "adding", phase="closed", task=None, now=AFTER)
    assert {row.submission.participant for row in board.rows} == {"ada", "ben", "cay"}
    assert len(leaderboard(snapshot, "adding", phase="open", task=None, now=AFTER).rows) == 4


def test_without_the_plugin_everybody_is_carried(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest(repo, "{from: open, best: 1}", migrate=True)
    leave_out(monkeypatch, PLUGIN)
    assert missing(repo, AFTER) == [*SCORES]


def test_who_is_disqualified_is_not_promoted(repo: Repository) -> None:
    contest(repo, "{from: open, best: 1}", migrate=True)
    repo.write(
        "benchmarks/adding/approvals.yaml",
        "decisions:\n"
        "  - {submission: ada/first, decision: refused, date: 2026-04-02, reason: Copied}\n",
    )
    snapshot = repo.snapshot()
    assert not [one for one in validate(snapshot) if one.severity == "error"]
    assert missing(repo, AFTER) == ["ben", "cay"]


@pytest.mark.parametrize(
    ("promote", "message"),
    [
        ("{from: closed, best: 1}", "'closed', which is no earlier phase"),
        ("{from: nowhere, best: 1}", "'nowhere', which is no earlier phase"),
        ("{from: open, best: 0}", "greater than or equal to 1"),
        ("{best: 1}", "is missing"),
    ],
)
def test_a_rule_that_nobody_can_meet_is_reported(
    repo: Repository, promote: str, message: str
) -> None:
    contest(repo, promote)
    problems = [one for one in repo.problems() if "promote" in one.key]
    assert [message in one.message for one in problems] == [True]


def test_a_rule_without_an_earlier_phase_lets_nobody_in(repo: Repository) -> None:
    contest(repo, "{from: closed, best: 1}", migrate=True)
    enter(repo, "ada", "second", "closed")
    repo.commit("Enter")
    assert missing(repo, AFTER) == []
    assert list(reasons(repo, AFTER)) == ["ada"]


def test_the_page_of_the_phase_names_them(repo: Repository) -> None:
    shutil.copytree(ROOT / "site", repo.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repo.path / "mkdocs.yml")
    contest(repo, "{from: open, best: 2}", migrate=True)
    site = build.build_site(repo.path).folder
    page = (site / "benchmarks/adding/phases/closed/index.html").read_text()
    assert "The best 2 participants of phase Open may enter" in page
    assert "Promoted: ada, ben, cay." in page
