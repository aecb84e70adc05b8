"""Cells that a run is evaluating, so that another run in the same tree leaves them to it."""

import fcntl
import hashlib
from pathlib import Path
from types import TracebackType
from typing import Self


class Claims:
    """Claims of one process, while this object is open.

    A claim is a lock on one byte of a file: the kernel drops it with the process, ``kill -9``
    included. One process has one such object for a file at a time.
    """

    def __init__(self, file: Path) -> None:
        self._path = file

    def __enter__(self) -> Self:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._path.open("w")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def take(self, name: str, *, wait: bool = False) -> bool:
        """Claim something until ``drop``; False where another process has it and nobody waits."""
        flags = fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB
        try:
            fcntl.lockf(self._file, flags, 1, _place(name))
        except BlockingIOError:
            return False
        return True

    def drop(self, name: str) -> None:
        """Give a claim up."""
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, _place(name))


def _place(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:7], "big")
