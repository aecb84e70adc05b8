"""Cells on this machine, side by side."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Self

from evaluator.core.clock import utc_now
from evaluator.core.compute.engine.registry import engine_kind
from evaluator.core.compute.executors.spec import Order
from evaluator.core.compute.job import Job
from evaluator.core.compute.pool import Claim, Done, evaluate_all
from evaluator.core.compute.worker import Worker
from evaluator.core.errors import PlatformError


class LocalExecutor:
    """The lanes of one engine."""

    def __init__(self, order: Order) -> None:
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
        with suppress(PlatformError):  # what took its time to die at the start is dead by now
            self._order.folder.clear_dead(self._engine.remove_run, self._engine.unremoved_runs())
        if not self._engine.close():
            self._order.folder.stay()

    def evaluate(self, jobs: Sequence[Job], claim: Claim, done: Done) -> list[Job]:
        """Evaluate all jobs; on KeyboardInterrupt running containers are killed."""
        order = self._order
        worker = Worker(
            self._engine, order.predictions, order.source, order.folder.path, utc_now,
            order.settings.retries, with_less=order.with_less,
        )  # fmt: skip
        return evaluate_all(
            jobs, worker, self._engine,
            lanes=order.lanes, fresh=order.fresh, claim=claim, done=done,
        )  # fmt: skip
