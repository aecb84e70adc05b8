"""One half of a submission under a clock that it cannot reach. Standard library alone.

The clock is this process's own and monotonic. At its end every process that came of the half is
killed with SIGKILL, which nothing catches and for which no C call has to return: those in other
sessions and process groups, and orphans of those that have ended, too.
"""

import os
import select
import signal
import subprocess
import time
from dataclasses import dataclass
from typing import Literal

from processes import end_all

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
