"""Making very many objects at once."""

import contextlib
import gc
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def without_collection() -> Iterator[None]:
    """Hold the search for garbage cycles meanwhile, which a million new objects set off in vain.

    What is made of files holds no cycles. Counting references frees the rest as ever. Afterwards
    all of it is old at once: as new objects the next allocation would have them looked at.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            if not gc.get_freeze_count():  # else somebody keeps objects out of sight
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def shared_out(
    items: Sequence[T], work: Callable[[Sequence[T]], bytes], *, few: int
) -> Iterator[bytes]:
    """Yield, in order, what ``work`` makes of parts of the items: in a process for each core.

    Up to ``few`` items are one part, and none is worth a process. Processes are forked, so that
    they see everything without a copy; where a platform cannot fork safely, one does it all.
    """
    alone = sys.platform != "linux" or multiprocessing.parent_process() is not None
    count = 1 if alone else os.cpu_count() or 1
    size = max(few, -(-len(items) // count))
    parts = [items[start : start + size] for start in range(0, len(items), size)]
    started = []
    for part in parts[1:]:
        context = multiprocessing.get_context("fork")
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_send, args=(work, part, there), daemon=True)
        process.start()
        there.close()
        started.append((process, here))
    if parts:
        yield work(parts[0])
    for part, (process, here) in zip(parts[1:], started, strict=True):
        try:
            made = here.recv_bytes()
        except EOFError:  # it failed; here the reason is told
            made = work(part)
        here.close()
        process.join()
        yield made


def _send(work: Callable[[Sequence[T]], bytes], part: Sequence[T], connection: Connection) -> None:
    with contextlib.suppress(Exception):
        connection.send_bytes(work(part))
    connection.close()
