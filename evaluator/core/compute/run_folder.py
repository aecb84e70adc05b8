"""The scratch folder of one run, and clearing up after runs that died.

A lock says that a run is alive. The kernel drops it with the process, ``kill -9`` included; the
next run then removes what the dead one left: containers, volumes, files, memory, cgroups. All of
it bears the run's id, and what another program keeps (Docker) is labelled with the place of the
runs, too, so that it is found also where the folder is gone.
"""

import contextlib
import fcntl
import hashlib
import socket
import uuid
from collections.abc import Callable, Collection
from pathlib import Path
from types import TracebackType
from typing import Self

from evaluator.core.compute.engine.scratch import remove_tree
from evaluator.core.compute.run_places import memory_folder, remove_run_places, temporary_folder
from evaluator.core.formats.content_cache import locked_folder

_LOCK = "lock"


class RunFolder:
    """``root/<run id>/``, locked while this object is open."""

    def __init__(self, root: Path) -> None:
        self.id = uuid.uuid4().hex
        self.path = root / self.id
        self._root = root
        self._stays = False

    def __enter__(self) -> Self:
        self._root.mkdir(parents=True, exist_ok=True)
        with self._gate():
            self.path.mkdir()
            self._lock = (self.path / _LOCK).open("w")
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        return self

    def _gate(self) -> contextlib.AbstractContextManager[None]:
        """Hold the lock under which runs begin: a folder without a lock is a killed run's."""
        return locked_folder(self._root)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        remove_run_places(self.id)
        if not self._stays:
            remove_tree(self.path)
        self._lock.close()

    def stay(self) -> None:
        """Stay there after its end: something of the run could not be removed, and is to be."""
        self._stays = True

    @property
    def place(self) -> str:
        """Name of the folder of all runs, which no other on any machine has.

        Job containers and machines of one image share paths and a Docker daemon, but not this.
        """
        status = self._root.stat()
        words = (socket.gethostname(), str(self._root.resolve()), status.st_dev, status.st_ino)
        return hashlib.sha256(repr(words).encode()).hexdigest()[:32]

    def memory(self) -> Path:
        """Return a folder in memory, which goes with the run. Raises PlatformError."""
        return memory_folder(self.id)

    def temporary(self) -> Path:
        """Return a folder with a short path, which goes with the run. Raises PlatformError."""
        return temporary_folder(self.id)

    def clear_dead(
        self, remove_containers: Callable[[str], bool], known: Collection[str] = ()
    ) -> int:
        """Remove what dead runs left; returns of how many nothing is left.

        ``remove_containers`` says whether it could remove all. ``known`` are ids of runs in this
        place that something else has, whose folder may be gone.
        """
        count = 0
        for name in sorted({*known, *(folder.name for folder in self._root.iterdir())}):
            if name == self.id:
                continue
            folder = self._root / name
            with contextlib.ExitStack() as stack:
                try:
                    with self._gate():
                        if folder.exists() or name not in known:
                            lock = stack.enter_context((folder / _LOCK).open("w"))
                            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:  # it is alive, has ended, or is another's to clear
                    continue
                is_removed = remove_containers(name)
                remove_run_places(name)
                if is_removed:  # else the next run tries again
                    remove_tree(folder)
                    count += 1
        return count
