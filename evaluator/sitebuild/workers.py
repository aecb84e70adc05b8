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
from typing import Any

from evaluator.sitebuild.output import Made, Output

CHUNK = 50
"""Pages that a process takes at a time."""
FEW = 200
"""Pages that are not worth another process."""

Work = Callable[[], None]


@dataclass(frozen=True, kw_only=True)
class Job:
    """A page that has to be rendered."""

    path: str
    """Of the file, from the site's root."""
    inputs: str
    render: Callable[[], bytes]


class Aside:
    """What other processes put into the output, while this one goes on and then helps."""

    def __init__(self, works: Sequence[Work], output: Output, *, others: int = 1) -> None:
        """Begin, with so many processes where there are cores for them."""
        self._works = works
        self._output = output
        self._started: list[tuple[Any, Connection]] = []
        self._next: Callable[[], int] = itertools.count().__next__
        count = min(others, (os.cpu_count() or 1) - 1) if sys.platform == "linux" else 0
        if count < 1:
            return
        context = multiprocessing.get_context("fork")
        self._next = partial(_taken, context.Value("q", 0))
        for _ in range(count):
            here, there = context.Pipe(duplex=False)
            process = context.Process(target=self._do, args=(there,), daemon=True)
            process.start()
            there.close()
            self._started.append((process, here))

    def _do(self, connection: Connection) -> None:
        before, written = {*self._output.made}, self._output.written
        try:
            self._go_on()
            made = {path: one for path, one in self._output.made.items() if path not in before}
            connection.send((made, self._output.written - written))
        except BaseException as error:
            connection.send(error)
        finally:
            connection.close()

    def _go_on(self) -> None:
        while (place := self._next()) < len(self._works):
            self._works[place]()

    def finish(self) -> None:
        """Do what nobody has begun, and wait for the rest. Raises what went wrong there."""
        self._go_on()
        while self._started:
            process, here = self._started.pop()
            self._output.take(*_received(here))
            process.join()


def _taken(counter: Any) -> int:
    with counter.get_lock():
        place: int = counter.value
        counter.value = place + 1
    return place


def _received(connection: Connection) -> tuple[dict[str, Made], int]:
    try:
        found = connection.recv()
    except EOFError:
        raise RuntimeError("a process that makes the site died; was memory short?") from None
    if isinstance(found, BaseException):
        raise found
    made, written = found
    return made, written


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
