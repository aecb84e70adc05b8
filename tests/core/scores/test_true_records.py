"""Records claim only what is true, whatever lies uncommitted and whenever a run was ended."""

import json
from pathlib import Path

import pytest

from tests.repository import Repository

FIRST, LAST = "2026-01-01T00:00:00+00:00", "2026-01-02T00:00:00+00:00"
BUNDLE = "benchmarks/adding/competition.yaml"
ALICE = "submissions/adding/alice"


@pytest.fixture
def two(repo: Repository, environments: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Two submissions of alice's, of which the last stands on the board; it is evaluated first."""
    repo.copy_bundle("small")
    repo.replace(BUNDLE, "Force_Latest_Multiple", "Force_Last")
    (repo.path / ALICE / "right").rename(repo.path / ALICE / "z-first")
    monkeypatch.setenv("GIT_COMMITTER_DATE", FIRST)
    repo.commit("The bundle, and a submission")
    repo.write(f"{ALICE}/a-last/submission.yaml", "kind: code\n")
    repo.write(f"{ALICE}/a-last/main.py", (repo.path / ALICE / "z-first/main.py").read_bytes())
    repo.write(f"{ALICE}/a-last/more.txt", "more\n")
    monkeypatch.setenv("GIT_COMMITTER_DATE", LAST)
    repo.commit("Another")
    monkeypatch.delenv("GIT_COMMITTER_DATE")
    return repo.share_environments(environments)


def evaluate(repo: Repository, *arguments: str) -> None:
    done = repo.pullbench("run", *arguments, "--engine", "subprocess", "--jobs", "1")
    assert done.returncode == 0, done.stdout + done.stderr


def facts(repo: Repository) -> dict[str, tuple[str | None, str]]:
    """What records say of their origin: commit, and time of submission."""
    return {
        f"{one.cell.submission}/{one.cell.task}": (one.provenance.commit, one.provenance.submitted)
        for one in repo.records().values()
    }


def on_board(repo: Repository) -> list[str]:
    done = repo.pullbench("leaderboard", "adding", "--format", "json")
    assert done.returncode == 0, done.stderr
    return [row["submission"] for row in json.loads(done.stdout)["rows"]]


@pytest.mark.slow
def test_uncommitted_records_change_no_fact_of_the_next_run(two: Repository) -> None:
    evaluate(two, "adding")
    once = facts(two)
    head = two.git("rev-parse", "HEAD")
    assert once["z-first/one"] == (head, FIRST)
    assert once["a-last/one"] == (head, LAST)
    board = on_board(two)
    assert "?? submissions/adding/alice/a-last/scores/" in two.status
    evaluate(two, "adding", "--fresh")
    assert facts(two) == once
    assert on_board(two) == board
    assert any(one.endswith("a-last") for one in board)
    assert not any(one.endswith("z-first") for one in board)


@pytest.mark.slow
def test_what_else_is_uncommitted_is_told(two: Repository) -> None:
    """A change of a submission makes it uncommitted; its scores beside that matter no more."""
    evaluate(two, "adding")
    two.write(f"{ALICE}/a-last/more.txt", "other\n")
    evaluate(two, "adding")
    commit, submitted = facts(two)["a-last/one"]
    assert commit is None
    assert submitted > LAST


@pytest.mark.slow
def test_a_plan_names_the_commit_that_changed_a_submission(two: Repository) -> None:
    """And not one that brought records, or none because records are not committed."""
    evaluate(two, "adding")
    two.write(f"{ALICE}/a-last/more.txt", "other\n")
    changed = two.commit("Change it, with its records")
    evaluate(two, "adding/alice/a-last/main/one")
    expected = f"submission changed in {changed[:7]}"
    assert two.reasons()["adding/alice/a-last/main/two"] == expected
    two.commit("Records")
    assert two.reasons()["adding/alice/a-last/main/two"] == expected


@pytest.mark.slow
def test_quotas_hold_while_records_wait_for_their_commit(two: Repository) -> None:
    two.replace(BUNDLE, "tasks: [0, 1]", "tasks: [0, 1], max_submissions: 2")
    two.commit("No more than two")
    evaluate(two, "adding")
    two.write(f"{ALICE}/a-last/more.txt", "a third\n")
    two.git("add", f"{ALICE}/a-last/more.txt")
    two.git("commit", "--quiet", "--message", "A third")
    (refused,) = two.plan().refused
    assert refused.submission.path == f"{ALICE}/a-last"
