"""Evaluates jobs side by side, and stops cleanly."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from evaluator.compute.engine.spec import Engine, StoppedError
from evaluator.compute.job import Job
from evaluator.compute.worker import Worker
from evaluator.formats.record import Record


def evaluate_all(
    jobs: Sequence[Job],
    worker: Worker,
    engine: Engine,
    *,
    lanes: int,
    fresh: bool,
    done: Callable[[Job, Record], None],
) -> None:
    """Evaluate all jobs; those of exclusive benchmarks come last, one at a time.

    ``done`` is called in this thread, once per job, as each ends. On KeyboardInterrupt running
    containers are killed, and their cells have no record.
    """
    together = [job for job in jobs if not job.benchmark.exclusive]
    alone = [job for job in jobs if job.benchmark.exclusive]
    for batch, width in ((together, lanes), (alone, 1)):
        if batch:
            _evaluate(batch, worker, engine, width, fresh, done)


def _evaluate(
    jobs: Sequence[Job],
    worker: Worker,
    engine: Engine,
    width: int,
    fresh: bool,
    done: Callable[[Job, Record], None],
) -> None:
    halt = threading.Event()

    def one(job: Job) -> Record:
        if halt.is_set():
            raise StoppedError
        return worker.evaluate(job, fresh=fresh)

    with ThreadPoolExecutor(max_workers=width, thread_name_prefix="lane") as pool:
        pending: dict[Future[Record], Job] = {pool.submit(one, job): job for job in jobs}
        try:
            while pending:
                ended, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in ended:
                    done(pending.pop(future), future.result())
        except BaseException:
            halt.set()
            for future in pending:
                future.cancel()
            engine.stop()
            raise
