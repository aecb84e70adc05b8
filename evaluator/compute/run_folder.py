"""The scratch folder of one run, and clearing up after runs that died.

A lock says that a run is alive. The kernel drops it with the process, ``kill -9`` included; the
next run then removes what the dead one left: containers, volumes, files, memory.
"""

import contextlib
import fcntl
import uuid
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from evaluator.compute.engine.scratch import remove_tree
from evaluator.compute.memory import forget, memory_folder

_LOCK = "lock"


class RunFolder:
    """``root/<run id>/``, locked while this object is open."""

    def __init__(self, root: Path) -> None:
        self.id = uuid.uuid4().hex
        self.path = root / self.id
        self._root = root

    def __enter__(self) -> Self:
        self.path.mkdir(parents=True)
        self._lock = (self.path / _LOCK).open("w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        forget(self.id)
        remove_tree(self.path)
        self._lock.close()

    def memory(self) -> Path:
        """Return a folder in memory, which goes with the run. Raises PlatformError."""
        return memory_folder(self.id)

    def clear_dead(self, remove_containers: Callable[[str], object]) -> int:
        """Remove what dead runs left; returns how many there were."""
        count = 0
        for folder in list(self._root.iterdir()):
            if folder == self.path:
                continue
            # Another run may clear the same: what is gone already is nobody's.
            gone = contextlib.suppress(FileNotFoundError, NotADirectoryError)
            with gone, (folder / _LOCK).open("r+") as lock:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue
                remove_containers(folder.name)
                forget(folder.name)
                remove_tree(folder)
                count += 1
        return count
