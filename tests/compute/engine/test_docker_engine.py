"""What the Docker engine says of images and machines that cannot run a program."""

import pytest

from evaluator.compute.engine.docker_engine import connect
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
    assert record.error.message == "this machine has no GPU that Docker can hand out"
    assert "queue" in record.error.hint


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
            client.remove_image(name, force=True)

    request.addfinalizer(remove)
    error = small.run(CELL)[CELL].error
    assert error is not None
    assert (error.actor, error.reason) == ("organiser", "program cannot be run")
    assert f"'python' cannot be started in the image '{name}'" in error.message
    assert "The image has 'python3'" in error.hint
