"""Where cells run: executors by their names, and the executor of this machine."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

from evaluator.core.clock import utc_now
from evaluator.core.compute.contents import JobContents
from evaluator.core.compute.engines import engine_kind
from evaluator.core.compute.job import Job
from evaluator.core.compute.pool import Claim, Done, evaluate_all
from evaluator.core.compute.run_folder import RunFolder
from evaluator.core.compute.store import PredictionStore
from evaluator.core.compute.worker import Worker
from evaluator.core.errors import PlatformError, UsageError, nearest
from evaluator.core.formats.settings import ExecutorSettings, Settings
from evaluator.core.plugins import Contract

LOCAL = "local"


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """One run."""

    settings: Settings
    place: ExecutorSettings
    engine: str
    lanes: int
    """Cells side by side on this machine."""
    fresh: bool
    """Whether the code runs again where there are predictions."""
    allow_shortfall: bool
    """Whether to evaluate also what asks for more than a machine has."""
    source: JobContents
    predictions: PredictionStore
    folder: RunFolder
    build: Path


class Executor(Protocol):
    """Evaluates the cells of a run. After the context nothing of it runs any more."""

    name: str

    def __enter__(self) -> Self:
        """Make it ready. Raises PlatformError, UsageError."""

    def __exit__(self, *_: object) -> None: ...

    def evaluate(self, jobs: Sequence[Job], claim: Claim, done: Done) -> list[Job]:
        """Evaluate all jobs, those of exclusive benchmarks last; return those not claimed.

        ``done`` is called in this thread, once for each job, as each ends. A job that it was never
        called with has no record. Raises PlatformError if no more can be evaluated.
        """


EXECUTORS = Contract[Callable[[RunRequest], Executor]]("executors")
"""By the kind in ``[tool.pullbench.executors]``."""


class LocalExecutor:
    """The lanes of one engine."""

    def __init__(self, order: RunRequest) -> None:
        self._order = order
        self.name = ""

    def __enter__(self) -> Self:
        order = self._order
        environments = order.build / "cache" / "environments"
        kind = engine_kind(order.engine)
        self._engine = kind.make(order.settings, order.folder, environments)
        self.name = self._engine.name
        order.folder.clear_dead(self._engine.remove_run, self._engine.unremoved_runs())
        return self

    def __exit__(self, *_: object) -> None:
        # What took its time to die at the start is dead by now. The folder may have been cleared.
        with suppress(PlatformError, OSError):
            self._order.folder.clear_dead(self._engine.remove_run, self._engine.unremoved_runs())
        self._order.folder.is_kept = not self._engine.close()

    def evaluate(self, jobs: Sequence[Job], claim: Claim, done: Done) -> list[Job]:
        order = self._order
        worker = Worker(
            self._engine, order.predictions, order.source, order.folder.path, utc_now,
            order.settings.retries, allow_shortfall=order.allow_shortfall,
        )  # fmt: skip
        return evaluate_all(
            jobs, worker, lanes=order.lanes, fresh=order.fresh, claim=claim, done=done
        )


def executor_place(text: str, settings: Settings) -> ExecutorSettings:
    """Read ``--executor``: local, an address, or the name of one of the settings' executors."""
    if text == LOCAL:
        return ExecutorSettings(kind=LOCAL)
    kind, is_address, address = text.partition("://")
    if is_address and kind in EXECUTORS:
        scheme = "" if "://" in address else "tcp://"
        return ExecutorSettings(kind=kind, address=f"{scheme}{address}")
    if text in settings.executors:
        return settings.executors[text]
    raise UsageError(
        f"there is no executor '{text}'",
        hint=nearest(
            text, [LOCAL, *settings.executors],
            "It is local, dask://HOST:PORT, or a NAME of [tool.pullbench.executors.NAME].",
        ),
    )  # fmt: skip
