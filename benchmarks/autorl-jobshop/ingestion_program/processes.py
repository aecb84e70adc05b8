"""Processes of an agent: started alone, and ended without exception. Standard library alone."""

import contextlib
import ctypes
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
PAUSE = 0.001


def guard() -> None:
    """Inherit every orphan below this process, and let none look into its memory or files.

    Agents run as the same user. Without this one could take the line to the environment, and play
    other episodes than its own.
    """
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def is_alone() -> bool:
    """Whether every other process that can be seen came of this one: in a container."""
    return os.getpid() == 1


def end_all(group: int) -> None:
    """Kill all that came of an agent, what is born meanwhile included, and wait for its end."""
    while True:
        # In a container one call reaches all, also those that fork faster than they can be listed.
        for target in [-1] if is_alone() else [-group, *_descendants()]:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(target, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(PAUSE)


def _descendants() -> list[int]:
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((path / "stat").read_text(errors="replace").rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(path.name))
    found: list[int] = []
    pending = [os.getpid()]
    while pending:
        below = parents.get(pending.pop(), [])
        found += below
        pending += below
    return found


def forget(shared: Path) -> None:
    """Delete what an agent left: the next one begins anew. Not outside of a container."""
    if not is_alone():
        return
    for folder in (shared, Path("/app/output"), Path(tempfile.gettempdir()), Path("/dev/shm")):
        with contextlib.suppress(OSError):
            for path in folder.iterdir():
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)
