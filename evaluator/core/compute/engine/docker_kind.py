"""The Docker engine as ``--engine docker`` offers it."""

from pathlib import Path

from evaluator.core.compute.engine.docker_engine import (
    DockerEngine,
    capacity_of,
    connect,
    isolation_by,
)
from evaluator.core.compute.engine.faults import platform_faults
from evaluator.core.compute.engine.spec import Capacity, Isolation
from evaluator.core.compute.engine.this_machine import host_capacity
from evaluator.core.compute.run_folder import RunFolder
from evaluator.core.errors import PlatformError
from evaluator.core.formats.settings import Settings


class DockerKind:
    """Programs run in containers of the daemon that answers: Docker's, or Podman's."""

    isolates = True

    def isolation(self, settings: Settings) -> Isolation:
        """Return how containers are isolated; what is usual if no daemon answers."""
        client = connect()
        if client is None:
            return "gvisor" if settings.runtime == "runsc" else "docker"
        with client:
            return isolation_by(client, settings)

    def capacity(self) -> Capacity:
        """Return what the daemon's machine has, which may be another one."""
        client = connect()
        if client is None:
            return host_capacity()
        with client, platform_faults("ask the Docker engine what its machine has"):
            return capacity_of(client.info())

    def missing_packages(self, _: str) -> tuple[str, ...]:
        """Return none: images bring their packages."""
        return ()

    def make(self, settings: Settings, folder: RunFolder, _: Path) -> DockerEngine:
        """Make the engine of a run. Raises PlatformError."""
        client = connect()
        if client is None:
            raise PlatformError(
                "no Docker engine answers",
                hint="Start Docker. Or, if you trust every program that is to run, let them run on "
                "this machine without isolation: `--engine subprocess`, or for all runs in this "
                "clone `git config pullbench.engine subprocess`.",
            )
        empty = folder.path / "empty"
        empty.mkdir()
        return DockerEngine(client, settings, folder.id, folder.place, empty)


DOCKER = DockerKind()
