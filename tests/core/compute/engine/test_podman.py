"""19.4.4: cells on Podman, through its Docker-compatible socket. ``make podman`` starts one.

As root it has cgroups on every machine. Rootless it has them with cgroup version 2 alone, in a
session of systemd's: as an ordinary user without one it is refused.
"""

import os
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.compute.engine.docker_client import connect
from evaluator.core.compute.engine.docker_engine import DockerEngine
from evaluator.core.compute.engine.leftovers import PLACE_LABEL, RUN_LABEL
from evaluator.core.compute.engine.output import Room, collect
from evaluator.core.compute.engine.spec import Image, RunSpec
from evaluator.core.errors import PlatformError
from evaluator.core.formats.extension import Limits
from evaluator.core.formats.record import Record
from evaluator.core.formats.settings import Settings
from tests.programs import run_program
from tests.repository import Repository

ROOTFUL = os.environ.get("PULLBENCH_PODMAN", "")
ROOTLESS = os.environ.get("PULLBENCH_PODMAN_ROOTLESS", "")
pytestmark = pytest.mark.skipif(not ROOTFUL, reason="`make podman` starts a Podman for it")
# Another worker may run another test of this file.
RUN = f"a-test-of-podman-{uuid.uuid4().hex}"
SPEC = RunSpec(
    image=Image(name="python:3.11-slim", context=None, digest=""), command=["true"], mounts=[],
    workdir="/", outputs={}, limits=Limits(memory=128 * 2**20), seconds=30,
)  # fmt: skip


@pytest.fixture(scope="module")
def _rootful() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCKER_HOST", ROOTFUL)
        yield


def with_its_runtime(client: Any) -> Settings:
    """Podman has ``crun`` on some machines and ``runc`` on others, and starts its own alone."""
    return Settings(runtime=client.info()["DefaultRuntime"])


@pytest.fixture
def engine(_rootful: None) -> Iterator[DockerEngine]:
    client = connect()
    assert client is not None
    engine = DockerEngine(client, with_its_runtime(client), RUN, "here")
    yield engine
    engine.close()
    client = connect()
    assert client is not None
    with client:
        filters = {"label": f"{RUN_LABEL}={RUN}"}
        assert client.package.containers(all=True, filters=filters) == []
        assert not client.package.volumes(filters=filters)["Volumes"]


def settle(repo: Repository) -> None:
    """Write the settings that this Podman needs."""
    client = connect()
    assert client is not None
    with client:
        runtime = with_its_runtime(client).runtime
    repo.write("pyproject.toml", f'[tool.pullbench]\nruntime = "{runtime}"\n')


@pytest.fixture(scope="module")
def records(_rootful: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    repo = Repository(tmp_path_factory.mktemp("podman") / "repo").with_bundle("small")
    settle(repo)
    return repo.run("adding")


def test_records_say_podman_and_measure_what_ran(records: dict[str, Record]) -> None:
    record = records["adding/alice/right/main/one"]
    assert record.status == "finished"
    assert record.scores == {"right": 1.0, "distance": 0.0}
    assert record.provenance.isolation == "podman"
    step = record.step("ingestion")
    assert step is not None
    assert step.cpu_seconds
    assert step.peak_memory


def python(engine: DockerEngine, program: str, **different: Any) -> Any:
    return run_program(engine, replace(SPEC, command=["python3", "-c", program], **different))


def test_memory_time_and_processes_are_limited(engine: DockerEngine) -> None:
    greedy = python(engine, "bytearray(300 * 2**20)")
    assert (greedy.stopped_by, greedy.exit_code) == ("memory", 137)
    slow = python(engine, "import time; time.sleep(60)", seconds=1)
    assert slow.stopped_by == "time"
    assert slow.wall_seconds < 10
    forks = "import os, time\nfor _ in range(40): os.fork() or time.sleep(5)"
    many = python(engine, forks, limits=Limits(pids=32, memory=2**29))
    assert b"Resource temporarily unavailable" in many.log


def test_an_output_is_bounded_and_read_back(engine: DockerEngine, tmp_path: Path) -> None:
    with engine.outputs(SPEC.image, [Room(2**20)], tmp_path) as (output,):
        write = "open('/out/all', 'wb').write(bytes(2**21))"
        assert python(engine, write, outputs={"/out": output}).stopped_by == "output"
    with engine.outputs(SPEC.image, [Room(2**20)], tmp_path) as (output,):
        assert python(engine, "open('/out/a', 'w').write('b')", outputs={"/out": output})
        collect(output, tmp_path)
    assert (tmp_path / "a").read_text() == "b"


def test_a_log_is_bounded(engine: DockerEngine) -> None:
    limits = Limits(log_size=2**14)
    assert len(python(engine, "print('line\\n' * 10**5, 'end')", limits=limits).log) <= 2**14


def test_no_socket_leads_to_the_hypervisor(engine: DockerEngine) -> None:
    """1.4"""
    report = python(engine, "import socket\nsocket.socket(socket.AF_VSOCK)")
    assert b"Operation not permitted" in report.log


def test_what_was_left_is_listed_and_removed(engine: DockerEngine) -> None:
    engine.create(SPEC)
    assert engine.unremoved_runs() == {RUN}
    engine.remove_run(RUN)
    assert engine.unremoved_runs() == set()


def test_who_kills_a_container_is_not_the_participant(engine: DockerEngine) -> None:
    running = engine.create(replace(SPEC, command=["sleep", "30"])).start()
    client = connect()
    assert client is not None
    with client:
        filters = {"label": f"{PLACE_LABEL}=here"}
        (container,) = client.package.containers(filters=filters)
        client.kill(container["Id"])
    with pytest.raises(PlatformError, match="stopped or killed by somebody else"):
        running.wait()


@pytest.mark.parametrize(
    ("asked", "said"),
    [({"gpus": 1}, "no GPU that Podman"), ({"links": False}, "cannot forbid links")],
)
def test_what_its_interface_drops_is_refused(
    engine: DockerEngine, asked: dict[str, Any], said: str
) -> None:
    with pytest.raises(PlatformError, match=said):
        engine.create(replace(SPEC, **asked))


@pytest.mark.usefixtures("_rootful")
def test_another_runtime_than_its_own_is_refused() -> None:
    """It would start its own, whatever it is asked for."""
    client = connect()
    assert client is not None
    with client, pytest.raises(PlatformError, match="and not with 'runsc'"):
        DockerEngine(client, Settings(runtime="runsc"), RUN)


def test_rootless_without_cgroups_is_refused_and_nothing_runs(
    small: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says that it limits, and creates and starts the container without a warning."""
    monkeypatch.setenv("DOCKER_HOST", ROOTLESS)
    settle(small)
    record = small.run("adding/alice/right/main/one")["adding/alice/right/main/one"]
    assert record.error is not None
    assert (record.error.actor, record.status) == ("platform", "failed")
    assert "Podman does not enforce what confines programs: " in record.error.message
    for name in ("Memory", "PidsLimit", "NanoCpus"):
        assert name in record.error.message
    assert "cgroup version 2" in record.error.hint
    assert not record.steps
