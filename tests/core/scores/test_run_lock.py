"""Two runs in one tree evaluate no cell twice, and both end with all of them there."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evaluator.core.compute.run_folder import RunLock
from tests.repository import Repository, command

SLOW = """
import pathlib, time, uuid
(pathlib.Path("{log}") / uuid.uuid4().hex).touch()
time.sleep(0.5)
"""


def start(repo: Repository, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        command(repo.path, "run", "--engine", "subprocess", *arguments), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


@pytest.fixture
def counted(small: Repository, tmp_path: Path) -> tuple[Repository, Path]:
    """A repository whose participants' programs leave a file in a folder each time they run."""
    evaluations = tmp_path / "evaluations"
    evaluations.mkdir()
    submissions = list((small.path / "submissions/adding").glob("*/*/main.py"))
    for path in submissions:
        name = str(path.relative_to(small.path))
        small.write(name, path.read_text() + SLOW.replace("{log}", str(evaluations)))
    small.commit("Programs that are counted")
    return small, evaluations


@pytest.mark.slow
def test_two_runs_at_once_evaluate_each_cell_once(counted: tuple[Repository, Path]) -> None:
    repo, evaluations = counted
    planned = set(repo.reasons())
    runs = [start(repo, "--jobs", "1") for _ in range(2)]
    outputs = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], outputs
    lines = [line for out, _ in outputs for line in re.findall(r"^\[.*?\] (.*)", out, re.M)]
    evaluated = [line.partition(":")[0] for line in lines if "by another run" not in line]
    assert sorted(evaluated) == sorted(planned), outputs
    assert set(repo.records()) == planned
    assert list(evaluations.iterdir())
    assert any("by another run" in line for line in lines), "they never met"
    assert not repo.reasons()


@pytest.mark.slow
def test_cells_of_a_run_that_is_killed_are_taken_over(counted: tuple[Repository, Path]) -> None:
    repo, evaluations = counted
    first = start(repo, "--jobs", "1")
    end = time.monotonic() + 60
    while not list(evaluations.iterdir()):
        assert time.monotonic() < end
        time.sleep(0.02)
    second = start(repo, "--jobs", "1")
    time.sleep(0.3)
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    out, errors = second.communicate(timeout=120)
    assert second.returncode == 0, out + errors
    assert not repo.reasons()


def test_a_claim_is_anothers_until_it_is_dropped(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from evaluator.core.compute.run_folder import RunLock\n"
        "with RunLock(Path(sys.argv[1])) as lock: print(lock.acquire('a'), lock.acquire('b'))"
    )

    def ask() -> str:
        return subprocess.check_output(
            [sys.executable, "-c", code, str(tmp_path / "claims")], text=True
        )

    with RunLock(tmp_path / "claims") as lock:
        assert lock.acquire("a")
        assert ask() == "False True\n"
        lock.release("a")
        assert ask() == "True True\n"
