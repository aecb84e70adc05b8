"""A phase whose participants are anonymous: words that only they wrote are looked for everywhere.

Each word of theirs begins alike, logins and folders too, and so does the author of the commits.
"""

import datetime as dt
import gzip
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from evaluator.core.errors import Actor
from evaluator.core.formats.record import Attachment, CellError, Earlier, Reason, Step
from evaluator.core.formats.repository_status import PolicyReport, WaitingPullRequest
from evaluator.core.leaderboard.published import publish, publish_with_hidden
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.site.build import build
from evaluator.site.content.anonymity import pseudonyms
from tests.ci.steps.conftest import NOON
from tests.records import cells_of, record_of
from tests.repository import Repository
from tests.site.conftest import ROOT
from tests.test_canaries import texts_of

CANARY = "qqcanary"
COMPETITION = "benchmarks/adding/competition.yaml"
PHASES = """\
phases:
  - {index: 0, name: Blind, start: 2020-01-01, end: 2090-01-01, tasks: [0, 1]}
  - {index: 1, name: Named, start: 2090-01-01, tasks: [1], auto_migrate_to_this_phase: true}
"""
SHEET = """
fact_sheet:
  method: {key: method, title: Method, type: text, is_required: false, is_on_leaderboard: true}
"""


def blind(repo: Repository, until: str) -> Repository:
    """Five entries of one participant and one of another, in all states that pages show."""
    repo.copy_bundle("small")
    shutil.rmtree(repo.path / "submissions")
    shutil.copytree(ROOT / "site", repo.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repo.path / "mkdocs.yml")
    repo.write("pyproject.toml", '[tool.pullbench]\nforge = "https://github.com/o/r"\n')
    text = (repo.path / COMPETITION).read_text()
    head, _, rest = text.partition("phases:\n")
    repo.write(COMPETITION, head + PHASES + "\nleaderboards:" + rest.partition("leaderboards:")[2])
    repo.replace(
        COMPETITION, "\npullbench:\n",
        f"{SHEET}\npullbench:\n  phases: {{0: {{anonymous_until: {until}}}}}\n",
    )  # fmt: skip
    for name in ("good", "failed", "again", "waits", "broken"):
        enter(repo, f"{CANARY}-ada", f"{CANARY}-{name}")
    enter(repo, f"{CANARY}-ben", "first", f"based_on: {CANARY}-ada/{CANARY}-good\n")
    repo.git("config", "user.name", f"{CANARY}-author")
    repo.git("config", "user.email", f"{CANARY}@example.org")
    repo.commit(f"Merge pull request #7 from {CANARY}-ada/branch")
    for cell in cells_of(repo).values():
        name = cell.id.submission.removeprefix(f"{CANARY}-")
        if cell.phase.slug != "blind" or name == "waits":
            continue
        made = record_of(cell, scores={"right": 0.25 + len(name) / 100, "distance": 1.0})
        if name == "failed":
            error = CellError(
                actor=Actor.PARTICIPANT, reason=Reason.EXITED, message=f"{CANARY} said so",
                hint=f"{CANARY}", step="ingestion",
            )  # fmt: skip
            step = Step(step="ingestion", wall_seconds=1, log=f"{CANARY} log")
            changes = {"status": "failed", "scores": {}, "error": error, "steps": [step]}
            made = made.model_copy(update=changes)
        if name == "good":
            page = f"<h1>{CANARY}</h1>".encode()
            kept = Attachment.of(page)
            made = made.model_copy(update={"attachments": {"html": kept}})
            repo.write(cell.id.attachment_path("html"), page)
        if name == "again":
            earlier = Earlier(score_key="1" * 64, finished="2025-01-01T00:00", scores={"right": 0})
            made = made.model_copy(update={"earlier": [earlier]})
        repo.put(made)
    repo.commit("Records")
    repo.write(f"submissions/adding/{CANARY}-ada/{CANARY}-broken/submission.yaml", "kind: none\n")
    repo.write("notes.txt", "Another day")
    repo.commit("Break one")
    return repo


def enter(repo: Repository, who: str, name: str, more: str = "") -> None:
    folder = f"submissions/adding/{who}/{name}"
    repo.write(
        f"{folder}/submission.yaml",
        f"kind: code\nphase: blind\nname: {CANARY} title\ndescription: {CANARY} text\n"
        f"fact_sheet: {{method: {CANARY} trees}}\n{more}",
    )
    repo.write(f"{folder}/main.py", f"# {CANARY} {name}\n")


def told(folder: Path) -> Iterator[str]:
    """Yield files whose path or content has a canary."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        content = path.read_bytes()
        if content[:2] == b"\x1f\x8b":  # sitemaps, and what search reads
            content = gzip.decompress(content)
        name = path.relative_to(folder).as_posix()
        if CANARY in name or CANARY in texts_of(name, content).casefold():
            yield name


def test_the_site_names_nobody(repo: Repository) -> None:
    waiting = WaitingPullRequest(
        pull_request=9, since=NOON, why="person", actor=None, reason=f"a copy of {CANARY}-ada's"
    )
    report = PolicyReport(
        at=NOON, stopped="", people=[waiting], more=0, budgets=[], approved=0, merged=0, refused=0,
        waiting=1,
    )  # fmt: skip
    repo = blind(repo, "phase-end")
    site = build.build_site(repo.path, queue=msgspec.json.encode(report)).folder
    assert list(told(site)) == []
    who, what = pseudonyms("adding", f"{CANARY}-ada", f"{CANARY}-good")
    page = (site / f"benchmarks/adding/submissions/{who}/{what}/index.html").read_text()
    assert "Entered by <strong>" in page
    assert "pullbench reproduce" not in page
    board = (site / "benchmarks/adding/index.html").read_text()
    assert "This site names nobody in this phase before 2090-01-01 00:00 UTC." in board
    data = json.loads((site / "api/v1/adding/blind.json").read_text())
    assert {row["participant"] for row in data["rows"]} == {
        pseudonyms("adding", f"{CANARY}-{name}", "")[0] for name in ("ada", "ben")
    }
    status = (site / "status/index.html").read_text()
    assert "/".join(pseudonyms("adding", f"{CANARY}-ada", f"{CANARY}-waits")) in status
    assert "its pull request says why" in status


def test_after_the_date_the_site_names_everybody(repo: Repository) -> None:
    site = build.build_site(blind(repo, "2021-01-01").path).folder
    everywhere = set(told(site))
    folder = f"benchmarks/adding/submissions/{CANARY}-ada/{CANARY}-good/index.html"
    assert {folder, "benchmarks/adding/index.html", "api/v1/adding/blind.json"} <= everywhere
    assert any(name.startswith("pagefind/") for name in everywhere)
    assert not any("entrant-" in name for name in everywhere)


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_the_command_names_nobody(repo: Repository, form: str) -> None:
    blind(repo, "2090-06-01")
    shown = repo.pullbench("leaderboard", "adding", "--format", form)
    assert shown.returncode == 0
    assert "entrant-" in shown.stdout
    assert CANARY not in shown.stdout


def test_the_clock_reveals_names_and_organisers_have_them_before(repo: Repository) -> None:
    snapshot = blind(repo, "phase-end").snapshot()
    end = dt.datetime(2090, 1, 1, tzinfo=dt.UTC)

    def names(now: dt.datetime, phase: str) -> set[str]:
        board = leaderboard(snapshot, "adding", phase=phase, task=None, now=now)
        return {row.submission.participant[:5] for row in publish(board).rows}

    assert names(end - dt.timedelta(seconds=1), "blind") == {"entra"}
    assert names(end, "blind") == {CANARY[:5]}
    assert names(end, "named") == {CANARY[:5]}
    early = leaderboard(snapshot, "adding", phase="blind", task=None, now=NOON)
    assert {row.submission.participant[:5] for row in publish_with_hidden(early).rows} == {
        CANARY[:5]
    }


def test_a_pseudonym_is_one_for_a_participant_in_a_benchmark() -> None:
    one, other = pseudonyms("adding", "ada", "first"), pseudonyms("adding", "ada", "second")
    assert one[0] == other[0]
    assert one[1] != other[1]
    assert pseudonyms("echo", "ada", "first")[0] != one[0]
    assert re.fullmatch("entrant-[0-9a-f]{8}", one[0])


def test_what_the_organiser_names_in_the_bundle_keeps_its_name(repo: Repository) -> None:
    blind(repo, "phase-end")
    repo.replace(COMPETITION, "\npullbench:\n", f"\npullbench:\n  baseline: {CANARY}-ben/first\n")
    board = publish(leaderboard(repo.snapshot(), "adding", phase="blind", task=None, now=NOON))
    named = [row.submission.participant for row in board.rows if CANARY in row.submission.id]
    assert named == [f"{CANARY}-ben"]


@pytest.mark.parametrize(
    ("until", "message"), [("someday", "anonymous_until"), ("[1]", "anonymous_until")]
)
def test_another_value_is_refused(repo: Repository, until: str, message: str) -> None:
    blind(repo, "phase-end")
    repo.replace(COMPETITION, "anonymous_until: phase-end", f"anonymous_until: {until}")
    keys = [one.key for one in repo.problems() if one.severity == "error"]
    assert [key for key in keys if message in key] == ["pullbench.phases[0].anonymous_until"]
