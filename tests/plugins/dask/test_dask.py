"""19.4.2 and 19.4.3: cells on a cluster of Dask give the records of this machine's lanes.

The cluster is a real one: a scheduler and workers, each a process that tests kill.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from evaluator.plugins.dask.worker import _turn
from tests.core.scores.test_killed_runs import records
from tests.repository import Repository, command

SECONDS = 90


class Cluster:
    """A scheduler and its workers on this machine."""

    def __init__(self, cache: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.executor = f"dask://127.0.0.1:{self.port}"
        self._environment = {**os.environ, "PULLBENCH_CACHE": str(cache)}
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"
        )
        self.workers: list[subprocess.Popen[bytes]] = []

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]],
            env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip

    def add_worker(self, *arguments: str) -> None:
        self.workers.append(
            self._start(
                "worker", f"tcp://127.0.0.1:{self.port}", "--nthreads", "1", "--no-nanny",
                "--no-dashboard", *arguments,
            )
        )  # fmt: skip

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture
def cluster(tmp_path: Path, environments: Path) -> Iterator[Cluster]:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    (cache / "environments").symlink_to(environments)
    cluster = Cluster(cache)
    try:
        cluster.add_worker()
        yield cluster
    finally:
        cluster.close()


@pytest.fixture
def slow(small: Repository, environments: Path) -> Repository:
    """Eight cells of half a second each, without chance."""
    bundle = "benchmarks/adding"
    program = f"{bundle}/ingestion_program/ingestion.py"
    small.replace(program, "random.SystemRandom()", "int")
    small.replace(program, "int.randrange(10**9)", "int(7)")
    small.replace(program, "import runpy", "import time; time.sleep(0.4)\nimport runpy")
    for name in ("carol", "dave"):
        small.write(f"submissions/adding/{name}/right/main.py", f"# {name}\n" + _right(small))
        small.write(f"submissions/adding/{name}/right/submission.yaml", "kind: code\n")
    small.commit("Slowly")
    return small.share_environments(environments)


def _right(repo: Repository) -> str:
    return (repo.path / "submissions/adding/alice/right/main.py").read_text()


@contextmanager
def running(repo: Repository, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run pullbench and look when the first record is there."""
    process = subprocess.Popen(
        command(repo.path, "run", "adding", "--engine", "subprocess", *arguments),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        end = time.monotonic() + SECONDS
        begun = repo.records()
        while len(repo.records()) == len(begun):
            assert process.poll() is None, process.communicate()[0]
            assert time.monotonic() < end
            time.sleep(0.05)
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def run(repo: Repository, *arguments: str) -> subprocess.CompletedProcess[str]:
    return repo.pullbench("run", "adding", "--engine", "subprocess", *arguments)


def same(some: dict[str, str], others: dict[str, str]) -> None:
    assert some.keys() == others.keys()
    for cell in some:
        assert measured_apart(some[cell]) == measured_apart(others[cell])


def measured_apart(text: str) -> Any:
    """Without what a sampling meter may miss of a short step."""
    record = json.loads(text)
    for step in record["steps"]:
        for name in ("peak_memory", "cpu_seconds"):
            step.pop(name, None)
    return record


def forget(repo: Repository) -> None:
    repo.git("clean", "-qdf", "submissions")


@pytest.fixture
def expected(slow: Repository) -> dict[str, str]:
    """Records of this machine's lanes."""
    done = run(slow)
    assert done.returncode == 0, done.stdout + done.stderr
    records_here = records(slow)
    assert len(records_here) == 8
    forget(slow)
    subprocess.run(["rm", "-rf", slow.path / "build/predictions"], check=True)
    return records_here


@pytest.mark.slow
def test_a_cluster_gives_the_records_of_this_machine_and_survives_kills(
    slow: Repository, expected: dict[str, str], cluster: Cluster
) -> None:
    """kill -9 of a worker, of the client and of the scheduler lose no record that was there."""
    at = ("--executor", cluster.executor)
    cluster.add_worker()
    with running(slow, *at) as process:  # a worker: its cells are run again elsewhere
        kill(cluster.workers[0])
        said = process.communicate(timeout=SECONDS)[0]
    assert process.returncode == 0, said
    same(records(slow), expected)

    forget(slow)
    with running(slow, *at, "--fresh") as process:  # the client
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        there = records(slow)
    assert 0 < len(there) < 8
    same(there, {cell: expected[cell] for cell in there})

    with running(slow, *at) as process:  # the scheduler
        kill(cluster.scheduler)
        said = process.communicate(timeout=SECONDS)[0]
    left = records(slow)
    assert process.returncode in (0, 3), said
    assert process.returncode == 0 or "the scheduler of Dask is gone" in said
    assert there.items() <= left.items()
    done = run(slow)  # what was predicted there is scored here
    assert done.returncode == 0, done.stdout + done.stderr
    assert records(slow).keys() == expected.keys()


@pytest.mark.slow
def test_cells_that_share_a_prediction_have_one(slow: Repository, cluster: Cluster) -> None:
    slow.replace("benchmarks/adding/competition.yaml", "input_data/two", "input_data/one")
    slow.commit("One input")
    cluster.add_worker()
    done = run(slow, "--executor", cluster.executor)
    assert done.returncode == 0, done.stdout + done.stderr
    reused = [one.provenance.reused_predictions for one in slow.records().values()]
    assert sorted(reused) == [False] * 4 + [True] * 4
    again = slow.pullbench(
        "reproduce", "adding/alice", "--engine", "subprocess", "--executor", cluster.executor
    )
    assert again.returncode == 0, again.stdout + again.stderr
    assert "2 identical" in again.stdout


LIES = {
    "rubbish": "a worker's answer is none",
    "raises": "a worker's answer is none (ZeroDivisionError)",
    "anothers": "another cell or file",
    "column": "has the columns",
    "log": "a log that is too long",
    "page": "another cell or file",
    "large": "an attachment that is too large",
    "isolated": "its isolation is 'docker'",
}


@pytest.mark.slow
def test_what_a_lying_worker_answers_costs_its_cells_and_no_other(
    small: Repository, environments: Path, tmp_path: Path
) -> None:
    for name in LIES:
        small.write(f"submissions/adding/{name}/right/main.py", f"# {name}\n" + _right(small))
        small.write(f"submissions/adding/{name}/right/submission.yaml", "kind: code\n")
    small.commit("Entered by those for whom it lies")
    small.share_environments(environments)
    (tmp_path / "cache").mkdir(mode=0o700)
    (tmp_path / "cache/environments").symlink_to(environments)
    cluster = Cluster(tmp_path / "cache")
    try:
        cluster.add_worker("--preload", str(Path(__file__).with_name("liar.py")))
        done = run(small, "--executor", cluster.executor)
    finally:
        cluster.close()
    assert "defect" not in done.stderr
    ended = small.records().values()
    assert {record.status for record in ended if record.cell.participant == "alice"} == {"finished"}
    lied = [record for record in ended if record.cell.participant in LIES]
    assert {record.cell.participant for record in lied} == set(LIES)
    for record in lied:
        name = record.cell.participant
        assert record.error is not None, name
        assert (record.error.actor, record.scores) == ("platform", {}), name
        assert LIES[name] in record.error.message
        assert record.attachments == {}


@pytest.mark.slow
def test_what_no_worker_has_is_said_and_not_waited_for_ever(
    small: Repository, cluster: Cluster
) -> None:
    small.replace("benchmarks/adding/competition.yaml", "pullbench:\n", "pullbench:\n  gpus: 2\n")
    small.write(
        "pyproject.toml",
        f'[tool.pullbench.executors.lab]\naddress = "tcp://127.0.0.1:{cluster.port}"\nwait = 6\n',
    )
    small.commit("Two GPUs")
    done = run(small, "--executor", "lab")
    assert done.returncode == 3
    assert "cells wait for a worker with the resources gpu=2" in done.stdout
    assert "0 cells running, 4 waiting" in done.stdout
    assert small.records() == {}


@pytest.mark.slow
def test_a_worker_that_never_answers_does_not_hold_its_run_for_ever(
    small: Repository, tmp_path: Path
) -> None:
    """It takes cells, and is still there, so that Dask waits for it."""
    cluster = Cluster(tmp_path / "cache")
    small.write(
        "pyproject.toml",
        f'[tool.pullbench.executors.lab]\naddress = "tcp://127.0.0.1:{cluster.port}"\nwait = 10\n',
    )
    small.commit("Where a worker is silent")
    try:
        cluster.add_worker("--preload", str(Path(__file__).with_name("silent.py")))
        done = run(small, "--executor", "lab")
    finally:
        cluster.close()
    assert done.returncode == 3
    assert f"no worker of the scheduler tcp://127.0.0.1:{cluster.port} has run" in done.stderr
    assert small.records() == {}


def test_an_executor_that_is_not_there(small: Repository) -> None:
    done = run(small, "--executor", "slrum")
    assert done.returncode == 2
    assert "there is no executor 'slrum'" in done.stderr


@pytest.mark.slow
def test_folds_of_a_task_take_turns_on_a_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of its workers has them; other tasks' cells run beside them."""
    monkeypatch.setenv("PULLBENCH_CACHE", str(tmp_path))
    program = (
        "import sys, time, types\nfrom evaluator.plugins.dask.worker import _fold_turn\n"
        "with _fold_turn(types.SimpleNamespace(fold_turn=eval(sys.argv[1]))):\n"
        "    print(time.monotonic()); time.sleep(2); print(time.monotonic())\n"
    )
    turns = [("a", 0, 0), ("a", 0, 1), ("a", 1, 1), None]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, repr(turn)], stdout=subprocess.PIPE, text=True
        )
        for turn in turns
    ]
    spans = [tuple(map(float, process.communicate()[0].split())) for process in processes]
    first, second, *others = spans
    assert first[1] <= second[0] or second[1] <= first[0]
    latest = max(first[1], second[1])
    assert all(began < latest for began, _ in others)


def test_an_exclusive_cell_is_alone_on_its_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULLBENCH_CACHE", str(tmp_path))
    program = (
        "import sys, time\nfrom evaluator.plugins.dask.worker import _turn\n"
        "with _turn(exclusive=sys.argv[1] == 'alone'):\n"
        "    print(time.monotonic()); time.sleep(0.5); print(time.monotonic())\n"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", program, kind], stdout=subprocess.PIPE, text=True)
        for kind in ("beside", "alone", "beside")
    ]
    spans = [tuple(map(float, process.communicate()[0].split())) for process in processes]
    begin, end = spans[1]
    assert all(other[1] <= begin or other[0] >= end for other in (spans[0], spans[2]))
    with _turn(exclusive=False):
        assert psutil.pid_exists(os.getpid())
