"""One half of a submission under a clock that it cannot reach. Standard library alone.

The clock is this process's own and monotonic. At its end every process that came of the half is
killed with SIGKILL, which nothing catches and for which no C call has to return: those in other
sessions and process groups, and orphans of those that have ended, too.
"""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
POLL_SECONDS = 0.01
MESSAGES = 64
"""Bytes that are kept of what the half says: enough for its two words."""


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a half ended, in seconds by the monotonic clock."""

    start_seconds: float
    """From its process's start until the model was made."""
    seconds: float
    """From then until its process ended; 0 where it did not come so far."""
    ending_seconds: float
    """From then until no process was left of it."""
    stopped: Literal["", "start", "budget"]
    """Which budget it passed."""
    done: bool
    """Whether the harness came to its end without an error."""
    code: int
    """Exit code; negative for a signal."""


def guard() -> None:
    """Inherit every orphan below this process, and let none look into its memory.

    The model's processes run as the same user: without this one could trace us and stop the clock.
    As process 1 of a container we also get no signal from them.
    """
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def is_alone() -> bool:
    """Whether every other process that we can see came of us: in a container of our own."""
    return os.getpid() == 1


def run(command: list[str], *, start_budget: float, budget: float) -> Ending:
    """Run one half. It says 'ready' when the model is made, and 'done' at its end."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    began = time.monotonic()
    process = subprocess.Popen(
        [*command, str(writer)],
        stdin=subprocess.DEVNULL, start_new_session=True, pass_fds=(writer,),
    )  # fmt: skip
    os.close(writer)
    said = b""
    ready: float | None = None
    stopped: Literal["", "start", "budget"] = ""
    code = None
    while code is None and not stopped:
        if select.select([reader], [], [], POLL_SECONDS)[0]:
            said += _read(reader)
        code = _ended(process)
        now = time.monotonic()
        if ready is None:
            if b"ready" in said:
                ready = now
            elif now - began > start_budget:
                stopped = "start"
        elif now - ready > budget:
            stopped = "budget"
        # Not before it was looked at: whoever floods the pipe must not hide the first word.
        said = said[-MESSAGES:]
    ended = time.monotonic()
    end_all(process.pid)
    said = (said + _read(reader))[-MESSAGES:]
    os.close(reader)
    process.returncode = -signal.SIGKILL if code is None else code  # reaped by end_all
    return Ending(
        start_seconds=(ready or ended) - began,
        seconds=ended - ready if ready else 0.0,
        ending_seconds=time.monotonic() - ended,
        stopped=stopped,
        done=not stopped and process.returncode == 0 and b"done" in said,
        code=process.returncode,
    )


def _read(reader: int) -> bytes:
    """Take a little of what stands in the pipe: whoever floods it only delays himself."""
    try:
        content = os.read(reader, 4096)
    except BlockingIOError:
        return b""
    if not content:
        # All writers are gone: select would return at once for ever.
        time.sleep(POLL_SECONDS)
    return content


def _ended(process: "subprocess.Popen[bytes]") -> int | None:
    pid, status = os.waitpid(process.pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if pid else None


def end_all(group: int | None = None) -> None:
    """Kill everything below this process, what is born meanwhile included, and wait for its end."""
    while True:
        if is_alone():
            # One call for all: a process that forks faster than it can be listed dies as well.
            _kill(-1)
        else:
            for pid in descendants():
                _kill(pid)
            if group is not None:  # all that a system without /proc offers
                _kill(-group)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(POLL_SECONDS / 5)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def descendants() -> list[int]:
    """Ids of all processes below this one; none where there is no /proc."""
    by_parent: dict[int, list[int]] = {}
    try:
        entries = [entry for entry in os.scandir("/proc") if entry.name.isdecimal()]
    except OSError:
        return []
    for entry in entries:
        try:
            status = Path(entry.path, "stat").read_text(errors="replace")
        except OSError:
            continue
        parent = int(status.rpartition(")")[2].split()[1])
        by_parent.setdefault(parent, []).append(int(entry.name))
    found: list[int] = []
    pending = [os.getpid()]
    while pending:
        below = by_parent.get(pending.pop(), [])
        found += below
        pending += below
    return found
