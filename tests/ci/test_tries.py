"""How often a platform fault is tried again: counted in the records, through real commits."""

import pytest

from evaluator.core.formats.record import MAX_TRIES
from evaluator.core.formats.record_lines import from_json
from tests.repository import Repository

CELL = "echo/alice/same/main/echo"
RECORD = "submissions/echo/alice/same/scores/main.json"
COMPETITION = "benchmarks/echo/competition.yaml"
NOWHERE = "127.0.0.1:1/nobody/listens:1"


@pytest.fixture
def unlucky(small: Repository) -> Repository:
    """The image of ``echo`` is at a registry that does not answer."""
    small.replace(COMPETITION, "python:3.11-slim", NOWHERE)
    small.write("pyproject.toml", "[tool.pullbench]\nretries = 0\n")
    small.commit("A registry that does not answer")
    return small


def run_and_commit(repo: Repository, *cells: str, code: int = 3) -> int:
    """Return how many tries the branch then counts."""
    done = repo.pullbench("run", *cells)
    assert done.returncode == code, done.stdout + done.stderr
    done = repo.pullbench("commit")
    assert done.returncode == 0, done.stdout + done.stderr
    assert repo.status == "", "the working tree is what was committed"
    return from_json(repo.git("show", f"HEAD:{RECORD}").encode() + b"\n").tries


@pytest.mark.slow
@pytest.mark.docker
def test_each_content_has_three_tries_that_are_counted_through_commits(
    unlucky: Repository,
) -> None:
    assert [run_and_commit(unlucky, CELL) for _ in range(MAX_TRIES)] == [1, 2, 3]
    assert CELL not in unlucky.reasons()
    plan = unlucky.pullbench("plan")
    assert CELL not in plan.stdout
    # Whoever asks for it by name has looked at the machine.
    assert run_and_commit(unlucky, CELL) == 4

    unlucky.write("submissions/echo/alice/same/predictions.csv", "0\n")
    unlucky.commit("Other content")
    assert CELL in unlucky.reasons()
    assert run_and_commit(unlucky, CELL) == 1


@pytest.mark.slow
@pytest.mark.docker
def test_a_try_that_ends_begins_the_count_anew(unlucky: Repository) -> None:
    assert [run_and_commit(unlucky, CELL) for _ in range(2)] == [1, 2]
    unlucky.write(
        "pyproject.toml",
        f'[tool.pullbench]\nretries = 0\nimages = {{"{NOWHERE}" = "python:3.11-slim"}}\n',
    )
    unlucky.commit("Another image in its place")
    assert run_and_commit(unlucky, CELL, code=0) == 1
    assert CELL not in unlucky.reasons()
