"""What the Docker engine says of images and machines that cannot run a program."""

import gc
import io
import re
import tarfile
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from evaluator.core.compute.engine.confinement import Confinement
from evaluator.core.compute.engine.docker_client import DockerClient, connect
from evaluator.core.compute.engine.docker_engine import DockerEngine
from evaluator.core.compute.engine.enforcement import examine
from evaluator.core.compute.engine.leftovers import RUN_LABEL
from evaluator.core.compute.engine.output import OutputFolder, Room, collect
from evaluator.core.compute.engine.spec import Image, ImageError, Mount, RunSpec
from evaluator.core.errors import Actor, PlatformError, StoppedError
from evaluator.core.formats.extension import Limits
from evaluator.core.formats.settings import Settings
from tests.programs import run_program
from tests.repository import Repository

pytestmark = pytest.mark.docker

CELL = "adding/alice/right/main/one"
COMPETITION = "benchmarks/adding/competition.yaml"


def test_a_machine_without_gpus(small: Repository) -> None:
    client = connect()
    assert client is not None
    with client:
        if "nvidia" in client.info()["Runtimes"]:
            pytest.skip("this engine may have GPUs")
    small.replace(COMPETITION, "pullbench:\n", "pullbench:\n  gpus: 1\n")
    small.write("pyproject.toml", "[tool.pullbench]\nretries = 0\n")
    record = small.run(CELL)[CELL]
    assert record.error is not None
    assert (record.error.actor, record.error.reason) == ("platform", "platform fault")
    assert record.error.message == "this machine has 0 of 1 GPUs that the bundle asks for"
    assert "queue" in record.error.hint


def test_a_run_leaves_no_connection_open(small: Repository) -> None:
    """A program may run one after another; it may open so many files and no more."""

    def sockets() -> int:
        return sum(path.is_socket() for path in Path("/proc/self/fd").iterdir())

    gc.collect()
    gc.disable()  # it would close what nobody refers to
    try:
        before = sockets()
        small.run(CELL)
        assert sockets() <= before
    finally:
        gc.enable()


def test_an_image_that_has_python3_alone(small: Repository, request: pytest.FixtureRequest) -> None:
    name = "localhost/pullbench-test/python3:1"
    small.replace(COMPETITION, "python:3.11-slim", name)
    small.write(
        "benchmarks/adding/Dockerfile",
        "FROM python:3.11-slim\nRUN find / -xdev -name python -not -type d -delete\n",
    )
    small.replace("benchmarks/adding/ingestion_program/metadata.yaml", "python3", "python")

    def remove() -> None:
        client = connect()
        assert client is not None
        with client:
            client.package.remove_image(name, force=True)

    request.addfinalizer(remove)
    error = small.run(CELL)[CELL].error
    assert error is not None
    assert (error.actor, error.reason) == ("organiser", "program cannot be run")
    assert f"'python' cannot be started in the image '{name}'" in error.message
    assert "The image has 'python3'" in error.hint


# Another worker may run another test of this file.
RUN = f"a-test-of-the-engine-{uuid.uuid4().hex}"
SPEC = RunSpec(
    image=Image(name="python:3.11-slim", context=None, digest=""), command=["true"], mounts=[],
    workdir="/", outputs={}, limits=Limits(), seconds=30,
)  # fmt: skip


@pytest.fixture
def client() -> Iterator[Any]:
    found = connect()
    assert found is not None
    with found:
        yield found


@pytest.fixture
def engine(client: Any) -> Iterator[DockerEngine]:
    made = DockerEngine(client, Settings(), RUN)
    yield made
    made.close()
    assert left(client) == []


def left(client: Any) -> list[str]:
    filters = {"label": f"{RUN_LABEL}={RUN}"}
    found = client.package.containers(all=True, filters=filters)
    volumes = client.package.volumes(filters=filters)["Volumes"] or ()
    return [*(item["State"] for item in found), *(item["Name"] for item in volumes)]


def test_a_container_that_is_not_started_is_removed(engine: DockerEngine, client: Any) -> None:
    with engine.create(SPEC):
        assert left(client) == ["created"]
    engine.finish_removals()
    assert left(client) == []


def test_one_that_nobody_waits_for_goes_with_the_engine(engine: DockerEngine, client: Any) -> None:
    engine.create(SPEC)
    engine.create(replace(SPEC, command=["sleep", "30"])).start()
    assert sorted(left(client)) == ["created", "running"]


def test_outputs_go_with_the_engine_and_before_where_they_are_large(
    engine: DockerEngine, client: Any, tmp_path: Path
) -> None:
    room = Room(2**27)
    for size, states in ((2**10, ["running"]), (2**26, [])):
        write = ["head", "--bytes", str(size), "/dev/zero"]
        with engine.outputs(SPEC.image, [room], tmp_path, [room]) as (output,):
            command = ["sh", "-c", f"{' '.join(write)} > /out/file"]
            report = run_program(engine, replace(SPEC, command=command, outputs={"/out": output}))
            assert report.exit_code == 0
            (tmp_path / str(size)).mkdir()
            collect(output, tmp_path / str(size))
        engine.finish_removals()
        assert [item for item in left(client) if item.isalpha()] == states
        assert bool(left(client)) == bool(states), "volumes go with their holder"


def test_steps_at_once_share_a_container_that_holds_their_outputs(
    engine: DockerEngine, client: Any, tmp_path: Path
) -> None:
    """Until one leaves much: then each cell has its own, and waits for nobody to be rid of it."""

    def holders(outputs: list[OutputFolder]) -> list[str]:
        found = [client.package.containers(filters={"volume": output.source}) for output in outputs]
        return [container["Id"] for (container,) in found]

    with ExitStack() as stack:

        def more(count: int) -> list[OutputFolder]:
            taken = [engine.outputs(SPEC.image, [Room(2**27)], tmp_path) for _ in range(count)]
            return [stack.enter_context(context)[0] for context in taken]

        outputs = more(3)
        assert len(set(holders(outputs))) == 2
        (tmp_path / "large").mkdir()
        (tmp_path / "large/file").write_bytes(bytes(2**26 + 1))
        with engine.outputs(SPEC.image, [Room(2**27)] * 2, tmp_path, [Room(2**27)]) as large:
            large[0].fill(tmp_path / "large")
        outputs += more(2)
        assert len(set(holders(outputs))) == 4
    engine.finish_removals()
    assert left(client) == []


def test_a_limit_of_processes_leaves_room_for_the_runtime(
    engine: DockerEngine, client: Any, tmp_path: Path
) -> None:
    """With 4, runc could not start a thread once in 120 times, and the outputs were lost."""
    with engine.outputs(SPEC.image, [Room(2**20)], tmp_path) as (output,):
        (holder,) = client.package.containers(filters={"volume": output.source})
        assert client.inspect_container(holder["Id"])["HostConfig"]["PidsLimit"] == 32
    with pytest.raises(ValidationError, match=r"pids\n.*greater than or equal to 32"):
        Limits(pids=31)


def test_an_image_without_sleep(client: Any, engine: DockerEngine, tmp_path: Path) -> None:
    empty = io.BytesIO()
    with tarfile.open(fileobj=empty, mode="w"):
        pass
    name = "localhost/pullbench-test/empty"
    client.package.import_image_from_data(empty.getvalue(), repository=name, tag="1")
    image = Image(name=f"{name}:1", context=None, digest="")
    with (
        pytest.raises(ImageError, match="has no command 'sleep'") as raised,
        engine.outputs(image, [Room(2**20)], tmp_path),
    ):
        pass
    assert raised.value.actor == Actor.ORGANISER
    client.package.remove_image(image.name, force=True)


@pytest.fixture
def image_with_a_volume(client: Any) -> Iterator[Image]:
    name = "localhost/pullbench-test/volume:1"
    dockerfile = io.BytesIO(b"FROM python:3.11-slim\nVOLUME /data\n")
    for event in client.package.build(fileobj=dockerfile, tag=name, rm=True, decode=True):
        assert "error" not in event
    yield Image(name=name, context=None, digest="")
    client.package.remove_image(name, force=True)


def test_no_volume_stays_that_an_image_declares(
    client: Any, image_with_a_volume: Image, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2.4: an engine makes one for each container, without a label by which to find it."""

    made: set[str] = set()
    create = DockerClient.create_container

    def listed(self: DockerClient, **config: Any) -> str:
        created = create(self, **config)
        mounts = self.inspect_container(created)["Mounts"]
        made.update(mount["Name"] for mount in mounts if mount["Destination"] == "/data")
        return created

    def left() -> set[str]:
        return made & {item["Name"] for item in client.package.volumes()["Volumes"] or ()}

    monkeypatch.setattr(DockerClient, "create_container", listed)
    confinement = Confinement(runtime="runc", labels={})
    assert examine(client, confinement, image_with_a_volume.name, client.remove_container)
    assert made
    assert left() == set(), "of the look from inside a container"
    engine = DockerEngine(client, Settings(), RUN)
    spec = replace(SPEC, image=image_with_a_volume, command=["grep", "/data", "/proc/mounts"])
    with engine.outputs(spec.image, [Room(2**20)], tmp_path) as (output,):
        assert run_program(engine, replace(spec, outputs={"/out": output})).exit_code == 0
        assert left()
    assert engine.can_start(spec)
    engine.close()
    assert left() == set()


def test_the_end_of_a_long_log_is_whole(engine: DockerEngine) -> None:
    """2.5: an engine that keeps one file of it has nothing when it begins that anew."""
    size = 2**14
    for lines in (390, 460, 530):
        write = f"for i in range({lines}): print('%079d' % i)"
        command = ["python3", "-c", write]
        report = run_program(engine, replace(SPEC, command=command, limits=Limits(log_size=size)))
        said = report.log.decode().splitlines()
        assert len(report.log) == size
        assert [int(line) for line in said[1:]] == list(range(lines - len(said) + 1, lines))


def test_no_log_names_what_proc_says_of_the_host(engine: DockerEngine, tmp_path: Path) -> None:
    """1.9: folders of the host, and the container's id."""
    folder = tmp_path / "a folder of the host" / "files"
    folder.mkdir(parents=True)
    shown = "cat /proc/self/mountinfo /proc/self/mounts /proc/self/cgroup; hostname; echo $HOSTNAME"
    command = ["sh", "-c", f"{shown}; echo '{folder}'"]
    spec = replace(SPEC, command=command, mounts=[Mount(source=folder, target="/app/program")])
    log = run_program(engine, spec).log.decode()
    assert " /app/program " in log
    assert "[host]" in log
    for text in ("the host", "the\\040host", tmp_path.name, "/overlay2/", "/var/lib/docker"):
        assert text not in log
    assert not re.search(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", log)
    assert log.splitlines()[-3:-1] == ["cell", "cell"]


def test_nothing_starts_in_a_run_that_was_stopped(engine: DockerEngine) -> None:
    with engine.create(SPEC) as created:
        engine.stop()
        with pytest.raises(StoppedError):
            created.start()


@pytest.mark.slow
def test_what_is_timed_for_its_score_runs_alone(engine: DockerEngine, client: Any) -> None:
    timed = replace(SPEC, command=["sleep", "1"], exclusive=True)
    for _ in range(3):
        run_program(engine, SPEC)
        running = engine.create(timed).start()
        assert left(client) == ["running"], "the one before is still being removed"
        assert running.wait().exit_code == 0


class Told(DockerClient):
    """An engine that says something else of itself."""

    def __init__(self, **said: object) -> None:
        super().__init__()
        self.said = said

    def info(self) -> dict[str, Any]:
        return {**super().info(), **self.said}


def test_an_engine_without_filters_of_system_calls_is_refused() -> None:
    """1.4"""
    with (
        Told(SecurityOptions=["name=apparmor"]) as client,
        pytest.raises(PlatformError, match="cannot filter the system calls"),
    ):
        DockerEngine(client, Settings(), RUN)


def test_an_engine_that_cannot_forbid_links_does_not_run_who_could_make_some() -> None:
    with Told(Runtimes={"runsc": {}}) as client:
        engine = DockerEngine(client, Settings(runtime="runsc"), RUN)
        with pytest.raises(PlatformError, match="cannot forbid links"):
            engine.create(replace(SPEC, links=False))
        engine.close()
