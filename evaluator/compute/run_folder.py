"""The scratch folder of one run, and clearing up after runs that died.

A lock says that a run is alive. The kernel drops it with the process, ``kill -9`` included; the
next run then removes what the dead one left: containers, volumes, files, memory.
"""

import contextlib
import fcntl
import os
import uuid
from collections.abc import Callable, Iterator
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
        self._root.mkdir(parents=True, exist_ok=True)
        with self._gate():
            self.path.mkdir()
            self._lock = (self.path / _LOCK).open("w")
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        return self

    @contextlib.contextmanager
    def _gate(self) -> Iterator[None]:
        """Hold the lock under which runs begin: a folder without a lock is a killed run's."""
        gate = os.open(self._root, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(gate, fcntl.LOCK_EX)
            yield
        finally:
            os.close(gate)

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
            with contextlib.ExitStack() as stack:
                try:
                    with self._gate():
                        lock = stack.enter_context((folder / _LOCK).open("w"))
                        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:  # it is alive, has ended, or is another's to clear
                    continue
                remove_containers(folder.name)
                forget(folder.name)
                remove_tree(folder)
                count += 1
        return count
