"""A participant's processes: guarded against, ended, and forgotten. Standard library alone.

They run as the same user and in the same container as the organiser's process that starts them.
So that process takes nothing from them but plain files and bytes, and between two of them calls
``end_all`` and then ``forget``. Several bundles have this file; a test holds the copies equal.

What no process in the container can take back are counters of the kernel (process ids, the clock,
peaks of the cgroup): they tell the next process a few numbers, and no more.
"""

import contextlib
import ctypes
import os
import resource
import signal
import stat
import sys
import tempfile
import time
from pathlib import Path

PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
IPC_RMID = 0
PAUSE = 0.001
FOLDERS = ("/tmp", "/dev/shm", "/dev/mqueue")
"""All that can be written to in a container of pullbench's, but for the output."""
OWN = ("HOME", "TMPDIR", "PULLBENCH_STAGES")
"""Variables that are the organiser's process's alone."""
LIMITS = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]


def guard() -> None:
    """Inherit every orphan below this process, and let none look into its memory or files.

    As process 1 of a container it gets no signal from them either.
    """
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def is_alone() -> bool:
    """Whether every other process that can be seen came of this one: in a container."""
    return os.getpid() == 1


def environment(home: Path) -> dict[str, str]:
    """Variables for a participant's process."""
    passed = {key: value for key, value in os.environ.items() if key not in OWN}
    return {**passed, "HOME": str(home), "TMPDIR": str(home)}


def end_all(group: int | None = None) -> None:
    """Kill all that came of this process, what is born meanwhile included; wait for its end.

    ``group`` is a process group besides, for systems without /proc.
    """
    while True:
        if is_alone():
            # One call reaches all, also those that fork faster than they can be listed.
            targets = [-1]
        else:
            targets = descendants() if group is None else [-group, *descendants()]
        for target in targets:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(target, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(PAUSE)


def descendants() -> list[int]:
    """Ids of all processes below this one; none where there is no /proc."""
    children: dict[int, list[int]] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # The name in brackets may hold anything; the parent is the second word after it.
            parent = int(file.read_text(errors="replace").rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(file.parent.name))
    below: list[int] = []
    pending = [os.getpid()]
    while pending:
        more = children.get(pending.pop(), [])
        below += more
        pending += more
    return below


def forget(*folders: Path, keep: Path | None = None) -> None:
    """Remove what ended processes left, but for ``keep``: the next one begins anew.

    ``folders`` are those of the caller's; in a container everything else goes, too. Ends this
    process where something stays: whoever can do that has meddled with it.
    """
    if is_alone():
        remove_ipc()
        folders += (*map(Path, FOLDERS), Path(tempfile.gettempdir()))
    left = [str(folder) for folder in folders if is_folder(folder) and not clear(folder, keep)]
    if left:
        sys.exit(f"what was left in {', '.join(left)} cannot be removed")
    if traits() != TRAITS:
        sys.exit("the limits or the priority of the organiser's process were changed")


def clear(folder: Path, keep: Path | None = None) -> bool:
    """Empty a folder, however deep it is and whatever its modes; False where something stays.

    Nothing may run meanwhile that could put links in the way.
    """

    def holds_kept(path: Path) -> bool:
        return keep is not None and is_folder(path) and keep.is_relative_to(path)

    count = 0
    try:
        while paths := [path for path in entries(folder) if not holds_kept(path)]:
            for path in paths:
                if not is_folder(path):
                    path.unlink()
                    continue
                for below in entries(path):
                    if is_folder(below):
                        # Up, and not down: no path grows, and nothing recurses.
                        below.chmod(stat.S_IRWXU)
                        below.rename(folder / f".{os.getpid()}-{count}")
                        count += 1
                    else:
                        below.unlink()
                path.rmdir()
        return all(path == keep or clear(path, keep) for path in entries(folder))
    except OSError:
        return False


def entries(folder: Path) -> list[Path]:
    """List a folder of ours that a participant's process may have closed."""
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        folder.chmod(stat.S_IRWXU)
    return list(folder.iterdir())


def is_folder(path: Path) -> bool:
    """Whether it is one, and no link to one."""
    return path.is_dir() and not path.is_symlink()


def remove_ipc() -> None:
    """Remove all System V shared memory, message queues and semaphores of this container."""
    libc = ctypes.CDLL(None)
    calls = {"shm": libc.shmctl, "msg": libc.msgctl, "sem": lambda id_, *_: libc.semctl(id_, 0, 0)}
    for kind, call in calls.items():
        with contextlib.suppress(OSError):
            for line in Path("/proc/sysvipc", kind).read_text().splitlines()[1:]:
                call(int(line.split()[1]), IPC_RMID, None)


def traits() -> tuple[object, ...]:
    """What another process of the same user can change of this one."""
    limits = [resource.getrlimit(limit) for limit in LIMITS]
    if sys.platform != "linux":
        return (limits,)
    return (
        limits,
        os.getpriority(os.PRIO_PROCESS, 0),
        os.sched_getaffinity(0),
        os.sched_getscheduler(0),
    )


TRAITS = traits()
