"""Runs that are killed, stopped, or whose engine goes away."""

import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.compute.engine.docker_client import connect
from evaluator.core.compute.engine.leftovers import PLACE_LABEL, RUN_LABEL
from evaluator.core.compute.mounts import PROGRAM
from evaluator.core.compute.run_folder import RunFolder
from tests.repository import Repository, command

QUICK, SLOW, LAST = (f"slow/alice/{name}/main/wait" for name in ("a-quick", "b-slow", "c-quick"))
DEAD = "tcp://127.0.0.1:1"
"""An address at which nothing answers."""


def wait_until(condition: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def containers(repo: Repository) -> list[Any]:
    """Containers of this repository's runs, whether these are alive or not."""
    runs = RunFolder(repo.path / "build" / "run")
    client = connect()
    assert client is not None
    with client:
        if not runs.path.parent.exists():
            return []
        return list(
            client.package.containers(all=True, filters={"label": f"{PLACE_LABEL}={runs.place}"})
        )


def programs(repo: Repository) -> list[Any]:
    """Those of them that run a program, and do not just hold outputs."""
    return [
        item
        for item in containers(repo)
        if item["State"] == "running"
        and any(mount["Destination"] == PROGRAM for mount in item["Mounts"])
    ]


def volumes() -> set[str]:
    """All volumes of ours, of whichever run."""
    client = connect()
    assert client is not None
    with client:
        found = client.package.volumes(filters={"label": RUN_LABEL})["Volumes"] or ()
    return {item["Name"] for item in found}


def volumes_of(repo: Repository) -> set[str]:
    """Those that its containers have."""
    mounts = [mount for item in containers(repo) for mount in item["Mounts"]]
    return {mount["Name"] for mount in mounts if mount["Type"] == "volume"}


@contextmanager
def running(repo: Repository) -> Iterator["subprocess.Popen[str]"]:
    """Run ``pullbench run``, handed over while the second of three cells runs."""
    with subprocess.Popen(
        command(repo.path, "run", "--engine", "docker", "--jobs", "1"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            wait_until(lambda: len(repo.records()) == 1)
            wait_until(lambda: programs(repo))
            yield process
        finally:
            process.kill()


@pytest.mark.docker
def test_kill_9_loses_the_running_cell_and_nothing_else(repo: Repository) -> None:
    repo.with_bundle("slow")
    with running(repo) as process:
        process.send_signal(signal.SIGKILL)
    # The first, unless the engine had a fault: then a cell is tried again behind another.
    ((kept, record),) = repo.records().items()
    lost = {QUICK, SLOW, LAST} - {kept}
    assert len(lost) == 2
    assert set(repo.reasons()) == lost
    left = volumes_of(repo)
    assert left, "the killed run had no time to clear up"
    done = repo.pullbench("run", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert kept not in done.stdout
    assert [done.stdout.count(cell) for cell in lost] == [1, 1]
    assert repo.records()[kept] == record
    assert repo.reasons() == {}
    assert containers(repo) == []
    assert not left & volumes()
    assert list((repo.path / "build" / "run").iterdir()) == []


@pytest.mark.docker
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_what_is_finished(
    repo: Repository, number: signal.Signals
) -> None:
    repo.copy_bundle("slow")
    repo.write(f"submissions/{SLOW.removesuffix('/main/wait')}/seconds.txt", "50")
    repo.commit()
    with running(repo) as process:
        used = volumes_of(repo)
        began = time.monotonic()
        process.send_signal(number)
        _, complaint = process.communicate(timeout=50)
        assert time.monotonic() - began < 20, "it waited for the running cell"
    assert process.returncode == 130
    assert "what was finished is kept" in complaint
    assert "Traceback" not in complaint
    assert repo.records().keys() & {QUICK, SLOW} == {QUICK}
    assert repo.problems() == []
    assert containers(repo) == []
    assert used
    assert not used & volumes()
    assert list((repo.path / "build" / "run").iterdir()) == []


@contextmanager
def unreliable_engine() -> Iterator[str]:
    """The engine's address, behind a door that shuts when a container is to be created."""
    server = socket.create_server(("127.0.0.1", 0))
    shut = threading.Event()

    def pipe(source: socket.socket, target: socket.socket, *, watched: bool) -> None:
        with suppress(OSError):
            while data := source.recv(2**16):
                if watched and b"/containers/create" in data:
                    shut.set()
                if shut.is_set():
                    break
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def serve(client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as engine:
            engine.connect("/var/run/docker.sock")
            back = threading.Thread(target=pipe, args=(engine, client), kwargs={"watched": False})
            back.start()
            pipe(client, engine, watched=True)
            back.join()

    def accept() -> None:
        threads = []
        with suppress(OSError):
            while True:
                client, _ = server.accept()
                if shut.is_set():
                    client.close()
                    continue
                threads.append(threading.Thread(target=serve, args=(client,)))
                threads[-1].start()
        for thread in threads:
            thread.join()

    door = threading.Thread(target=accept)
    door.start()
    try:
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
    finally:
        shut.set()
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        door.join()


@pytest.mark.docker
@pytest.mark.skipif(
    not Path("/var/run/docker.sock").is_socket(), reason="the engine is at another address"
)
def test_an_engine_that_goes_away_is_the_platforms_fault(small: Repository) -> None:
    small.write("pyproject.toml", "[tool.pullbench]\nretries = 0\nengine_wait = 1\n")
    cell = "adding/alice/right/main/one"
    with unreliable_engine() as address:
        done = small.pullbench("run", cell, environment={"DOCKER_HOST": address})
    assert done.returncode == 3, done.stdout + done.stderr
    assert "platform must act" in done.stdout
    assert "the Docker engine does not answer; waiting for it, for at most 1 s" in done.stdout
    (record,) = small.records().values()
    error = record.error
    assert error is not None
    assert (error.actor, error.reason, error.step) == ("platform", "platform fault", None)
    assert small.reasons()[cell] == "platform fault"
    assert small.pullbench("run", cell).returncode == 0
    assert cell not in small.reasons()


@pytest.mark.docker
def test_a_runtime_that_does_not_exist(small: Repository) -> None:
    client = connect()
    assert client is not None
    with client:
        if "runsc" in client.info()["Runtimes"]:
            pytest.skip("this engine has gVisor")
    small.write("pyproject.toml", '[tool.pullbench]\nruntime = "runsc"\n')
    done = small.pullbench("run")
    assert done.returncode == 3
    assert "no runtime 'runsc'" in done.stderr
    assert small.record_paths() == []


@pytest.mark.parametrize(
    ("engine", "code", "message"),
    [
        ("auto", 3, "no Docker engine answers"),
        ("docker", 3, "no Docker engine answers"),
        ("subprocess", 2, "refused where CI=true"),
        ("warm", 2, "the warm engine is refused where CI=true"),
    ],
)
def test_ci_accepts_nothing_but_docker(
    small: Repository, engine: str, code: int, message: str
) -> None:
    environment = {"CI": "true", "DOCKER_HOST": DEAD}
    done = small.pullbench("run", "--engine", engine, environment=environment)
    assert done.returncode == code
    assert message in done.stderr
    assert small.record_paths() == []


def test_docker_is_not_replaced_where_it_is_asked_for(small: Repository) -> None:
    done = small.pullbench("run", "--engine", "docker", environment={"DOCKER_HOST": DEAD})
    assert done.returncode == 3
    assert "no Docker engine answers" in done.stderr


def test_records_can_go_elsewhere(small: Repository, tmp_path: Path, environments: Path) -> None:
    small.share_environments(environments)
    done = small.pullbench(
        "run", "echo", "--engine", "subprocess", "--output", str(tmp_path / "out")
    )
    assert done.returncode == 0, done.stderr
    assert small.record_paths() == []
    assert (tmp_path / "out/submissions/echo/alice/same/scores/main.json").is_file()
    assert small.status == ""
