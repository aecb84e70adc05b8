"""The next run removes what killed ones left, also where nothing says so but a label or a name."""

import os
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docker.errors
import pytest

from evaluator.core.compute.engine.accounting import remove_cgroups
from evaluator.core.compute.engine.docker_client import connect
from evaluator.core.compute.engine.leftovers import PLACE_LABEL, RUN_LABEL
from evaluator.core.compute.run_folder import RunFolder
from tests.repository import Repository, command

MEMORY = Path("/sys/fs/cgroup/memory")


@pytest.fixture
def client() -> Iterator[Any]:
    client = connect()
    assert client is not None
    with client:
        yield client.package


def leave(client: Any, run_id: str, place: str) -> str:
    """Make a container and a volume, as a request of a process that is dead does by now."""
    labels = {RUN_LABEL: run_id, PLACE_LABEL: place}
    client.create_volume(f"pullbench-{run_id}", labels=labels)
    container: dict[str, str] = client.create_container("python:3.11-slim", "true", labels=labels)
    return container["Id"]


def exists(client: Any, container: str) -> bool:
    try:
        client.inspect_container(container)
    except docker.errors.NotFound:
        return False
    return True


@pytest.mark.slow
@pytest.mark.docker
def test_containers_of_a_dead_run_are_removed_though_its_folder_is_gone(
    small: Repository, client: Any
) -> None:
    small.pullbench("run", "adding/alice")
    place = RunFolder(small.path / "build/run").place
    run_id, elsewhere = uuid.uuid4().hex, uuid.uuid4().hex
    ours, others = leave(client, run_id, place), leave(client, elsewhere, "another folder")
    try:
        small.commit("Scores")
        done = small.pullbench("run", "--fresh", "adding/alice")
        assert done.returncode == 0, done.stderr
        assert not exists(client, ours)
        assert exists(client, others), "another clone's run may be alive"
        names = {item["Name"] for item in client.volumes()["Volumes"]}
        assert f"pullbench-{run_id}" not in names
        assert f"pullbench-{elsewhere}" in names
    finally:
        client.remove_container(others)
        client.remove_volume(f"pullbench-{elsewhere}")


@pytest.mark.docker
@pytest.mark.skipif(not os.access(MEMORY, os.W_OK), reason="needs cgroups of version 1, as root")
def test_cgroups_of_a_run_are_removed_by_its_name() -> None:
    run_id = uuid.uuid4().hex
    folders = [MEMORY / f"pullbench_{run_id}_{number}" for number in range(2)]
    (folders[0] / "child").mkdir(parents=True)
    folders[1].mkdir()
    remove_cgroups(run_id)
    assert not any(folder.exists() for folder in folders)


@pytest.mark.slow
def test_temporary_folders_of_a_killed_run_are_removed(small: Repository) -> None:
    small.write("submissions/adding/alice/right/main.py", "import time\ntime.sleep(60)\n")
    small.commit("A slow program")
    run = ("run", "--engine", "warm", "adding/alice")
    with subprocess.Popen(
        command(small.path, *run), start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        end = time.monotonic() + 60
        while not (places := temporary_folders(small)):
            assert time.monotonic() < end
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
    small.write("submissions/adding/alice/right/main.py", "add = sum\n")
    small.commit("A fast one")
    done = small.pullbench(*run)
    assert done.returncode == 0, done.stderr
    assert not any(place.exists() for place in places)
    assert temporary_folders(small) == []


def temporary_folders(repo: Repository) -> list[Path]:
    """Those of this repository's runs that hold anything."""
    parent = Path(tempfile.gettempdir())
    runs = [folder.name for folder in (repo.path / "build/run").glob("*")]
    places = [parent / f"pullbench-{run}" for run in runs]
    return [place for place in places if place.is_dir() and any(place.iterdir())]
