"""Evaluates jobs side by side, and stops cleanly."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from evaluator.compute.engine.spec import Engine, StoppedError
from evaluator.compute.job import Job
from evaluator.compute.worker import Started, Worker
from evaluator.formats.record import Record

Done = Callable[[Job, Record], None]


def evaluate_all(
    jobs: Sequence[Job],
    worker: Worker,
    engine: Engine,
    *,
    lanes: int,
    fresh: bool,
    done: Done,
) -> None:
    """Evaluate all jobs; those of exclusive benchmarks come last, one at a time.

    ``done`` is called in this thread, once per job, as each ends. On KeyboardInterrupt running
    containers are killed, and their cells have no record.
    """
    together = [job for job in jobs if not job.benchmark.exclusive]
    _side_by_side(together, worker, engine, lanes, fresh, done)
    for job in jobs:
        if job.benchmark.exclusive:
            done(job, worker.evaluate(job, fresh=fresh))


def _side_by_side(
    jobs: Sequence[Job],
    worker: Worker,
    engine: Engine,
    lanes: int,
    fresh: bool,
    done: Done,
) -> None:
    """Keep ``lanes`` predictions going; scoring has lanes of its own, as many.

    So a lane that has predictions begins with the next cell at once, as on hosted platforms,
    where scoring is a job of its own. Scoring programs are the organiser's, and short.
    """
    halt = threading.Event()

    def begin(job: Job) -> Started | Record:
        if halt.is_set():
            raise StoppedError
        return worker.begin(job, fresh=fresh)

    def finish(cell: Started) -> Started | Record:
        if halt.is_set():
            raise StoppedError
        return worker.finish(cell)

    with (
        ThreadPoolExecutor(max_workers=lanes, thread_name_prefix="lane") as first,
        ThreadPoolExecutor(max_workers=lanes, thread_name_prefix="score") as second,
    ):
        pending: dict[Future[Started | Record], Job] = {
            first.submit(begin, job): job for job in jobs
        }
        try:
            while pending:
                ended, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in ended:
                    job = pending.pop(future)
                    result = future.result()
                    if isinstance(result, Started):
                        pending[second.submit(finish, result)] = job
                    else:
                        done(job, result)
        except BaseException:
            halt.set()
            for future in pending:
                future.cancel()
            engine.stop()  # before the pools are waited for: their containers may run for hours
            raise
