"""Every engine by its name."""

from pathlib import Path
from typing import Literal

from evaluator.compute.engine.docker_engine import DockerEngine, connect, isolation_by
from evaluator.compute.engine.spec import Engine, Isolation
from evaluator.compute.engine.subprocess_engine import SubprocessEngine
from evaluator.compute.engine.warm_engine import WarmEngine
from evaluator.compute.run_folder import RunFolder
from evaluator.errors import PlatformError, UsageError
from evaluator.formats.settings import Settings
from evaluator.log import in_ci

EngineName = Literal["auto", "docker", "subprocess", "warm"]


def isolation_of(name: EngineName, settings: Settings) -> Isolation:
    """Return how the programs of an engine are isolated."""
    if name != "docker":
        return "none"
    client = connect()
    if client is None:
        return "gvisor" if settings.runtime == "runsc" else "docker"
    with client:
        return isolation_by(client, settings)


def refuse_in_ci(name: EngineName) -> None:
    """Raise UsageError where CI would run programs without isolation."""
    if name != "docker" and in_ci():
        raise UsageError(
            f"the {name} engine is refused where CI=true: it isolates nothing",
            hint="Use `--engine docker`.",
        )


def make_engine(
    name: EngineName, settings: Settings, folder: RunFolder, environments: Path
) -> Engine:
    """Make an engine for a run. Raises UsageError, PlatformError."""
    refuse_in_ci(name)
    if name != "docker":
        kind = WarmEngine if name == "warm" else SubprocessEngine
        return kind(environments, settings.retries, folder.temporary())
    client = connect()
    if client is None:
        raise PlatformError(
            "no Docker engine answers",
            hint="Start Docker. Or, if you trust every program that is to run, let them run on "
            "this machine without isolation: `--engine subprocess`, or for all runs in this clone "
            "`git config pullbench.engine subprocess`.",
        )
    empty = folder.path / "empty"
    empty.mkdir()
    return DockerEngine(client, settings, folder.id, folder.place, empty)
