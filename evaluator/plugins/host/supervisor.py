"""Runs one program with its children and leaves none of them behind. Standard library alone.

The subprocess engine starts it as ``python supervisor.py <JSON>``; it prints a JSON report. As a
"child subreaper" it inherits every orphan below it, so that a process that leaves its session
and ignores all signals is still found, and killed. It ends the program when its own standard
input does: the engine closes it to stop the program, and the kernel when the engine dies.

``fork_server.py`` supervises programs that are forks of a warm interpreter in the same way.
"""

import contextlib
import ctypes
import errno
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

_PR_SET_CHILD_SUBREAPER = 36
_POLL_SECONDS = 0.02


def _children(parent: int) -> list[int]:
    """Ids of all descendants, zombies included; one may be missed while others end."""
    by_parent = None if Path("/proc/thread-self/children").exists() else _by_parent()
    pids: list[int] = []
    pending = [parent]
    while pending:
        pid = pending.pop()
        below = _listed(pid) if by_parent is None else by_parent.get(pid, [])
        pids += below
        pending += below
    return pids


def _listed(pid: int) -> list[int]:
    """Ids of the children that the kernel lists for each thread of a process."""
    pids: list[int] = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                pids += map(int, (thread / "children").read_text().split())
    return pids


def _by_parent() -> dict[int, list[int]]:
    """Read all of /proc, for kernels without such lists."""
    children: dict[int, list[int]] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                status = Path(entry.path, "stat").read_text()
                parent = int(status.rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    return children


def _resident(pids: list[int]) -> int:
    """Bytes of memory that the processes hold, shared pages counted in each."""
    pages = 0
    for pid in pids:
        try:
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        except (OSError, ValueError, IndexError):
            continue
    return pages * resource.getpagesize()


def _written(folder: str) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += Path(parent, name).lstat().st_blocks * 512
            except OSError:
                continue
    return total


def _reap_all() -> None:
    """Kill all descendants until none is left, those included that are born meanwhile."""
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        for pid in _children(os.getpid()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_POLL_SECONDS / 4)


def supervise(
    spec: dict[str, Any], begin: Callable[[BinaryIO], int], caller: int
) -> dict[str, object]:
    """Run what ``begin`` starts to its end; the end of the descriptor ``caller`` stops it."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    began = time.monotonic()
    deadline = began + spec["seconds"] if spec["seconds"] else None
    stopped_by = code = None
    peak = 0
    with Path(spec["log"]).open("wb") as log:
        try:
            program = begin(log)
        except OSError as error:
            return {"unstartable": errno.errorcode.get(error.errno or 0, "")}
    watched = [caller]
    # It signals the end at once; kernels before 5.3 have none, and are polled.
    with contextlib.suppress(AttributeError, OSError):
        watched.append(os.pidfd_open(program))
    ticks = used = 0
    look = 0.0
    while stopped_by is None:
        ready = select.select(watched, [], [], _POLL_SECONDS)[0]
        pid, status = os.waitpid(program, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            break
        ticks += 1
        looked = time.monotonic()
        if looked >= look:
            used = _resident(_children(os.getpid()))
            peak = max(peak, used)
            # On a busy machine that must not cost more than the program.
            look = time.monotonic() + 5 * (time.monotonic() - looked)
        if deadline is not None and time.monotonic() >= deadline:
            stopped_by = "time"
        elif used > spec["memory"]:
            stopped_by = "memory"
        elif ticks % 25 == 0 and any(_written(folder) > size for folder, size in spec["outputs"]):
            stopped_by = "output"
        elif caller in ready:
            stopped_by = "caller"
    wall = time.monotonic() - began
    ended = time.time()
    _reap_all()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "exit_code": code,
        "stopped_by": stopped_by,
        "wall_seconds": wall,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_memory": max(peak, usage.ru_maxrss * 1024),
        "ended": ended,
    }


def main() -> None:
    spec = json.loads(sys.argv[1])

    def begin(log: BinaryIO) -> int:
        program = subprocess.Popen(
            spec["command"], cwd=spec["workdir"], env=spec["environment"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        program.returncode = 0  # it is waited for below, by its id
        return program.pid

    print(json.dumps(supervise(spec, begin, sys.stdin.fileno())))


if __name__ == "__main__":
    main()
