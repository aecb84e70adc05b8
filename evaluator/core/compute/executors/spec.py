"""The interface of executors: what a run asks of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

from evaluator.core.compute.contents import Source
from evaluator.core.compute.job import Job
from evaluator.core.compute.pool import Claim, Done
from evaluator.core.compute.run_folder import RunFolder
from evaluator.core.compute.store import PredictionStore
from evaluator.core.formats.settings import ExecutorSettings, Settings


@dataclass(frozen=True, kw_only=True)
class Order:
    """One run."""

    settings: Settings
    place: ExecutorSettings
    """Where the cells are to run."""
    engine: str
    lanes: int
    """Cells side by side on this machine."""
    fresh: bool
    """Whether the code runs again where there are predictions."""
    with_less: bool
    """Whether to evaluate also what asks for more than a machine has."""
    source: Source
    """Lays out, on this machine, what jobs name."""
    predictions: PredictionStore
    folder: RunFolder
    build: Path
    """Folder for everything generated."""


class Executor(Protocol):
    """Evaluates the cells of a run. Left as a context, nothing of it runs any more."""

    name: str
    """Shown in the summary, such as ``docker (engine 20.10.24)``."""

    def __enter__(self) -> Self:
        """Make it ready. Raises PlatformError, UsageError."""
        ...

    def __exit__(self, *_: object) -> None:
        """Stop and remove all that it began."""
        ...

    def evaluate(self, jobs: Sequence[Job], claim: Claim, done: Done) -> list[Job]:
        """Evaluate all jobs, those of exclusive benchmarks last; return those not claimed.

        ``done`` is called in this thread, once for each job, as each ends. A job that it was never
        called with has no record. Raises PlatformError where no more can be evaluated.
        """
        ...
