"""Renders pages in as many processes as there are cores.

Processes are forked, so that they see all boards without a copy. Where a platform cannot fork
safely, and for few pages, everything happens in this process.
"""

import gc
import multiprocessing
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from evaluator.sitebuild.output import Made, Output

CHUNK = 50
"""Pages that a process takes at a time."""
FEW = 200
"""Pages that are not worth another process."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """A page that has to be rendered."""

    path: str
    """Of the file, from the site's root."""
    inputs: str
    render: Callable[[], bytes]


def run(jobs: Sequence[Job], output: Output) -> None:
    """Render and put all pages."""
    others = min((os.cpu_count() or 1) - 1, len(jobs) // FEW) if sys.platform == "linux" else 0
    if others < 1:
        for job in jobs:
            output.put(job.path, job.render(), job.inputs)
        return
    context = multiprocessing.get_context("fork")
    counter = context.Value("q", 0)
    # What is there already is not garbage: collecting it would only copy it to each process.
    was = gc.isenabled()
    gc.collect()
    gc.freeze()
    gc.enable()  # rendering leaves circles, and only what is new is looked at
    try:
        started = []
        for _ in range(others):
            here, there = context.Pipe(duplex=False)
            process = context.Process(
                target=_work, args=(jobs, output, counter, there), daemon=True
            )
            process.start()
            there.close()
            started.append((process, here))
        _render(jobs, output, counter)
        for process, here in started:
            made, written = _received(here)
            output.take(made, written)
            process.join()
    finally:
        gc.unfreeze()
        if not was:
            gc.disable()


def _received(connection: Connection) -> tuple[dict[str, Made], int]:
    try:
        found = connection.recv()
    except EOFError:
        raise RuntimeError("a process that renders pages died; was memory short?") from None
    if isinstance(found, BaseException):
        raise found
    made, written = found
    return made, written


def _work(jobs: Sequence[Job], output: Output, counter: Any, connection: Connection) -> None:
    try:
        connection.send(_render(jobs, output, counter))
    except BaseException as error:
        connection.send(error)
    finally:
        connection.close()


def _render(jobs: Sequence[Job], output: Output, counter: Any) -> tuple[dict[str, Made], int]:
    made: dict[str, Made] = {}
    before = output.written
    while True:
        with counter.get_lock():
            start = counter.value
            counter.value = start + CHUNK
        if start >= len(jobs):
            return made, output.written - before
        for job in jobs[start : start + CHUNK]:
            made[job.path] = output.put(job.path, job.render(), job.inputs)
