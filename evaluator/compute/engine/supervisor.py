"""Runs one program with its children and leaves none of them behind. Standard library alone.

The subprocess engine starts it as ``python supervisor.py <JSON>``; it prints a JSON report. As a
"child subreaper" it inherits every orphan below it, so that a process that leaves its session
and ignores all signals is still found, and killed. It ends the program when its own standard
input does: the engine closes it to stop the program, and the kernel when the engine dies.
"""

import ctypes
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_POLL_SECONDS = 0.02


def _children(parent: int) -> list[int]:
    """Ids of all descendants, zombies included."""
    by_parent: dict[int, list[int]] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            try:
                status = Path(entry.path, "stat").read_text()
            except OSError:
                continue
            by_parent.setdefault(int(status.rpartition(")")[2].split()[1]), []).append(
                int(entry.name)
            )
    found: list[int] = []
    pending = [parent]
    while pending:
        below = by_parent.get(pending.pop(), [])
        found += below
        pending += below
    return found


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
        for pid in _children(os.getpid()):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(_POLL_SECONDS)


def main() -> None:
    """Run what the JSON in argv says."""
    spec = json.loads(sys.argv[1])
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    began = time.monotonic()
    deadline = began + spec["seconds"] if spec["seconds"] else None
    stopped_by = None
    peak = 0
    with Path(spec["log"]).open("wb") as log:
        try:
            program = subprocess.Popen(
                spec["command"], cwd=spec["workdir"], env=spec["environment"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            print(json.dumps({"unstartable": str(error)}))
            return
        ticks = 0
        while program.poll() is None:
            ticks += 1
            used = _resident(_children(os.getpid()))
            peak = max(peak, used)
            if deadline is not None and time.monotonic() >= deadline:
                stopped_by = "time"
            elif used > spec["memory"]:
                stopped_by = "memory"
            elif ticks % 25 == 0 and any(
                _written(folder) > size for folder, size in spec["outputs"]
            ):
                stopped_by = "output"
            elif select.select([sys.stdin], [], [], _POLL_SECONDS)[0]:
                stopped_by = "caller"
            if stopped_by:
                break
        wall = time.monotonic() - began
        ended = time.time()
        code = program.poll()
        _reap_all()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = {
        "exit_code": code,
        "stopped_by": stopped_by,
        "wall_seconds": wall,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_memory": max(peak, usage.ru_maxrss * 1024),
        "ended": ended,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
