"""The engines without isolation: limits hold, nothing survives, and records say what they were."""

import contextlib
import os
import signal
import subprocess
from pathlib import Path

import pytest

from evaluator.core.formats.record import Record
from tests.core.scores.test_running import wait_until
from tests.repository import Repository, command

NAMES = ("busy", "exits", "orphans", "out-of-memory", "raises", "too-large")
CELLS = [*(f"faults/alice/{name}/main/run" for name in NAMES), "endless/alice/stubborn/main/run"]


@pytest.fixture(scope="module", params=["subprocess", "warm"])
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def faults(
    tmp_path_factory: pytest.TempPathFactory, environments: Path, engine: str
) -> dict[str, Record]:
    repo = Repository(tmp_path_factory.mktemp("faults") / "repo").with_bundle("faulty-submissions")
    repo.share_environments(environments)
    records = repo.run(*CELLS, engine=engine, lanes=4)
    return {record.cell.submission: record for record in records.values()}


@pytest.mark.alone  # the first that wants the records: they are made within its turn
def test_endings(faults: dict[str, Record]) -> None:
    endings = {name: str(record.error.reason) if record.error else record.status
               for name, record in faults.items()}  # fmt: skip
    assert endings == {
        "busy": "finished",
        "exits": "exited with an error",
        "orphans": "finished",
        "out-of-memory": "out of memory",
        "raises": "exited with an error",
        "stubborn": "timed out",
        "too-large": "wrote too much",
    }


def test_no_process_is_left(faults: dict[str, Record]) -> None:
    """Neither children that left their session and ignore signals, nor orphans."""
    lines = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(process.read_bytes())
        except OSError:
            continue
    assert not [line for line in lines if b"a-stubborn-child" in line or b"an-orphan" in line]


def test_measurements(faults: dict[str, Record]) -> None:
    (busy, _) = faults["busy"].steps
    assert busy.cpu_seconds is not None
    assert 0.4 < busy.cpu_seconds < 2.5
    assert busy.peak_memory is not None
    assert 64 * 2**20 < busy.peak_memory < 128 * 2**20
    (stubborn,) = faults["stubborn"].steps
    assert 3 <= stubborn.wall_seconds < 6


def test_records_say_that_nothing_was_isolated(faults: dict[str, Record]) -> None:
    assert {record.provenance.isolation for record in faults.values()} == {"none"}
    assert {record.provenance.image_id for record in faults.values()} == {None}


def test_a_killed_run_leaves_no_program(repo: Repository, environments: Path, engine: str) -> None:
    """The supervisor's input ends with the run, however the run ends."""
    repo.with_bundle("slow").share_environments(environments)
    with subprocess.Popen(
        command(repo.path, "run", "slow/alice/b-slow/main/wait", "--engine", engine),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        wait_until(lambda: programs(repo))
        process.send_signal(signal.SIGKILL)
    wait_until(lambda: not programs(repo))
    wait_until(lambda: not servers(repo))
    repo.run("slow/alice/a-quick/main/wait", engine=engine)  # clears what the killed one left


def programs(repo: Repository) -> list[Path]:
    """Processes that run a program of this repository's bundle: their folder is its cache."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink().is_relative_to(repo.path / "build"):
                found.append(process)
        except OSError:
            continue
    return found


def servers(repo: Repository) -> list[Path]:
    """Warm interpreters of this repository's programs."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if b"fork_server.py" in words and str(repo.path).encode() in words:
            found.append(process)
    return found


@pytest.mark.slow
def test_what_pip_says_of_this_machine_is_told_to_its_operator_alone(small: Repository) -> None:
    """It names folders of the host, and records are public."""
    small.write("benchmarks/adding/requirements.txt", "./no-such-folder-here\n")
    small.commit("A package that there is not")
    ours, theirs = os.openpty()
    cell = "adding/alice/right/main/one"
    with subprocess.Popen(
        command(small.path, "run", cell, "--engine", "subprocess"),
        stdout=subprocess.PIPE, stderr=theirs, text=True,
    ) as process:  # fmt: skip
        os.close(theirs)
        terminal = _read_all(ours)
        said, _ = process.communicate(timeout=120)
    (path,) = small.record_paths()
    public = said + (small.path / path).read_text()
    assert "cannot be installed: pip ended with exit code 1" in public
    assert "no-such-folder-here" not in public
    assert str(small.path) not in public
    assert "no-such-folder-here" in terminal


def _read_all(terminal: int) -> str:
    chunks: list[bytes] = []
    with open(terminal, "rb", buffering=0) as file, contextlib.suppress(OSError):  # it was closed
        while chunk := file.read(2**16):
            chunks.append(chunk)
    return b"".join(chunks).decode(errors="replace")
