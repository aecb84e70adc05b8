"""Each command of site/organisers/how-to.md does on a small repository what the page says."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.leaderboard.published import publish
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.site.boards.ranking_note import ranking_note
from tests.repository import Repository
from tests.test_commands_of_pages import blocks

PAGE = Path(__file__).parents[1] / "site/organisers/how-to.md"
BUNDLE = "benchmarks/adding/competition.yaml"


def commands(heading: str) -> list[list[str]]:
    """The commands below a heading of the page."""
    text = PAGE.read_text(encoding="utf-8")
    (part,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    part = part.replace("my-benchmark", "adding").replace("alice/first", "alice/right")
    able = [block.text for block in blocks(PAGE.name, part) if not block.why_not]
    lines = [shlex.split(line, comments=True) for text in able for line in text.splitlines()]
    return [line[1:] if line[0] == "pullbench" else line for line in lines]


def test_every_heading_is_tried() -> None:
    headings = re.findall(r"^## (.*)$", PAGE.read_text(encoding="utf-8"), re.M)
    source = Path(__file__).read_text(encoding="utf-8")
    assert [one for one in headings if f'commands("{one}")' not in source] == []


@pytest.fixture
def here(small: Repository, environments: Path) -> Repository:
    """The repository with its records, evaluated without containers."""
    small.share_environments(environments)
    small.run("adding", engine="subprocess")
    small.commit("Scores")
    return small


def call(repo: Repository, arguments: list[str]) -> str:
    if arguments[0] == "git":
        return repo.git(*arguments[1:])
    without_docker = {"run": ["--engine", "subprocess"], "commit": ["--allow-unisolated"]}
    options = without_docker.get(arguments[0], [])
    done = repo.pullbench(*arguments, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def stale(repo: Repository) -> dict[str, str]:
    """What is to be evaluated of the benchmark, and why."""
    return {cell: why for cell, why in repo.reasons().items() if cell.startswith("adding/")}


def board(repo: Repository) -> list[dict[str, Any]]:
    rows = json.loads(call(repo, ["leaderboard", "adding", "--format", "json"]))["rows"]
    return [row for row in rows if isinstance(row, dict)]


def test_disqualify(here: Repository) -> None:
    assert board(here)[0]["submission"] == "right"
    (disqualify,) = commands("Disqualify a submission")
    benchmark, participant, name = disqualify[1].split("/")
    assert (benchmark, participant, name) == ("adding", "alice", "right")
    assert "benchmarks/adding/approvals.yaml" in call(here, disqualify)
    here.commit("Disqualify")
    assert here.problems() == []
    *_, last = board(here)
    assert (last["participant"], last["rank"]) == ("alice", None)
    assert last["standing"]["state"] == "refused"
    assert last["standing"]["reason"] == "its code reads the reference data"
    assert "refused: its code reads the reference data" in call(here, ["leaderboard", "adding"])
    assert stale(here) == {}
    file = here.path / "benchmarks/adding/approvals.yaml"
    later = "  - {submission: alice/right, decision: approved, date: 2026-02-01}\n"
    file.write_text(f"{file.read_text()}  # heard again\n{later}")
    assert board(here)[0]["rank"] == 1
    assert {row["standing"] is None for row in board(here)} == {True}
    call(here, disqualify)
    assert "# heard again" in file.read_text()
    for wrong in (["disqualify", "adding/alice/rihgt", "--reason", "x"],
                  ["disqualify", "adding/alice/right", "--reason", " "]):  # fmt: skip
        assert here.pullbench(*wrong).returncode == 2
    file.write_text("decisions: []\n")
    done = here.pullbench(*disqualify)
    assert done.returncode == 2
    assert "Add there by hand" in done.stderr


def test_weigh_tasks_and_metrics(here: Repository) -> None:
    page = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"```yaml\n(.*?)```", page.partition("## Weigh")[2], re.S)
    weight = blocks[0].partition("\n")[2]
    column = "".join(re.findall(r"^      - .*\n", blocks[1], re.M))
    ranks = blocks[1].partition("pullbench:\n")[2]
    here.replace(BUNDLE, "pullbench:\n", f"pullbench:\n{weight}{ranks}")
    here.replace(BUNDLE, "index: 1, sorting: asc}\n", f"index: 1, sorting: asc}}\n{column}")
    here.replace(BUNDLE, "    key: results\n", "    key: results\n    primary_index: 2\n")
    here.commit("Weights")
    assert here.problems() == []
    text, planned = (call(here, command) for command in commands("Weigh tasks and metrics"))
    assert "Weighted rank" in text
    assert "adding/" not in planned
    (first, second) = board(here)
    assert [row["rank"] for row in (first, second)] == [1, 2]
    assert first["overall"]["weighted"] == 1.0
    # Wrong on one of two tasks of weights 3 and 1.
    for key in ("right", "distance"):
        on_tasks = [task["scores"][key] for task in second["tasks"].values()]
        assert second["overall"][key] == pytest.approx((3 * on_tasks[0] + on_tasks[1]) / 4)


def test_withdraw_a_task(here: Repository) -> None:
    page = PAGE.read_text(encoding="utf-8").partition("## Withdraw")[2]
    block = re.findall(r"```yaml\npullbench:\n(.*?)```", page, re.S)[0]
    here.replace(BUNDLE, "pullbench:\n", f"pullbench:\n{block}")
    here.commit("A task is wrong")
    assert here.problems() == []
    show, plan = commands("Withdraw a task")
    assert "Adding: Main" in call(here, show)
    assert "adding/" not in call(here, plan)
    shown = leaderboard(here.snapshot(), "adding", phase=None, task=None, now=utc_now())
    assert "does not count: withdrawn on 2026-05-01: its labels were" in ranking_note(
        publish(shown)
    )
    for row in board(here):
        kept, withdrawn = row["tasks"].values()
        assert row["overall"] == pytest.approx(kept["scores"])
        assert withdrawn["scores"]


def test_add_a_column_later_and_change_a_scorer(here: Repository) -> None:
    scorer = "benchmarks/adding/scoring_program/scoring.py"
    here.replace(scorer, '    "token"', '    "squared": (found - wanted) ** 2,\n    "token"')
    here.replace(BUNDLE, "index: 1, sorting: asc}\n", "index: 1, sorting: asc}\n"
                 "      - {title: Squared, key: squared, index: 2, sorting: asc}\n")  # fmt: skip
    assert len(stale(here)) == 4
    tokens = {name: record.extra["token"] for name, record in here.records().items()}
    for command in commands("Add a column later"):
        said = call(here, command)
    assert "squared" in board(here)[0]["overall"]
    assert stale(here) == {}
    # The token is another in each run of a submission's code: none ran.
    assert {name: one.extra["token"] for name, one in here.records().items()} == tokens
    here.replace(scorer, "float(found == wanted)", "float(found != wanted)")
    said = ""
    for command in commands("Change a scorer"):
        said += call(here, command)
    assert "scoring program changed, not committed" in said
    assert {name: one.extra["token"] for name, one in here.records().items()} == tokens
    assert [row["participant"] for row in board(here)] == ["bob", "alice"]
    assert said.rindex("alice") < said.rindex("bob")  # the board of before


def test_a_changed_scorer_that_is_not_committed_yet(here: Repository) -> None:
    """Without the page's `git commit`, each verb says that it is missing, and which files."""
    scorer = "benchmarks/adding/scoring_program/scoring.py"
    here.replace(scorer, "float(found == wanted)", "float(found != wanted)")
    before = here.git("rev-parse", "HEAD")
    for verb in (["plan"], ["run", "adding"], ["run", "adding"], ["plan"]):
        said = call(here, verb)
        assert f"not committed yet: {scorer}. `pullbench commit` takes" in said, said
    done = here.pullbench("commit", "--allow-unisolated")
    assert done.returncode == 2
    assert f"no commit has {scorer} as your files have it" in done.stderr
    assert here.git("rev-parse", "HEAD") == before
    here.git("add", "benchmarks")
    here.git("commit", "--quiet", "-m", "Change the scorer")
    assert "4 records in" in call(here, ["commit", "--allow-unisolated"])
    assert "not committed" not in call(here, ["plan"])


def test_retire_a_phase(here: Repository) -> None:
    here.replace(BUNDLE, "start: 2020-01-01", "start: 2020-01-01, end: 2025-01-01")
    here.commit("It ends")
    before = board(here)
    archive, restore = commands("Retire a phase")
    call(here, archive)
    assert not (here.path / "submissions/adding/alice/right/main.py").exists()
    assert board(here) == before
    call(here, restore)
    here.git("checkout", "--quiet", "--force", "main")
    assert (here.path / "submissions/adding/alice/right/main.py").exists()
    assert board(here) == before


def test_upgrade(here: Repository) -> None:
    for command in commands("Upgrade"):
        call(here, command)
    assert (here.path / ".github/workflows/publish.yml").exists()
