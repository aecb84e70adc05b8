"""19.4.4: what an engine does not enforce is refused by its name, not ignored."""

from typing import Any

import pytest

from evaluator.core.compute.engine.confinement import Confinement
from evaluator.core.compute.engine.docker_client import DockerClient
from evaluator.core.compute.engine.enforcement import UnenforcedError, examine

pytestmark = pytest.mark.docker


class Forgetful(DockerClient):
    """An engine that drops one of what a container is asked to be, and says nothing."""

    dropped: tuple[str, ...]

    def create_container(self, **config: Any) -> str:
        for key in self.dropped:
            config["HostConfig"].pop(key, None)
        return super().create_container(**config)


@pytest.mark.parametrize(
    ("dropped", "named"),
    [
        ("Memory MemorySwap", "Memory"), ("PidsLimit", "PidsLimit"), ("NanoCpus", "NanoCpus"),
        ("ReadonlyRootfs", "ReadonlyRootfs"), ("CapDrop", "CapDrop"),
        ("SecurityOpt", "SecurityOpt no-new-privileges"), ("ShmSize", "the size of /dev/shm"),
    ],
)  # fmt: skip
def test_what_an_engine_drops_is_refused_by_its_name(dropped: str, named: str) -> None:
    client = Forgetful()
    client.dropped = tuple(dropped.split())
    with client, pytest.raises(UnenforcedError, match=named):
        confinement = Confinement(runtime="runc", labels={})
        examine(client, confinement, "python:3.11-slim", client.remove_container)
