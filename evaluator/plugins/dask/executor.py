"""Cells on a cluster, through Dask: an address, or a cluster that one of its deployers starts."""

import logging
import queue
import time
import uuid
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any, Self

import distributed
from distributed.scheduler import KilledWorker
from msgspec.structs import asdict, replace

from evaluator.core.clock import utc_now
from evaluator.core.compute.engines import engine_kind
from evaluator.core.compute.evaluation import Evaluated, failed
from evaluator.core.compute.executors import RunRequest
from evaluator.core.compute.job import Contents, Job
from evaluator.core.compute.pool import Claim, Done
from evaluator.core.errors import PlatformError, UsageError, error_name
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Attachment, record_keys
from evaluator.core.formats.record_lines import from_json, to_json
from evaluator.core.log import say
from evaluator.plugins.dask.shared_store import SharedStore
from evaluator.plugins.dask.worker import CellPlugin, evaluate

_AT_ONCE = 1000
"""Cells that are submitted and have not come back."""
_SHIPPERS = 4
_TICK = 5.0
"""Seconds between two lines about the cluster."""
_CONNECT = 10
"""Seconds for which a scheduler is asked, and waited for where it is lost."""
_MODULES = {"KubeCluster": "dask_kubernetes.operator", "LocalCluster": "distributed",
            "SSHCluster": "distributed"}  # fmt: skip
"""Where deployers are; all others are dask-jobqueue's."""
_YOURS = "Does each worker have the same version of pullbench, and is it yours?"
_RETRY = "What has ended is recorded; the same command goes on with the rest."


class DaskExecutor:
    """One for a run. Records are written here, as each cell ends: a killed cluster loses none."""

    def __init__(self, order: RunRequest) -> None:
        self.name = "dask"
        self._order = order
        if not isinstance(order.predictions.shared, SharedStore):
            raise TypeError("there is no shared store")
        self._store = order.predictions.shared
        self._run = f"pullbench-{uuid.uuid4().hex}"
        self._stack = ExitStack()
        self._digests: dict[str, str] = {}
        self._ended: queue.Queue[tuple[Job, Any]] = queue.Queue()
        self._out: dict[CellId, tuple[Job, Any]] = {}
        self._workers: list[dict[str, Any]] = []
        self._asked: set[str] = set()

    def __enter__(self) -> Self:
        order, place = self._order, self._order.place
        engine_kind(order.engine)  # an engine that CI refuses is refused before anything starts
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # a lost scheduler is said here
        try:
            cluster = place.address or self._stack.enter_context(_deploy(order))
            self._client = self._stack.enter_context(
                distributed.Client(cluster, timeout=_CONNECT, set_as_default=False)
            )
            if not isinstance(place.workers, tuple):  # those come when there is work
                self._client.wait_for_workers(1, timeout=place.wait)
        except OSError as error:
            self._stack.close()
            raise PlatformError(
                f"no scheduler of Dask answers, or no worker came within {place.wait} s",
                hint="Does `dask scheduler` run at that address, and `dask worker` on a machine? "
                "On a batch system, `squeue` or its like says what it waits for.",
            ) from error
        self._client.register_plugin(
            CellPlugin(
                self._run,
                order.settings,
                order.engine,
                self._store.address,
                allow_shortfall=order.allow_shortfall,
            )
        )
        return self

    def __exit__(self, *_: object) -> None:
        with self._stack:
            if self._client.status == "running":
                self._client.unregister_worker_plugin(self._run)  # kills what still runs

    def evaluate(self, jobs: Sequence[Job], claim: Claim, done: Done) -> list[Job]:
        """Keep some cells submitted, and pass on each that comes back."""
        self._count_running()
        # Cells that share a prediction wait for the first of them, which makes it.
        ready, shared = deque[Job](), dict[str, list[Job]]()
        names = {job.record_name for job in jobs}
        for job in sorted(jobs, key=lambda job: job.exclusive):
            if job.predicted_for == job.record_name or job.predicted_for not in names:
                ready.append(job)
            else:
                shared.setdefault(job.predicted_for, []).append(job)
        began = told = moved = time.monotonic()
        count, refused = 0, list[Job]()
        with ThreadPoolExecutor(_SHIPPERS, thread_name_prefix="ship") as shippers:
            while ready or self._out:
                while ready and len(self._out) < _AT_ONCE:
                    self._out[ready[0].cell] = ready[0], None
                    shippers.submit(self._ship, ready.popleft(), claim)
                try:
                    job, result = self._ended.get(timeout=_TICK)
                except queue.Empty:
                    pass
                else:
                    if result is None:
                        refused.append(job)
                    else:
                        done(job, self._read_result(job, result))
                    del self._out[job.cell]
                    ready.extend(shared.pop(job.record_name, ()))
                    count, moved = count + 1, time.monotonic()
                if time.monotonic() - told > _TICK:
                    told = time.monotonic()
                    running = self._count_running()
                    moved = told if running else moved
                    # Workers count a cell a while after it ended.
                    waiting = max(0, len(jobs) - count - running)
                    rate = count / (told - began)
                    say(
                        f"{len(self._workers)} workers, {running} cells running, {waiting} "
                        f"waiting, {rate:,.3g} a second"
                    )
                    self._check_waiting(told - moved)
        return refused

    def _count_running(self) -> int:
        if self._client.status != "running":
            raise PlatformError("the scheduler of Dask is gone", hint=_RETRY)
        self._workers = list(self._client.scheduler_info()["workers"].values())
        counts = [worker["metrics"].get("task_counts", {}) for worker in self._workers]
        return sum(each.get("executing", 0) for each in counts)

    def _needs(self, job: Job) -> dict[str, float]:
        """Resources of Dask's workers: the queue's, and memory if workers say what they have."""
        needs: dict[str, float] = {}
        if job.gpus and not job.scores_files:
            needs["gpu"] = job.gpus
        if job.queue != "default":
            needs.setdefault(job.queue, 1)
        if any("memory" in worker["resources"] for worker in self._workers):
            needs["memory"] = job.asked.memory
        return needs

    def _check_waiting(self, idle: float) -> None:
        """Say what cells no worker can take: Dask lets them wait. Raises PlatformError."""
        place = self._order.place
        for job, _ in list(self._out.values()):
            needs = self._needs(job)
            text = " ".join(f"{name}={amount:g}" for name, amount in needs.items())
            if any(
                all(worker["resources"].get(name, 0) >= needs[name] for name in needs)
                for worker in self._workers
            ):
                continue
            lack = f"cells wait for a worker with the resources {text or 'of any'}"
            if lack not in self._asked:
                self._asked.add(lack)
                say(f"{lack}; `dask worker --resources` gives them")
            if idle > place.wait:
                raise PlatformError(f"{lack}, and none came", hint=_RETRY)
        # A cell without a future is still being shipped, which may take longer.
        if idle > place.wait and any(future is not None for _, future in list(self._out.values())):
            raise PlatformError(
                f"no worker of the scheduler {self._client.scheduler.address} has run a cell for "
                f"{place.wait} s",
                hint=_RETRY,
            )

    def _ship(self, job: Job, claim: Claim) -> None:
        order = self._order
        try:
            if not claim(job):
                self._ended.put((job, None))
                return
            contents = {name: self._upload(part) for name, part in asdict(job.contents).items()}
            submitted = order.source.submitted(job)
            future = self._client.submit(
                evaluate, self._run,
                replace(job, contents=Contents(**contents), submitted=submitted),
                fresh=order.fresh and job.predicted_for in ("", job.record_name),
                key=f"{job.cell}-{uuid.uuid4().hex}", resources=self._needs(job), pure=False,
            )  # fmt: skip
            self._out[job.cell] = job, future  # Dask forgets a future that nobody holds
            future.add_done_callback(lambda future: self._ended.put((job, future)))
        except Exception as error:
            self._ended.put((job, error))

    def _upload(self, part: str) -> str:
        if part and part not in self._digests:
            folder = self._order.source.folders.folder(part)
            self._digests[part] = self._store.put_tree(folder)
        return self._digests.get(part, "")

    def _read_result(self, job: Job, result: Any) -> Evaluated:
        order = self._order
        if isinstance(result, distributed.Future):
            if result.cancelled():
                raise PlatformError("the scheduler of Dask is gone", hint=_RETRY)
            try:
                evaluated = check_answer(_wait_for_answer(result), job)
            except PlatformError as error:
                result = error
            except KilledWorker:
                result = PlatformError(
                    "each worker that was given this cell was lost",
                    hint="Was it killed, for its memory or its time? Dask's logs of workers tell.",
                )
            else:
                if not evaluated.record.provenance.reused_predictions:
                    order.predictions.forget(job.keys.prediction)  # an older copy, if any
                return evaluated
        job = replace(job, submitted=order.source.submitted(job))
        return failed(job, result, engine_kind(order.engine).isolation(order.settings), utc_now)


def _wait_for_answer(future: Any) -> Any:
    """Our workers raise nothing. Raises KilledWorker, PlatformError."""
    try:
        return future.result()
    except KilledWorker:
        raise
    except Exception as error:
        raise PlatformError(
            f"a worker's answer is none ({error_name(error)})", hint=_YOURS
        ) from error


def check_answer(answer: Any, job: Job) -> Evaluated:
    """Write and read it again: a worker that lies costs its own cells. Raises PlatformError."""
    try:
        record, attachments = from_json(to_json(answer.record)), dict(answer.attachments)
        evaluated = Evaluated(record=record, attachments=attachments)
        is_whole = all(type(content) is bytes for content in attachments.values()) and (
            {name: Attachment.of(one) for name, one in attachments.items()} == record.attachments
        )
    except Exception as error:
        raise PlatformError(
            f"a worker's answer is none ({error_name(error)})", hint=_YOURS
        ) from error
    if not is_whole or (record.cell, record.keys) != (job.cell, record_keys(job.keys)):
        raise PlatformError("a worker answered with another cell or file than its own", hint=_YOURS)
    return evaluated


@contextmanager
def _deploy(order: RunRequest) -> Iterator[Any]:
    """Start a cluster with one of Dask's deployers; it ends with the run."""
    place = order.place
    module = _MODULES.get(place.cluster, "dask_jobqueue")
    try:
        deployer = getattr(import_module(module), place.cluster)
    except ImportError:
        raise UsageError(
            f"the cluster '{place.cluster}' needs the package '{module.partition('.')[0]}'",
            hint=f"pip install {module.partition('.')[0].replace('_', '-')}",
        ) from None
    with deployer(**place.options) as cluster:
        if isinstance(place.workers, tuple):
            cluster.adapt(minimum=place.workers[0], maximum=place.workers[1])
        elif place.workers:
            cluster.scale(place.workers)
        yield cluster
