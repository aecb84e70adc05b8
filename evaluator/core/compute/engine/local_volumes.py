"""Volumes of a holder, opened through its process where that runs on this machine.

For each archive that a daemon sends or takes it starts a program of its own, which takes 0.1 s; a
small file is read or written here in under a millisecond. A holder in another user namespace, on
another machine or of another user cannot be opened: then archives serve.
"""

import contextlib
import os
import select
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from evaluator.core.compute.engine.output import Room, open_below

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PAGE = 4096
_START_SECONDS = 2.0


class LocalVolumes:
    """Open descriptors of a holder's process, and of its volumes by number."""

    def __init__(self, pid: int, container: str, place: str, rooms: Sequence[Room]) -> None:
        """Open the volumes below ``place`` of a container's process. Raises OSError."""
        self.folders: list[int] = []
        with contextlib.ExitStack() as stack:
            self._process = os.pidfd_open(pid)
            stack.callback(self.close)
            process = Path(f"/proc/{pid}")
            # The number of another machine's container is some other process's here.
            if container not in (process / "cgroup").read_text():
                raise ProcessLookupError(pid)
            # In another namespace users have other numbers.
            if (process / "uid_map").read_text() != Path("/proc/self/uid_map").read_text():
                raise PermissionError(pid)
            await_program(process)
            root = os.open(process / "root", _FOLDER)
            try:
                for number, room in enumerate(rooms):
                    with open_below(root, (place.strip("/"), str(number))) as folder:
                        self.folders.append(os.dup(folder))
                    status = os.fstatvfs(self.folders[-1])
                    if status.f_blocks * status.f_frsize != -(-room.size // _PAGE) * _PAGE:
                        raise NotADirectoryError(number)
            finally:
                os.close(root)
            if not self.is_alive:
                raise ProcessLookupError(pid)
            stack.pop_all()

    @property
    def is_alive(self) -> bool:
        poll = select.poll()
        poll.register(self._process, select.POLLIN)
        return not poll.poll(0)

    def close(self) -> None:
        for descriptor in (self._process, *self.folders):
            os.close(descriptor)


def await_program(process: Path) -> None:
    """Wait until a container's process runs its program.

    An engine may say that it started while its own code, which only root may open, is in there.
    """
    end = time.monotonic() + _START_SECONDS
    while (process / "comm").read_text().startswith("runc") and time.monotonic() < end:
        time.sleep(0.002)


def fill(volume: int, folder: Path, owner: int) -> None:
    """Copy a folder of ours into an open one, where ``owner`` may write then. Raises OSError."""
    for path in sorted(folder.rglob("*")):
        *above, name = path.relative_to(folder).parts
        with open_below(volume, tuple(above)) as parent:
            if path.is_dir():
                os.mkdir(name, dir_fd=parent)
                with open_below(parent, (name,)) as inner:
                    os.fchown(inner, owner, owner)
                    os.fchmod(inner, 0o777)
                continue
            with path.open("rb") as source:
                opened = os.open(name, _NEW, 0o600, dir_fd=parent)
                with os.fdopen(opened, "wb") as copy:
                    shutil.copyfileobj(source, copy, 2**20)
                    os.fchown(opened, owner, owner)
                    os.fchmod(opened, path.stat().st_mode & 0o777 | 0o666)
