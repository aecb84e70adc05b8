"""A challenge from feedback over the check to the final, with real containers and a moved clock."""

import datetime as dt
import json
from pathlib import Path

import msgspec
import pytest

from evaluator.ci.steps.board_changes import compare_boards
from evaluator.ci.steps.change_table import board_section
from evaluator.ci.steps.comment import cell_line
from evaluator.core.formats.record import Reason, Record
from evaluator.core.leaderboard import tables
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.scores.running import run
from evaluator.importing.pinned import content_digest
from evaluator.site.boards.exports import board_json
from tests.benchmarks.autowsl_models import model
from tests.benchmarks.test_autowsl_protocol import DATA, INFO, make_repository
from tests.ci.test_quotas import commit_at
from tests.repository import Repository

FEEDBACK = dt.datetime(2026, 2, 1, tzinfo=dt.UTC)
CHECK = dt.datetime(2026, 3, 2, tzinfo=dt.UTC)
FINAL = dt.datetime(2026, 4, 2, tzinfo=dt.UTC)
TASK = """\
  - index: {index}
    name: {name}
    ingestion_program: ingestion_program
    scoring_program: scoring_program
    input_data: {folder}/input_data
    reference_data: {folder}/reference_data
"""
PHASES = """\
phases:
  - {index: 0, name: Feedback, start: 2026-01-01, end: 2026-03-01, tasks: [0, 1],
     execution_time_limit: 60}
  - {index: 1, name: Check, start: 2026-03-01, end: 2026-04-01, tasks: [2], max_submissions: 1,
     execution_time_limit: 60, auto_migrate_to_this_phase: true, hide_output: true}
  - {index: 2, name: Final, start: 2026-04-01, tasks: [3, 4], max_submissions: 1,
     execution_time_limit: 60, auto_migrate_to_this_phase: true, hide_output: true}
leaderboards:
  - title: Results
    key: results
    submission_rule: Force_Last
    columns:
      - {title: AUC, key: auc, index: 0, sorting: desc, precision: 4}
pullbench:
  limits: {memory: 256 MiB, cpus: 1, pids: 32, output_size: 8 MiB, log_size: 64 KiB}
  aggregate: mean_rank
  ranking: {ties: average, missing: worst}
  phases: {1: {shows: status}}
  private:
"""
HEAD = """\
version: 2
title: Challenge
image: logo.png
terms: terms.md
docker_image: python:3.11-slim
pages: []
tasks:
"""
SECRET = "the-secret-of-the-data"
# All say what they see: in the check nobody must read it.
TALKS = f"def train(self, X, y):\n    print('{SECRET}')\n    self.state = 'trained'\n"
HONEST = model(TALKS)
REVERSED = model(
    TALKS + "def predict(self, X):\n    return [-v if v == v else 0.0 for v in X['c1']]"
)
# Fails on one data set of two in feedback and final, and in the check.
FRAIL = model(
    TALKS + "def predict(self, X):\n"
    "    if 'c2' in self.info['schema'] and self.info['task'] == 'pu': time.sleep(60)\n"
    "    return [v if v == v else 0.0 for v in X['c1']]"
)
TASKS = {"one": "ssl", "two": "pu", "check": "pu", "three": "ssl", "four": "pu"}


@pytest.fixture
def challenge(tmp_path: Path) -> Repository:
    repo = make_repository(tmp_path / "repo", {})
    bundle = "benchmarks/protocol"
    text, private = HEAD, ""
    for index, (name, kind) in enumerate(TASKS.items()):
        hidden = index > 1
        text += TASK.format(index=index, name=name.title(), folder=f"data/{name}")
        base = tmp_path / "runner" if hidden else repo.path / bundle / "data"
        for file, content in DATA.items():
            path = base / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        (base / name / "input_data/info.json").write_text(json.dumps({**INFO, "task": kind}))
        for file in ("input_data", "reference_data"):
            digest = content_digest(base / name / file)
            pin = f"{{task: {index}, file: {file}, path: {name}/{file}, sha256: {digest}}}"
            private += f"    - {pin}\n" if hidden else ""
    repo.write(f"{bundle}/competition.yaml", text + PHASES + private)
    repo.write("pyproject.toml", f'[tool.pullbench]\ndata = "{tmp_path / "runner"}"\n')
    commit_at(repo, dt.datetime(2026, 1, 2, tzinfo=dt.UTC))
    assert all(problem.severity == "note" for problem in repo.problems())
    return repo


def enter(repo: Repository, who: str, source: str, phase: str, moment: dt.datetime) -> None:
    folder = f"submissions/protocol/{who}"
    repo.write(f"{folder}/submission.yaml", f"kind: code\nphase: {phase}\n")
    repo.write(f"{folder}/model.py", source)
    commit_at(repo, moment)


def evaluate(repo: Repository, now: dt.datetime) -> dict[str, Record]:
    """Do what the hourly workflow does at that moment; returns the records that git holds."""
    taken = repo.snapshot()
    planned = make_local_plan(taken, now).missing
    done = run(taken, planned, engine="docker", lanes=2)
    commit_at(repo, now)
    return {str(cell).removeprefix("protocol/"): repo.record(cell) for cell in done.records}


def board(repo: Repository, phase: str, now: dt.datetime) -> PublicBoard:
    return publish(leaderboard(repo.snapshot(), "protocol", phase=phase, task=None, now=now))


def placed(made: PublicBoard) -> list[tuple[str, int | None, float | None]]:
    return [(row.submission.id.partition("/")[2], row.rank, row.overall.get("mean_rank"))
            for row in made.rows]  # fmt: skip


def said(made: PublicBoard, records: dict[str, Record]) -> str:
    """All that a phase says to the outside: data files, terminal, comment, what git holds."""
    return "\n".join(
        [
            board_json.to_json(made), tables.to_csv(made), tables.to_text(made),
            *board_section(compare_boards(None, made), rows=60, columns=12),
            *(repr(cell_line(record, made.benchmark)) for record in records.values()),
            *(msgspec.json.encode(record).decode() for record in records.values()),
        ]
    )  # fmt: skip


@pytest.mark.docker
@pytest.mark.slow
def test_from_feedback_to_the_final(challenge: Repository) -> None:
    repo = challenge
    day = dt.timedelta(days=1)
    enter(repo, "ada/first", REVERSED, "feedback", FEEDBACK)
    enter(repo, "ada/second", HONEST, "feedback", FEEDBACK + day)
    enter(repo, "bob/early", HONEST, "feedback", FEEDBACK + day)
    enter(repo, "eve/frail", FRAIL, "feedback", FEEDBACK + 2 * day)

    # Feedback: scores and logs at once; one data set failing costs that one alone.
    feedback = evaluate(repo, FEEDBACK + 3 * day)
    assert len(feedback) == 8
    assert {cell.split("/")[2] for cell in feedback} == {"feedback"}
    failed = [cell for cell, record in feedback.items() if record.error]
    assert failed == ["eve/frail/feedback/two"]
    now = board(repo, "feedback", FEEDBACK + 3 * day)
    # Ranks are among the three participants: ada's first entry makes none, and the worst is 3.
    assert placed(now) == [("ada/second", 1, 1.75), ("bob/early", 1, 1.75), ("eve/frail", 3, 2.5)]
    assert SECRET in said(now, feedback)
    assert "prediction was stopped" in said(now, feedback)

    # Check: the last of each moves on; one submission may take its place; nothing is told.
    enter(repo, "bob/late", REVERSED, "check", CHECK)
    enter(repo, "bob/one-too-many", HONEST, "check", CHECK + day)
    plan = make_local_plan(repo.snapshot(), CHECK + 2 * day)
    assert [item.submission.name for item in plan.refused] == ["one-too-many"]
    repo.git("rm", "-rq", "submissions/protocol/bob/one-too-many")
    commit_at(repo, CHECK + 2 * day)
    checked = evaluate(repo, CHECK + 2 * day)
    assert {cell: record.status for cell, record in checked.items()} == {
        "ada/second/check/check": "finished",
        "bob/early/check/check": "finished",
        "bob/late/check/check": "finished",
        "eve/frail/check/check": "failed",
    }
    assert not any(r.scores or r.extra or r.steps or r.attachments for r in checked.values())
    error = checked["eve/frail/check/check"].error
    assert error is not None
    assert error.reason == Reason.WITHHELD
    now = board(repo, "check", CHECK + 2 * day)
    assert {name: rank for name, rank, _ in placed(now)} == {
        "ada/second": None, "bob/late": None, "eve/frail": None,
    }  # fmt: skip
    text = said(now, checked)
    assert not [word for word in (SECRET, "stopped", "auc", "AUC", "exit") if word in text]
    assert not make_local_plan(repo.snapshot(), CHECK + 3 * day).missing

    # Final: by itself, each participant's last; it decides.
    decided = evaluate(repo, FINAL)
    assert sorted(decided) == [
        f"{who}/final/{task}"
        for who in ("ada/second", "bob/late", "eve/frail")
        for task in ("four", "three")
    ]
    now = board(repo, "final", FINAL)
    assert placed(now) == [("ada/second", 1, 1.25), ("eve/frail", 2, 2.25), ("bob/late", 3, 2.5)]
    assert SECRET not in said(now, decided)
    assert not make_local_plan(repo.snapshot(), FINAL + 30 * day).missing
