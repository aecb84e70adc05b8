"""What comes after a phase has ended: said, tried where somebody wants it, and on no board."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import Repository

LATE = "echo/alice/late"
CELL = f"{LATE}/main/echo"
RECORD = f"submissions/{LATE}/scores/main.json"
REFUSED = f"refused: {LATE}: was submitted on "
ENGINE = ("--engine", "subprocess")


@pytest.fixture
def ended(repo: Repository, environments: Path) -> Repository:
    """A competition that is over, as importers leave it, with a submission that came today."""
    repo.copy_bundle("small")
    start = "start: 2020-01-01,"
    repo.replace("benchmarks/echo/competition.yaml", start, f"{start} end: 2021-01-01,")
    folder = repo.path / "submissions/echo/alice"
    (folder / "same").rename(folder / "late")
    repo.commit("A competition that is over, and who enters late")
    return repo.share_environments(environments)


@pytest.mark.parametrize("names", [("echo",), ("echo/alice",), (LATE,)])
def test_run_says_what_the_plan_says_and_offers_a_way_to_try(
    ended: Repository, names: tuple[str, ...]
) -> None:
    assert REFUSED in ended.pullbench("plan").stdout
    done = ended.pullbench("run", *names, *ENGINE)
    assert done.returncode == 0, done.stderr
    assert REFUSED in done.stdout
    assert "after phase 'Main' had ended on 2021-01-01 00:00 UTC" in done.stdout
    assert f"to try it: pullbench run --fresh {LATE} --output build/try\n" in done.stdout
    assert done.stdout.endswith("\nnothing is to be evaluated\n")


@pytest.mark.slow
def test_the_way_that_is_offered_tries_it(ended: Repository) -> None:
    said = ended.pullbench("run", "echo", *ENGINE).stdout
    way = said.split("to try it: pullbench ")[1].splitlines()[0].split()
    done = subprocess.run(
        [sys.executable, "-m", "evaluator", *way, *ENGINE],
        cwd=ended.path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"{CELL}: agreement 1" in done.stdout
    assert "tried all the same; its records count nowhere" in done.stdout
    assert (ended.path / "build/try" / RECORD).is_file()
    assert ended.record_paths() == []


def test_what_nobody_names_is_not_tried(ended: Repository) -> None:
    done = ended.pullbench("run", "--fresh", *ENGINE)
    assert CELL not in done.stdout.replace(REFUSED, "")
    assert "adding/alice/right/main/one: " in done.stdout
    assert not (ended.path / RECORD).exists()


def test_what_others_name_is_not_said_of_it(ended: Repository) -> None:
    assert REFUSED not in ended.pullbench("run", "adding", *ENGINE).stdout


@pytest.mark.parametrize("how", ["fresh", "named"])
def test_a_refused_submission_is_not_committed(ended: Repository, how: str) -> None:
    names = ("--fresh", LATE) if how == "fresh" else (CELL,)
    assert f"{CELL}: agreement 1" in ended.pullbench("run", *names, *ENGINE).stdout
    assert (ended.path / RECORD).is_file()
    done = ended.pullbench("commit", "--allow-unisolated")
    assert done.returncode == 0
    assert f"left out: {CELL}: the plan refuses it, for it was submitted on" in done.stdout
    assert done.stdout.endswith("no new records to commit\n")
    board = ended.pullbench("leaderboard", "echo", "--at", "HEAD", "--format", "csv").stdout
    (row,) = board.splitlines()[1:]
    assert not row.startswith("1,")


@pytest.mark.docker
def test_nor_is_it_collected(ended: Repository, tmp_path: Path) -> None:
    ended.pullbench("run", "--fresh", LATE, "--output", str(tmp_path / "try"))
    assert (tmp_path / "try" / RECORD).is_file()
    done = ended.pullbench("collect", "--remote", "", "--from", str(tmp_path / "try"))
    assert f"left out: {CELL}: the plan refuses it, for it was submitted on" in done.stdout
    assert (
        ended.git("ls-tree", "-r", "--name-only", "main", "submissions/echo").count("scores") == 0
    )
    done = ended.pullbench("collect", "--remote", "", "--rerun", LATE)
    assert "to be evaluated: 0 cells" in done.stdout


def test_a_trial_before_it_is_committed_runs_as_any_other(
    ended: Repository, tmp_path: Path
) -> None:
    ended.git("mv", f"submissions/{LATE}", "submissions/echo/alice/again")
    done = ended.pullbench("run", "echo/alice/again", "--output", str(tmp_path), *ENGINE)
    assert "echo/alice/again/main/echo: agreement 1" in done.stdout
