"""``--engine docker``: what is known of it before a run, and the engine of one."""

from pathlib import Path

from evaluator.core.compute.engine.docker_client import connect, platform_faults
from evaluator.core.compute.engine.docker_engine import DockerEngine, capacity_of, isolation_of
from evaluator.core.compute.engine.resources import Capacity, host_capacity
from evaluator.core.compute.engine.spec import Isolation
from evaluator.core.compute.run_folder import RunFolder
from evaluator.core.errors import PlatformError
from evaluator.core.formats.settings import Settings


class DockerKind:
    """``--engine docker``: programs run in containers of the daemon that answers, or Podman's."""

    isolates = True

    def isolation(self, settings: Settings) -> Isolation:
        client = connect()
        if client is None:
            return "gvisor" if settings.runtime == "runsc" else "docker"
        with client:
            return isolation_of(client, settings)

    def capacity(self) -> Capacity:
        client = connect()
        if client is None:
            return host_capacity()
        with client, platform_faults("ask the Docker engine what its machine has"):
            return capacity_of(client.info())

    def missing_packages(self, _: str) -> tuple[str, ...]:
        return ()  # images bring their packages

    def make(self, settings: Settings, folder: RunFolder, _: Path) -> DockerEngine:
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
