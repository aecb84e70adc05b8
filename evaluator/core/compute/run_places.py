"""Folders of a run beside its own: in memory, and with a short path in the temporary folder.

They are named after the run, so that the next run can remove what a killed one left. Their owner
alone may enter; a container is given a folder below, and needs no right to the way there.
"""

import os
import tempfile
from pathlib import Path

from evaluator.core.compute.engine.scratch import remove_tree
from evaluator.core.errors import PlatformError

_SHARED = Path("/dev/shm")  # noqa: S108 - the kernel's folder in memory; ours is made in it, 0700


def memory_folder(run_id: str) -> Path:
    """Return the run's folder in memory; made where it is not there. Raises PlatformError."""
    if not _is_memory(_SHARED):
        raise PlatformError(
            f"{_SHARED} is no memory of this machine, and what is encrypted is decrypted there "
            "alone",
            hint="Mount a tmpfs there, or send the cell to a queue whose runners have one.",
        )
    return _folder(_SHARED, run_id)


def temporary_folder(run_id: str) -> Path:
    """Return the run's temporary folder; made where it is not there. Raises PlatformError.

    Its path is short, as that of a Unix socket in it has to be.
    """
    return _folder(Path(tempfile.gettempdir()), run_id)


def remove_run_places(run_id: str) -> None:
    """Remove a run's folders, as far as it has any."""
    for parent in (_SHARED, Path(tempfile.gettempdir())):
        path = parent / f"pullbench-{run_id}"
        if _is_ours(path):
            remove_tree(path)


def _folder(parent: Path, run_id: str) -> Path:
    path = parent / f"pullbench-{run_id}"
    path.mkdir(mode=0o700, exist_ok=True)
    if not _is_ours(path):
        raise PlatformError(f"{path} is somebody else's", hint="Remove it, and run again.")
    return path


def _is_ours(path: Path) -> bool:
    try:
        return not path.is_symlink() and path.stat().st_uid == os.geteuid()
    except OSError:
        return False


def _is_memory(path: Path) -> bool:
    try:
        lines = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    kinds = {fields[1]: fields[2] for line in lines if len(fields := line.split()) > 2}
    return kinds.get(str(path)) in {"tmpfs", "ramfs"}
