"""What others do to our containers, and what an engine does wrong, is booked to nobody."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.compute.engine.docker_client import DockerClient
from evaluator.core.formats.record import CellError, Record
from tests.own_engine import OwnEngine
from tests.repository import Repository, command

pytestmark = pytest.mark.docker

CELL = "adding/alice/right/main/one"
PROGRAM = "submissions/adding/alice/right/main.py"
CANARY = "CANARY-ENGINE-41d7"
SLOWLY = "import time\ntime.sleep(60)\n"


@pytest.fixture
def slow(small: Repository) -> Repository:
    """The program of one cell sleeps for a minute, of which it has ten seconds."""
    small.write("pyproject.toml", "[tool.pullbench]\nretries = 0\n")
    small.replace("benchmarks/adding/competition.yaml", "limit: 3", "limit: 10")
    small.write(PROGRAM, SLOWLY)
    small.commit("A slow program")
    return small


@contextmanager
def running(repo: Repository, engine: OwnEngine, *cells: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        command(repo.path, "run", *(cells or [CELL])),
        env={**os.environ, **engine.environment},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


def record(repo: Repository) -> Record:
    return repo.records()["adding/alice/right/main/one"]


def error(repo: Repository) -> CellError:
    found = record(repo).error
    assert found is not None
    return found


Act = Callable[[OwnEngine, dict[str, Any]], object]


def kill(engine: OwnEngine, container: dict[str, Any]) -> None:
    with engine.client() as client:
        client.kill(container["Id"])


def stop(engine: OwnEngine, container: dict[str, Any]) -> None:
    with engine.client() as client:
        client.stop(container["Id"], timeout=1)


def pause(engine: OwnEngine, container: dict[str, Any]) -> None:
    with engine.client() as client:
        client.pause(container["Id"])


def pause_for_a_while(engine: OwnEngine, container: dict[str, Any]) -> None:
    with engine.client() as client:
        client.pause(container["Id"])
        time.sleep(1)
        client.unpause(container["Id"])


def end_by_number(engine: OwnEngine, container: dict[str, Any]) -> None:
    """As a program does that looks after the memory of a machine."""
    engine.run_as_root("kill", "-KILL", str(container["State"]["Pid"]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("act", "says"),
    [
        (kill, "was stopped or killed by somebody else"),
        pytest.param(stop, "was stopped or killed by somebody else", marks=pytest.mark.slow),
        (pause, "was paused by somebody else"),
        pytest.param(pause_for_a_while, "was paused by somebody else", marks=pytest.mark.slow),
        pytest.param(
            end_by_number, "was killed by this machine",
            marks=pytest.mark.skipif(
                tuple(map(int, os.uname().release.split(".")[:2])) < (6, 15),
                reason="this kernel does not tell it from an exit code",
            ),
        ),
    ],
)  # fmt: skip
def test_who_ends_or_pauses_a_container_from_outside_costs_the_participant_nothing(
    slow: Repository, own_engine: OwnEngine, act: Act, says: str
) -> None:
    with running(slow, own_engine) as run:
        act(own_engine, own_engine.first_running("ingestion.py"))
        assert run.wait(60) == 3
    assert (error(slow).actor, error(slow).reason) == ("platform", "platform fault")
    assert says in error(slow).message
    assert slow.reasons()[CELL] == "platform fault"


@pytest.mark.slow
def test_a_program_that_obeys_a_stop_has_not_ended_well(
    slow: Repository, own_engine: OwnEngine
) -> None:
    """It writes what it has, and ends with 0."""
    slow.write(
        PROGRAM,
        "import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n"
        + SLOWLY,
    )
    slow.commit("One that listens")
    with running(slow, own_engine) as run:
        container = own_engine.first_running("ingestion.py")
        time.sleep(1)
        stop(own_engine, container)
        assert run.wait(60) == 3
    assert error(slow).actor == "platform"


def test_the_time_that_a_program_takes_is_still_its_own(
    slow: Repository, own_engine: OwnEngine
) -> None:
    slow.replace("benchmarks/adding/competition.yaml", "limit: 10", "limit: 1")
    with running(slow, own_engine) as run:
        assert run.wait(60) == 0
    assert (error(slow).actor, error(slow).reason) == ("participant", "timed out")


GREEDY = "data = []\nimport time\ntime.sleep(2)\nwhile True: data.append(bytearray(2**20))\n"


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/sys/fs/cgroup/memory").is_dir() or os.geteuid() != 0,
    reason="it takes memory from a cgroup of version 1",
)
@pytest.mark.parametrize("whose", ["machine", "participant"])
def test_memory_that_the_machine_lacks_is_not_the_participants(
    slow: Repository, own_engine: OwnEngine, whose: str
) -> None:
    """The kernel ends a program above which memory is short, long before its own limit."""
    slow.write(PROGRAM, GREEDY)
    with running(slow, own_engine) as run:
        container = own_engine.first_running("ingestion.py")
        if whose == "machine":
            above = Path("/sys/fs/cgroup/memory", container["HostConfig"]["CgroupParent"][1:])
            (above / "memory.limit_in_bytes").write_text(str(48 * 2**20))
        run.wait(60)
    expected = {
        "machine": ("platform", "platform fault"), "participant": ("participant", "out of memory"),
    }  # fmt: skip
    assert (error(slow).actor, error(slow).reason) == expected[whose], error(slow).message


@pytest.mark.skipif(os.geteuid() != 0, reason="others see its memory in samples")
def test_a_program_whose_memory_was_used_up_is_told_though_the_engine_forgets_it(
    slow: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Docker 20.10 learns of it by an event, which comes after the end on a busy machine."""
    slow.write(PROGRAM, "data = []\nwhile True: data.append(bytearray(2**20))\n")
    inspect = DockerClient.inspect_container

    def forgetful(client: DockerClient, container: str) -> dict[str, Any]:
        found = inspect(client, container)
        return {**found, "State": {**found["State"], "OOMKilled": False}}

    monkeypatch.setattr(DockerClient, "inspect_container", forgetful)
    failure = slow.run(CELL, lanes=1)[CELL].error
    assert failure is not None
    assert (failure.actor, failure.reason) == ("participant", "out of memory")


@pytest.mark.parametrize(
    "message",
    [
        'exec: \\\\"sleepless\\\\": executable file not found in $PATH',
        "error setting rlimits for ready process: no such file or directory",
        "write /proc/self/attr/keycreate: permission denied",
    ],
)
def test_a_runtimes_own_error_is_never_a_command_that_cannot_be_started(
    slow: Repository, own_engine: OwnEngine, message: str
) -> None:
    """Its words are those of a missing command; what it does tells, and not what it says."""
    slow.write(PROGRAM, "print(1)\n")
    broken = own_engine.folder / "broken"
    broken.write_text(f"{message}: {CANARY}")
    try:
        with running(slow, own_engine) as run:
            shown, _ = run.communicate(timeout=60)
            assert run.returncode == 3
    finally:
        broken.unlink()
    assert (error(slow).actor, error(slow).reason) == ("platform", "platform fault")
    # An engine's own words may hold what a participant wrote, or paths of this machine.
    assert "platform fault" in shown
    assert CANARY not in shown
    written = [path for path in slow.path.rglob("*") if path.is_file()]
    assert not [path for path in written if CANARY.encode() in path.read_bytes()]


@pytest.mark.slow
def test_a_command_that_cannot_be_started_still_is_its_authors(
    slow: Repository, own_engine: OwnEngine
) -> None:
    slow.replace("benchmarks/adding/ingestion_program/metadata.yaml", "python3", "sleepless")
    with running(slow, own_engine) as run:
        run.wait(60)
    assert (error(slow).actor, error(slow).reason) == ("organiser", "program cannot be run")


@pytest.mark.slow
def test_an_engine_that_starts_anew_for_ten_seconds_costs_no_cell(
    small: Repository, own_engine: OwnEngine
) -> None:
    """All that its containers held in memory is lost with it, and made again."""
    small.write("pyproject.toml", "[tool.pullbench]\nretries = 0\n")
    small.write(PROGRAM, "import time\ntime.sleep(1.5)\nadd = sum\n")
    small.commit("A slow program, and no second try")
    lines: list[str] = []

    with running(small, own_engine, "adding", "echo") as run:
        reader = threading.Thread(target=lambda: lines.extend(run.stdout or ()))
        reader.start()
        own_engine.first_running("ingestion.py")
        began = time.monotonic()
        own_engine.end(signal.SIGTERM)
        time.sleep(max(0.0, 10 - (time.monotonic() - began)))
        own_engine.start()
        code = run.wait(120)
        reader.join()
    said = "".join(lines)
    assert code == 0, said
    records = small.records().values()
    assert [item.status for item in records] == ["finished"] * 5, said
    assert said.count("the Docker engine does not answer; waiting for it, for at most 120 s") == 1
    assert "the Docker engine answers again" in said
    with own_engine.client() as client:
        assert client.containers(all=True) == []
