"""One half of a submission under a clock that it cannot reach. Standard library alone.

The clock is this process's own and monotonic. At its end every process that came of the half is
killed with SIGKILL, which nothing catches and for which no C call has to return: those in other
sessions and process groups, and orphans of those that have ended, too.
"""

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from processes import end_all

POLL_SECONDS = 0.01
MESSAGES = 64
"""Bytes that are kept of what the half says: enough for its words."""
LOADING_SECONDS = 60
"""Until the half has begun with the model: what comes before is not the participant's."""


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a half ended, in seconds by the monotonic clock."""

    start_seconds: float
    """From the import of the model until it was made."""
    seconds: float
    """From then until its process ended; 0 where it did not come so far."""
    ending_seconds: float
    """From then until no process was left of it."""
    stopped: Literal["", "loading", "start", "budget"]
    """Which budget it passed."""
    hidden: bool
    """Whether it could read nothing but what it was given."""
    done: bool
    """Whether the harness came to its end without an error."""
    code: int
    """Exit code; negative for a signal."""


def run(
    command: list[str], hidden: str, give: Callable[[], object], *, start_budget: float,
    budget: float,
) -> Ending:  # fmt: skip
    """Run one half: half.py says which words it says.

    ``give`` puts its data there when the model is made: nothing can be learnt before.
    """
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    began = time.monotonic()
    process = subprocess.Popen(
        [*command, str(writer), hidden],
        stdin=subprocess.PIPE, bufsize=0, start_new_session=True, pass_fds=(writer,),
    )  # fmt: skip
    os.close(writer)
    said = b""
    loaded: float | None = None
    ready: float | None = None
    is_hidden = False
    stopped: Literal["", "loading", "start", "budget"] = ""
    code = None
    while code is None and not stopped:
        if select.select([reader], [], [], POLL_SECONDS)[0]:
            said += _read(reader)
        code = _ended(process)
        now = time.monotonic()
        if loaded is None and (b"hidden" in said or b"open" in said):
            # Nothing of the participant's has run before.
            loaded, is_hidden = now, b"hidden" in said
        if loaded is None:
            stopped = "loading" if now - began > LOADING_SECONDS else ""
        elif ready is None:
            if b"ready" in said:
                ready = now
                give()
                _say(process)
            elif now - loaded > start_budget:
                stopped = "start"
        elif now - ready > budget:
            stopped = "budget"
        # Not before it was looked at: whoever floods the pipe must not hide the first word.
        said = said[-MESSAGES:]
    ended = time.monotonic()
    if loaded is None:
        stopped = "loading"
    end_all(process.pid)
    said = (said + _read(reader))[-MESSAGES:]
    os.close(reader)
    if process.stdin is not None:
        process.stdin.close()
    process.returncode = -signal.SIGKILL if code is None else code  # reaped by end_all
    return Ending(
        start_seconds=(ready or ended) - loaded if loaded else 0.0,
        seconds=ended - ready if ready else 0.0,
        ending_seconds=time.monotonic() - ended,
        stopped=stopped,
        hidden=is_hidden,
        done=not stopped and process.returncode == 0 and b"done" in said,
        code=process.returncode,
    )


def _say(process: "subprocess.Popen[bytes]") -> None:
    """Let the half go on; whoever has read the line in its place finds the end of the input."""
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.write(b"\n")
        process.stdin.close()


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
