"""The one way out of a program: what the plugin that opens it is asked for."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import msgspec

from evaluator.core.compute.engine.spec import Engine
from evaluator.core.compute.mounts import CellInputs
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import StepName
from evaluator.core.plugins import Contract


class WayOut(msgspec.Struct, frozen=True, kw_only=True):
    """What the program of one step of a cell may reach, as plain data."""

    key: str
    """Of the bundle, by which ``GATEWAYS`` has what opens it."""
    settings: str
    """JSON of the plugin that made it."""
    folders: dict[str, str]
    """Name -> content id of what it needs from the repository."""


class OpenWay(Protocol):
    """A way out while it is open."""

    network: str
    """Of the program's container."""
    environment: Mapping[str, str]
    """Of the program."""

    def end(self) -> None:
        """Take note that the program has ended. Raises CellFailedError for what went through."""

    def attachments(self) -> dict[str, bytes]:
        """What went through, by suffix; all of it, once the program has ended."""


class Gateway(Protocol):
    """Opens ways out."""

    def describe(
        self, benchmark: Benchmark, cell: CellId, part: Callable[[str], str]
    ) -> dict[StepName, WayOut]:
        """Take what names the content of a path of the repository, or returns nothing."""

    def open(
        self, way: WayOut, key: str, inputs: CellInputs, engine: Engine, *,
        folders: Mapping[str, Path], scratch: Path, unfinished: Path,
    ) -> AbstractContextManager[OpenWay]:  # fmt: skip
        """Open what ``describe`` said of a step, with the key of what that makes.

        A folder goes after the step, and one stays until the cell has its record.
        Raises PlatformError, CellFailedError.
        """


GATEWAYS = Contract[Gateway]("gateways")
"""By one of a plugin's keys of a bundle, which has at most one of them."""
