"""Engines by their names."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from evaluator.core.compute.engine.resources import Capacity
from evaluator.core.errors import UsageError
from evaluator.core.formats.settings import Settings
from evaluator.core.log import in_ci
from evaluator.core.plugins import Contract

if TYPE_CHECKING:
    from evaluator.core.compute.engine.spec import Engine, Isolation
    from evaluator.core.compute.run_folder import RunFolder


class EngineKind(Protocol):
    """What plugins offer as engines: how to make one, and what it needs of this machine."""

    isolates: bool
    """Whether programs run in containers; CI refuses engines that do not."""

    def isolation(self, settings: Settings) -> "Isolation": ...

    def capacity(self) -> Capacity:
        """What the machine of its programs has. Raises PlatformError."""

    def missing_packages(self, dockerfile: str) -> Sequence[str]:
        """The packages of a Dockerfile that programs cannot have here."""

    def make(self, settings: Settings, folder: "RunFolder", environments: Path) -> "Engine":
        """Make the engine of a run. Raises PlatformError."""


ENGINES = Contract[EngineKind]("engines")
"""By the value of ``--engine``."""


def engine_kind(name: str) -> EngineKind:
    try:
        kind = ENGINES[name]
    except KeyError:
        names = ", ".join(ENGINES)
        raise UsageError(f"there is no engine '{name}'", hint=f"Engines: {names}.") from None
    if not kind.isolates and in_ci():
        raise UsageError(
            f"the {name} engine is refused where CI=true: it isolates nothing",
            hint="Use `--engine docker`.",
        )
    return kind
