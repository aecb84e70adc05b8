"""What a worker of Dask does: it evaluates the cells that it gets, as this machine can.

It has all that it needs from the job, the store and its environment: private data below
``PULLBENCH_DATA``, the keys of encrypted data, and ``PULLBENCH_CACHE``, a folder on its own disk.
"""

import contextlib
import fcntl
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import distributed
from distributed.diagnostics.plugin import WorkerPlugin

from evaluator import EVALUATOR_VERSION
from evaluator.core.clock import utc_now
from evaluator.core.compute.contents import JobContents
from evaluator.core.compute.engines import engine_kind
from evaluator.core.compute.evaluation import Evaluated, failed
from evaluator.core.compute.job import Job
from evaluator.core.compute.run_folder import RunFolder
from evaluator.core.compute.store import PredictionStore
from evaluator.core.compute.worker import Worker
from evaluator.core.errors import PlatformError, PullbenchError
from evaluator.core.formats.cell import digest
from evaluator.core.formats.content_cache import locked_file
from evaluator.core.formats.settings import Settings
from evaluator.importing.private_parts import LocalPrivateParts
from evaluator.plugins.dask.shared_store import SharedStore, SharedTrees


class CellPlugin(WorkerPlugin):
    """Evaluates the cells of one run on one worker, whose engine it makes with the first."""

    def __init__(
        self, name: str, settings: Settings, engine: str, store: str, *, allow_shortfall: bool
    ) -> None:
        self.name = name
        self._settings = settings
        self._engine = engine
        self._store = store
        self._allow_shortfall = allow_shortfall
        self._version = EVALUATOR_VERSION

    def setup(self, worker: distributed.Worker) -> None:  # noqa: ARG002 - Dask's interface
        """Prepare; called by Dask, also on workers that come later."""
        self._stack = contextlib.ExitStack()
        self._making = threading.Lock()
        self._worker: Worker | None = None

    def teardown(self, worker: distributed.Worker) -> None:  # noqa: ARG002 - Dask's interface
        """Kill what runs, and remove all that is left of it."""
        self._stack.close()

    def evaluate(self, job: Job, *, fresh: bool) -> Evaluated:
        """Evaluate a cell. Raises StoppedError."""
        try:
            with self._making:
                worker = self._worker = self._worker or self._make()
            alone = job.exclusive or self._container_engine.shares_files
            with _fold_turn(job), _turn(exclusive=alone):
                return worker.evaluate(job, fresh=fresh)
        except PullbenchError as error:
            isolation = engine_kind(self._engine).isolation(self._settings)
            return failed(job, error, isolation, utc_now)

    def _make(self) -> Worker:
        if self._version != EVALUATOR_VERSION:
            raise PlatformError(
                f"this worker has pullbench {EVALUATOR_VERSION}, and the run {self._version}"
            )
        cache, data = _cache(), os.environ.get("PULLBENCH_DATA", self._settings.data)
        folder = self._stack.enter_context(RunFolder(cache / "run"))
        self._container_engine = engine = engine_kind(self._engine).make(
            self._settings, folder, cache / "environments"
        )
        self._stack.callback(engine.close)
        folder.clear_dead(engine.remove_run, engine.unremoved_runs())
        private = LocalPrivateParts(
            data=Path(data) if Path(data).is_absolute() else None, cache=cache / "fetched",
            memory=folder.memory, limit=self._settings.max_data,
            isolated=engine.isolation != "none",
        )  # fmt: skip
        store = SharedStore(self._store)
        return Worker(
            engine,
            # Of this run alone: an old copy must not hide what another run computes again.
            PredictionStore(folder.path / "predictions", engine.isolation, store),
            JobContents(SharedTrees(store, cache / "trees"), private),
            folder.path,
            utc_now,
            self._settings.retries,
            allow_shortfall=self._allow_shortfall,
        )


def evaluate(plugin: str, job: Job, *, fresh: bool) -> Evaluated:
    return cast("CellPlugin", distributed.get_worker().plugins[plugin]).evaluate(job, fresh=fresh)


def _cache() -> Path:
    default = f"/var/tmp/pullbench-{os.geteuid()}"  # noqa: S108 - 0700, and looked at
    cache = Path(os.environ.get("PULLBENCH_CACHE") or default)
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    if cache.is_symlink() or cache.stat().st_uid != os.geteuid():
        raise PlatformError(f"{cache} is somebody else's", hint="Set PULLBENCH_CACHE.")
    return cache


@contextlib.contextmanager
def _fold_turn(job: Job) -> Iterator[None]:
    """Wait if folds of a task hold answers to others; see ``pool.evaluate_all``."""
    if job.fold_turn is None:
        yield
        return
    with locked_file(_cache() / f"folds-{digest(job.fold_turn[:2])[:2]}"):
        yield


@contextlib.contextmanager
def _turn(*, exclusive: bool) -> Iterator[None]:
    """Let an exclusive cell wait for all; what waits holds the gate, so as not to be overtaken."""
    with (_cache() / "gate").open("w") as gate, (_cache() / "cells").open("w") as cells:
        fcntl.flock(gate, fcntl.LOCK_EX)
        fcntl.flock(cells, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH)
        fcntl.flock(gate, fcntl.LOCK_UN)
        yield
