"""Puts pages and files in as many processes as there are cores.

Processes are forked, so that they see all boards without a copy. Where a platform cannot fork
safely, and for few pages, everything happens in this process.
"""

import contextlib
import gc
import itertools
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from evaluator.site.output import Made, Output

CHUNK = 50
"""Pages that a process takes at a time."""
FEW = 200
"""Pages that are not worth another process."""

T = TypeVar("T")
Work = Callable[[], Any]


@dataclass(frozen=True, kw_only=True)
class Job:
    """A page that has to be rendered."""

    path: str
    """Of the file, from the site's root."""
    inputs: str
    render: Callable[[], bytes]


class Forked(Generic[T]):
    """What another process makes, which sees everything here without a copy."""

    def __init__(self, make: Callable[[], T]) -> None:
        """Begin."""
        context = multiprocessing.get_context("fork")
        self._connection, there = context.Pipe(duplex=False)
        ends = (there, self._connection)
        self._process = context.Process(target=_make, args=(make, *ends), daemon=True)
        self._process.start()
        there.close()

    def result(self) -> T:
        """Wait for it. Raises what went wrong there."""
        try:
            found = self._connection.recv()
        except EOFError:
            raise RuntimeError("a process that makes the site died; was memory short?") from None
        finally:
            self._connection.close()
        self._process.join()
        if isinstance(found, BaseException):
            raise found
        made: T = found
        return made


def _make(make: Callable[[], Any], connection: Connection, other: Connection) -> None:
    other.close()  # so that one notices where nobody listens
    with connection, contextlib.suppress(BrokenPipeError):
        try:
            connection.send(make())
        except BrokenPipeError:
            raise
        except BaseException as error:
            connection.send(error)


def _others() -> int:
    """Return how many processes have a core beside this one; none where it cannot fork safely."""
    return (os.cpu_count() or 1) - 1 if sys.platform == "linux" else 0


def begin(make: Callable[[], T]) -> Callable[[], T]:
    """Have something made in another process, where there is a core, and return what waits for it.

    Else it is made when it is waited for.
    """
    return Forked(make).result if _others() else make


class Aside:
    """What other processes put into the output, while this one goes on and then helps."""

    def __init__(self, works: Sequence[Work], output: Output, *, others: int = 1) -> None:
        """Begin, with so many processes where there are cores for them."""
        self._works = works
        self._output = output
        self._results: dict[int, Any] = {}
        self._next: Callable[[], int] = itertools.count().__next__
        count = max(0, min(others, _others()))
        if count:
            context = multiprocessing.get_context("fork")
            self._next = partial(_taken, context.Value("q", 0))
        self._started = [Forked(self._done) for _ in range(count)]

    def _done(self) -> tuple[dict[str, Made], int, dict[int, Any]]:
        before, written = {*self._output.made}, self._output.written
        self._go_on()
        made = {path: one for path, one in self._output.made.items() if path not in before}
        return made, self._output.written - written, self._results

    def _go_on(self) -> None:
        while (place := self._next()) < len(self._works):
            self._results[place] = self._works[place]()

    def finish(self) -> list[Any]:
        """Do what nobody has begun, and wait for the rest; returns what each work returned.

        Raises what went wrong there.
        """
        self._go_on()
        for process in self._started:
            made, written, results = process.result()
            self._output.take(made, written)
            self._results.update(results)
        self._started = []
        return [self._results[place] for place in range(len(self._works))]


def _taken(counter: Any) -> int:
    with counter.get_lock():
        place: int = counter.value
        counter.value = place + 1
    return place


def run(jobs: Sequence[Job], output: Output) -> None:
    """Render and put all pages."""

    def put(start: int) -> None:
        for job in jobs[start : start + CHUNK]:
            output.put(job.path, job.render(), job.inputs)

    works = [partial(put, start) for start in range(0, len(jobs), CHUNK)]
    if len(jobs) < FEW:
        for work in works:
            work()
        return
    with _only_new_garbage():
        Aside(works, output, others=len(jobs) // FEW).finish()


@contextlib.contextmanager
def _only_new_garbage() -> Iterator[None]:
    """Collect the circles that rendering leaves, and look at nothing that is there already.

    Looking at it would copy all of it to each process.
    """
    was = gc.isenabled()
    gc.collect()
    gc.freeze()
    gc.enable()
    try:
        yield
    finally:
        gc.unfreeze()
        if not was:
            gc.disable()
