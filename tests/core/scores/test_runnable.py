"""What a machine can run, which it says before it begins; and that it never runs more unasked."""

import pytest

from evaluator.importing.pinned import content_digest
from tests.repository import Repository

DEAD = {"DOCKER_HOST": "tcp://127.0.0.1:1"}
"""An address at which nothing answers."""


def test_programs_never_run_without_isolation_unasked(small: Repository) -> None:
    done = small.pullbench("run", environment=DEAD)
    assert done.returncode == 3
    assert "no Docker engine answers" in done.stderr
    assert "Start Docker." in done.stderr
    assert "git config pullbench.engine subprocess" in done.stderr
    assert small.record_paths() == []


@pytest.mark.slow
def test_a_clone_says_once_that_its_programs_are_trusted(
    small: Repository,
) -> None:
    small.git("config", "pullbench.engine", "subprocess")
    done = small.pullbench("run", "echo", environment=DEAD)
    assert done.returncode == 0
    assert "subprocess (no isolation)" in done.stdout
    assert len(small.record_paths()) == 1
    in_ci = small.pullbench("run", "adding", environment={**DEAD, "CI": "true"})
    assert in_ci.returncode == 2
    assert "refused where CI=true" in in_ci.stderr


def test_an_engine_that_there_is_not_is_named(small: Repository) -> None:
    small.git("config", "pullbench.engine", "fast")
    done = small.pullbench("run")
    assert done.returncode == 2
    assert "git config pullbench.engine is 'fast'" in done.stderr


@pytest.mark.slow
def test_cells_whose_data_this_machine_does_not_have_are_left_out(small: Repository) -> None:
    answers = small.path / "build" / "private" / "echo"
    answers.mkdir(parents=True)
    (answers / "answers.txt").write_text("1\n")
    entry = "{task: 0, file: reference_data, path: echo, sha256: " + content_digest(answers) + "}"
    small.replace(
        "benchmarks/echo/competition.yaml", "pullbench:\n", f"pullbench:\n  private: [{entry}]\n"
    )
    small.commit("Private data")
    done = small.pullbench("run", "echo", "--engine", "subprocess")
    assert done.returncode == 0
    assert "left out: 1 cell of echo, phase" in done.stdout
    assert "this machine does not have its private data; no phase can be tried here" in done.stdout
    assert small.record_paths() == []
    in_ci = small.pullbench("run", "echo", environment={"CI": "true"})
    assert in_ci.returncode == 3  # of a queue's runner that is a fault, which stands in the record


def test_cells_whose_packages_this_machine_lacks_are_left_out(small: Repository) -> None:
    small.write(
        "benchmarks/echo/Dockerfile",
        "FROM python:3.11-slim\nRUN apt-get update && apt-get install -y no-such-language\n",
    )
    small.commit("A language")
    done = small.pullbench("run", "echo", "--engine", "subprocess")
    assert done.returncode == 0
    assert "this machine lacks no-such-language; install them, or use Docker" in done.stdout
    assert small.record_paths() == []


@pytest.mark.slow
def test_a_sample_is_compared_with_the_records(small: Repository) -> None:
    assert small.pullbench("run", "adding", "--engine", "subprocess").returncode == 0
    small.commit("Records")
    done = small.pullbench("reproduce", "--sample", "1", "--engine", "subprocess")
    assert done.returncode == 0
    assert "[1/1]" in done.stdout
    assert "compared with the committed records: 1 identical" in done.stdout


def test_a_data_folder_that_git_does_not_ignore_is_an_error(small: Repository) -> None:
    small.write("pyproject.toml", '[tool.pullbench]\ndata = "private"\n')
    small.commit("Settings")
    done = small.pullbench("validate")
    assert done.returncode == 1
    assert "pyproject.toml: tool.pullbench.data: names 'private'" in done.stdout
    assert "[organiser must act]" in done.stdout
    small.write(".gitignore", "/build/\n/private/\n")
    small.commit("Ignore it")
    assert small.pullbench("validate").returncode == 0
    small.write("pyproject.toml", '[tool.pullbench]\ndata = "build/private"\n')
    assert small.pullbench("validate").returncode == 0
    elsewhere = small.path.with_name("elsewhere")
    elsewhere.mkdir()
    (small.path / "build").mkdir(exist_ok=True)
    (small.path / "build/private").symlink_to(elsewhere)  # git never follows it
    done = small.pullbench("validate")
    assert done.returncode == 0, done.stdout + done.stderr
