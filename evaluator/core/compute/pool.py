"""Evaluates jobs side by side, and stops cleanly."""

import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager

from evaluator.core.compute.engine.spec import Engine
from evaluator.core.compute.evaluation import CellState, Evaluated
from evaluator.core.compute.job import Job
from evaluator.core.compute.steps import Lane
from evaluator.core.compute.worker import Worker
from evaluator.core.errors import StoppedError

Done = Callable[[Job, Evaluated], None]
Claim = Callable[[Job], bool]
"""Whether a job is for this run to do: asked when its turn has come, in any thread."""
_LOOK_SECONDS = 0.5


def evaluate_all(
    jobs: Sequence[Job], worker: Worker, *, lanes: int, fresh: bool, claim: Claim, done: Done
) -> list[Job]:
    """Evaluate all jobs; those of exclusive benchmarks come last, one at a time.

    Different folds of a task never run at once, also of two participants: an answer in the one is
    training data in the other, and programs that share a kernel can signal (locks on an eventfd,
    counters).

    ``done`` is called in this thread, once per job, as each ends. On KeyboardInterrupt running
    containers are killed, and their cells have no record. Returns the jobs that ``claim`` refused.
    """
    batches = [([job for job in jobs if not job.exclusive], lanes)]
    batches += [([job], 1) for job in jobs if job.exclusive]
    refused: list[Job] = []
    for batch, count in batches:
        refused += _side_by_side(batch, worker, count, fresh, claim, done)
    return refused


def _side_by_side(
    jobs: Sequence[Job], worker: Worker, lanes: int, fresh: bool, claim: Claim, done: Done
) -> list[Job]:
    """Keep ``lanes`` predictions going; scoring has lanes of its own, as many.

    A lane that has predictions begins with the next cell at once, as on hosted platforms, where
    scoring is a job of its own. Scoring programs are the organiser's, and short.

    There are twice as many threads as lanes: half make the next containers ready while others run,
    and read what those before have left.
    """
    halt = threading.Event()
    predicting, scoring = _Lanes(lanes, worker.engine), _Lanes(lanes, worker.engine)
    waiting: dict[tuple[str, int, int] | None, deque[Job]] = {}
    for job in jobs:
        waiting.setdefault(job.fold_turn, deque()).append(job)

    refused: list[Job] = []

    def begin(job: Job) -> CellState | Evaluated | None:
        with predicting.place() as lane:
            if halt.is_set():
                raise StoppedError
            if not claim(job):
                return None
            return worker.begin(job, fresh=fresh, lane=lane)

    def finish(cell: CellState) -> CellState | Evaluated | None:
        with scoring.place() as lane:
            if halt.is_set():
                raise StoppedError
            return worker.finish(cell, lane=lane)

    with (
        ThreadPoolExecutor(max_workers=2 * lanes, thread_name_prefix="lane") as first,
        ThreadPoolExecutor(max_workers=2 * lanes, thread_name_prefix="score") as second,
    ):
        pending: dict[Future[CellState | Evaluated | None], Job] = {}
        beginning: dict[Future[CellState | Evaluated | None], Job] = {}
        try:
            while True:
                while len(beginning) < 2 * lanes:
                    next_ = _pop_next(waiting, beginning.values())
                    if next_ is None:
                        break
                    future = first.submit(begin, next_)
                    pending[future] = beginning[future] = next_
                if not pending:
                    break
                # A signal may reach any thread, most often one that begins just then, and wakes no
                # other. This thread, which alone may act on it, wakes up again and again.
                ended, _ = wait(pending, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
                for future in ended:
                    job = pending.pop(future)
                    beginning.pop(future, None)
                    result = future.result()
                    if isinstance(result, CellState):
                        pending[second.submit(finish, result)] = job
                    elif result is None:
                        refused.append(job)
                    else:
                        done(job, result)
        except BaseException:
            halt.set()
            for future in pending:
                future.cancel()
            # Before the pools are waited for: their containers may run for hours.
            worker.engine.stop()
            raise
    return refused


def _pop_next(
    waiting: dict[tuple[str, int, int] | None, deque[Job]], beginning: Collection[Job]
) -> Job | None:
    """Take the next job out; skip a fold whose task has another one on its way."""
    busy = {turn[:2]: turn for job in beginning if (turn := job.fold_turn)}
    for turn, jobs in waiting.items():
        if turn is None or busy.get(turn[:2], turn) == turn:
            job = jobs.popleft()
            if not jobs:
                del waiting[turn]
            return job
    return None


class _Lanes:
    """So many containers run, and as many cells get ready; one if containers share files."""

    def __init__(self, count: int, engine: Engine) -> None:
        self._most = count
        self._engine = engine
        self._running = self._preparing = 0
        self._changed = threading.Condition()

    @property
    def _count(self) -> int:
        return 1 if self._engine.shares_files else self._most

    @contextmanager
    def place(self) -> Iterator[Lane]:
        """Wait until a cell may get ready; yields the lane to enter while its container runs."""
        with self._changed:
            self._changed.wait_for(lambda: self._preparing < self._count)
            self._preparing += 1
        place = _Place(self)
        try:
            yield place
        finally:
            if place.preparing:
                self._change(preparing=-1)

    def enter(self, *, preparing: bool) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._running < self._count)
            self._change(running=1, preparing=-1 if preparing else 0)

    def leave(self) -> None:
        self._change(running=-1)

    def _change(self, *, running: int = 0, preparing: int = 0) -> None:
        with self._changed:
            self._running += running
            self._preparing += preparing
            self._changed.notify_all()


class _Place:
    """A cell's lane. It is entered again where a platform fault is tried again."""

    def __init__(self, lanes: _Lanes) -> None:
        self._lanes = lanes
        self.preparing = True

    def __enter__(self) -> None:
        self._lanes.enter(preparing=self.preparing)
        self.preparing = False

    def __exit__(self, *_: object) -> None:
        self._lanes.leave()
