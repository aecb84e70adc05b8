"""Ends processes that do not want to end. For Linux."""

import contextlib
import ctypes
import os
import signal
import time
from pathlib import Path

PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36


def guard() -> None:
    """Become the parent of all orphans below, and out of reach of their debuggers.

    A process that leaves its session and its parent is still found. In a container this is
    process 1 besides, which takes no signals from inside.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    for option, value in ((PR_SET_CHILD_SUBREAPER, 1), (PR_SET_DUMPABLE, 0)):
        if libc.prctl(option, value, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl failed")


def kill_group(leader: int) -> None:
    """Kill the process group of a session's leader that is not reaped yet."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def kill_descendants(seconds: float = 0.5) -> bool:
    """Kill and reap every process below this one; False where some are still there.

    Those that fork while the list is read are in the next one.
    """
    end = time.monotonic() + seconds
    while True:
        for pid in _descendants():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not _descendants():
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.01)


def _descendants() -> list[int]:
    children: dict[int, list[int]] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # The name in brackets may hold anything; the parent is the second word after it.
            words = file.read_bytes().rpartition(b")")[2].split()
            children.setdefault(int(words[1]), []).append(int(file.parent.name))
    found: list[int] = []
    new = children.get(os.getpid(), [])
    while new:
        found += new
        new = [child for pid in new for child in children.get(pid, [])]
    return found
