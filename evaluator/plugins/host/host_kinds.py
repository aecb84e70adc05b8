"""The engines that run programs on this machine, without isolation."""

from pathlib import Path

from evaluator.core.compute.engine.spec import Capacity, Isolation
from evaluator.core.compute.engine.this_machine import host_capacity
from evaluator.core.compute.run_folder import RunFolder
from evaluator.core.formats.settings import Settings
from evaluator.plugins.host.host_packages import debian_packages, missing_packages
from evaluator.plugins.host.subprocess_engine import SubprocessEngine
from evaluator.plugins.host.warm_engine import WarmEngine


class HostKind:
    """Programs run on this machine as the user who started the run."""

    isolates = False

    def __init__(self, engine: type[SubprocessEngine]) -> None:
        self._engine = engine

    def isolation(self, _: Settings) -> Isolation:
        return "none"

    def capacity(self) -> Capacity:
        """Return what this process may use of the machine."""
        return host_capacity()

    def missing_packages(self, dockerfile: str) -> list[str]:
        """Return the Debian packages that a Dockerfile installs and this machine does not have."""
        return missing_packages(debian_packages(dockerfile))

    def make(self, settings: Settings, folder: RunFolder, environments: Path) -> SubprocessEngine:
        """Make the engine of a run; ``environments`` caches virtual environments."""
        return self._engine(environments, settings.retries, folder.temporary())


SUBPROCESS = HostKind(SubprocessEngine)
WARM = HostKind(WarmEngine)
