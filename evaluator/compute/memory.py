"""A folder in memory for what must not lie on a disk, and taking it away again.

It is named after the run, so that the next run can remove what a killed one left. Its owner alone
may enter; a container is given a folder below it, and needs no right to the way there.
"""

import os
import shutil
from pathlib import Path

from evaluator.errors import PlatformError

_SHARED = Path("/dev/shm")  # noqa: S108 - the kernel's folder in memory; ours is made in it, 0700


def memory_folder(run_id: str) -> Path:
    """Return the run's folder in memory; made where it is not there. Raises PlatformError."""
    if not _is_memory(_SHARED):
        raise PlatformError(
            f"{_SHARED} is no memory of this machine, and what is encrypted is decrypted there "
            "alone",
            hint="Mount a tmpfs there, or send the cell to a queue whose runners have one.",
        )
    path = _path(run_id)
    path.mkdir(mode=0o700, exist_ok=True)
    if path.is_symlink() or path.stat().st_uid != os.geteuid():
        raise PlatformError(f"{path} is somebody else's", hint="Remove it, and run again.")
    return path


def forget(run_id: str) -> None:
    """Remove a run's folder in memory, if it has one."""
    shutil.rmtree(_path(run_id), ignore_errors=True)


def _path(run_id: str) -> Path:
    return _SHARED / f"pullbench-{run_id}"


def _is_memory(path: Path) -> bool:
    try:
        lines = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    kinds = {fields[1]: fields[2] for line in lines if len(fields := line.split()) > 2}
    return kinds.get(str(path)) in {"tmpfs", "ramfs"}
