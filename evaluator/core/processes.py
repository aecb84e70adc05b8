"""Work that several processes share: they are forked, and so see everything here without a copy.

No executor of the standard library does this: it starts threads, and then no process may be
forked again, and takes only functions that can be pickled. Where a platform cannot fork safely,
and in a process that was forked itself, the work is done here.
"""

import contextlib
import itertools
import multiprocessing
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from evaluator.core.errors import PlatformError

T = TypeVar("T")
Results = dict[int, T]
"""By the place of the function that returned it."""


class Tasks(Generic[T]):
    """Functions that other processes have begun to call while this one goes on."""

    def __init__(self, functions: Sequence[Callable[[], T]], *, processes: int = 1) -> None:
        """Begin, with so many further processes if there are cores for them."""
        self._functions = functions
        self._next: Callable[[], int] = itertools.count().__next__
        self._workers: list[_Worker[T]] = []
        count = min(processes, len(functions), _spare_cores())
        if count > 0:
            counter = multiprocessing.get_context("fork").Value("q", 0)
            self._next = partial(_next_place, counter)
            self._workers = [_Worker(self._call_rest) for _ in range(count)]

    def results(self) -> list[T]:
        """Call what nobody has begun, and return all in order, once. Raises what any raised."""
        results = self._call_rest()
        for worker in self._workers:
            results.update(worker.result())
        return [results[place] for place in range(len(self._functions))]

    def _call_rest(self) -> Results[T]:
        results: Results[T] = {}
        while (place := self._next()) < len(self._functions):
            results[place] = self._functions[place]()
        return results


def _spare_cores() -> int:
    """How many further processes have a core; 0 where none can be forked safely."""
    if sys.platform != "linux" or multiprocessing.parent_process() is not None:
        return 0
    return (os.cpu_count() or 1) - 1


def _next_place(counter: Any) -> int:
    with counter.get_lock():
        place: int = counter.value
        counter.value = place + 1
    return place


class _Worker(Generic[T]):
    """One process, and the pipe that its results come through."""

    def __init__(self, work: Callable[[], Results[T]]) -> None:
        context = multiprocessing.get_context("fork")
        self._connection, there = context.Pipe(duplex=False)
        ends = (there, self._connection)
        self._process = context.Process(target=_send, args=(work, *ends), daemon=True)
        self._process.start()
        there.close()

    def result(self) -> Results[T]:
        try:
            result = self._connection.recv()
        except EOFError:
            raise PlatformError(
                "a process of pullbench died before its work was done; was memory short?",
                hint="Run it again with more memory, or on one core: taskset -c 0 pullbench ...",
            ) from None
        finally:
            self._connection.close()
        self._process.join()
        if isinstance(result, BaseException):
            raise result
        results: Results[T] = result
        return results


def _send(work: Callable[[], Any], connection: Connection, other: Connection) -> None:
    other.close()  # so that it is noticed where nobody reads any more
    with connection, contextlib.suppress(BrokenPipeError):
        try:
            connection.send(work())
        except BrokenPipeError:
            raise
        except BaseException as error:
            connection.send(error)
