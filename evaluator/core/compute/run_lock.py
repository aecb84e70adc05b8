"""Locks of the cells that a run evaluates: another run in the same tree leaves them to it."""

import fcntl
import hashlib
from pathlib import Path
from typing import Self


class RunLock:
    """Locks of one process, while this object is open.

    Each is a lock on one byte of a file: the kernel drops it with the process, ``kill -9``
    included. One process has one such object for a file at a time.
    """

    def __init__(self, file: Path) -> None:
        self._path = file

    def __enter__(self) -> Self:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._path.open("w")
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def acquire(self, name: str, *, wait: bool = False) -> bool:
        """Lock a name until ``release``; False if another process has it, and nobody waits."""
        flags = fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB
        try:
            fcntl.lockf(self._file, flags, 1, _offset(name))
        except BlockingIOError:
            return False
        return True

    def release(self, name: str) -> None:
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, _offset(name))


def _offset(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:7], "big")
