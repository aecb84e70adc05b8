"""19.4.4: what an engine does not enforce is refused by its name, not ignored."""

from functools import partial
from typing import Any

import docker
import pytest
from docker.utils import kwargs_from_env

from evaluator.core.compute.engine.confinement import Confinement
from evaluator.core.compute.engine.docker_client import remove_container
from evaluator.core.compute.engine.enforcement import UnenforcedError, examine

pytestmark = pytest.mark.docker


class Forgetful(docker.APIClient):
    """An engine that drops one of what a container is asked to be, and says nothing."""

    dropped: tuple[str, ...]

    def create_container(self, *arguments: Any, **named: Any) -> Any:
        for key in self.dropped:
            named["host_config"].pop(key, None)
        return super().create_container(*arguments, **named)


@pytest.mark.parametrize(
    ("dropped", "named"),
    [
        ("Memory MemorySwap", "Memory"), ("PidsLimit", "PidsLimit"), ("NanoCpus", "NanoCpus"),
        ("ReadonlyRootfs", "ReadonlyRootfs"), ("CapDrop", "CapDrop"),
        ("SecurityOpt", "SecurityOpt no-new-privileges"), ("ShmSize", "the size of /dev/shm"),
    ],
)  # fmt: skip
def test_what_an_engine_drops_is_refused_by_its_name(dropped: str, named: str) -> None:
    client = Forgetful(version="auto", **kwargs_from_env())
    client.dropped = tuple(dropped.split())
    with client, pytest.raises(UnenforcedError, match=named):
        remove = partial(remove_container, client)
        examine(client, Confinement(runtime="runc", labels={}), "python:3.11-slim", remove)
