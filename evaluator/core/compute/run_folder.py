"""The scratch folder of one run, its locks, and clearing up after runs that died.

A lock says that a run is alive. The kernel drops it with the process, ``kill -9`` included; the
next run then removes what the dead one left: containers, volumes, files, memory, cgroups. All of
it bears the run's id, and what another program keeps (Docker) is labelled with the place of the
runs, too, so that it is found also if the folder is gone.

A run has two folders beside its own: in memory, and with a short path in the temporary folder.
Their owner alone may enter; a container is given a folder below, and needs no right to the way
there.
"""

import contextlib
import fcntl
import hashlib
import itertools
import os
import socket
import stat
import tempfile
import uuid
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Self

from evaluator.core.errors import PlatformError
from evaluator.core.formats.content_cache import locked_folder

_LOCK = "lock"
_SHARED = Path("/dev/shm")  # noqa: S108 - the kernel's folder in memory; ours is made in it, 0700


class RunFolder:
    """``root/<run id>/``, locked while this object is open."""

    def __init__(self, root: Path) -> None:
        self.id = uuid.uuid4().hex
        self.path = root / self.id
        self.is_kept = False
        """Whether it stays after the end: something of the run could not be removed yet."""
        self._root = root

    def __enter__(self) -> Self:
        self._root.mkdir(parents=True, exist_ok=True)
        with locked_folder(self._root):  # else a folder without a lock is a killed run's
            self.path.mkdir()
            self._lock = (self.path / _LOCK).open("w")
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        return self

    def __exit__(self, *_: object) -> None:
        remove_places(self.id)
        if not self.is_kept:
            remove_tree(self.path)
        self._lock.close()

    @property
    def place(self) -> str:
        """Name of the folder of runs; machines of one image share its path and a daemon."""
        status = self._root.stat()
        words = (socket.gethostname(), str(self._root.resolve()), status.st_dev, status.st_ino)
        return hashlib.sha256(repr(words).encode()).hexdigest()[:32]

    def memory(self) -> Path:
        """A folder in memory, which goes with the run. Raises PlatformError."""
        if not _is_memory(_SHARED):
            raise PlatformError(
                f"{_SHARED} is no memory of this machine, and what is encrypted is decrypted there "
                "alone",
                hint="Mount a tmpfs there, or send the cell to a queue whose runners have one.",
            )
        return self._beside(_SHARED)

    def temporary(self) -> Path:
        """A folder whose path is short, as that of a Unix socket in it has to be."""
        return self._beside(Path(tempfile.gettempdir()))

    def _beside(self, parent: Path) -> Path:
        path = parent / f"pullbench-{self.id}"
        path.mkdir(mode=0o700, exist_ok=True)
        if not _is_ours(path):
            raise PlatformError(f"{path} is somebody else's", hint="Remove it, and run again.")
        return path

    def clear_dead(
        self, remove_containers: Callable[[str], bool], known: Collection[str] = ()
    ) -> None:
        """Remove what dead runs left, those ``known`` elsewhere too, whose folder may be gone."""
        for name in sorted({*known, *(folder.name for folder in self._root.iterdir())}):
            if name == self.id:
                continue
            folder = self._root / name
            with contextlib.ExitStack() as stack:
                try:
                    with locked_folder(self._root):
                        if folder.exists() or name not in known:
                            lock = stack.enter_context((folder / _LOCK).open("w"))
                            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:  # it is alive, has ended, or is another's to clear
                    continue
                is_removed = remove_containers(name)
                remove_places(name)
                if is_removed:  # else the next run tries again
                    remove_tree(folder)


def remove_places(run_id: str) -> None:
    for parent in (_SHARED, Path(tempfile.gettempdir())):
        path = parent / f"pullbench-{run_id}"
        if _is_ours(path):
            remove_tree(path)


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a folder that only this account may enter, against other runs. Raises PlatformError."""
    hint = f"Whoever administers this machine looks who made it, and removes it: `rm -rf {folder}`."
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        raise PlatformError(f"{folder} is no folder, or not for this account", hint=hint) from None
    try:
        status = os.fstat(handle)
        if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) != 0o700:
            message = f"{folder} is somebody else's, or others may enter it"
            raise PlatformError(message, hint=hint)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"{folder} is in use by another run"
            raise PlatformError(message, hint="Repeat this when it has ended.") from None
        yield
    finally:
        os.close(handle)


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


@contextlib.contextmanager
def scratch_folder(parent: Path | None = None) -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="pullbench-", dir=parent))
    try:
        yield path
    finally:
        remove_tree(path)


def remove_tree(top: Path) -> None:
    """Remove a folder that may hold a stranger's files; what cannot be removed stays.

    Follows no link. Each folder below is moved to the top before it is emptied: neither depth nor
    length of path matters, as they do to ``shutil.rmtree``, which recurses.
    """
    names = (f"{uuid.uuid4().hex}-{number}" for number in itertools.count())
    pending = [top]
    while pending:
        folder = pending.pop()
        with contextlib.suppress(OSError):
            for entry in _list(folder):
                with contextlib.suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        place = top / next(names)
                        Path(entry.path).chmod(0o700)
                        pending.append(Path(entry.path).rename(place))
                    else:
                        Path(entry.path).unlink()
        if folder != top:
            with contextlib.suppress(OSError):
                folder.rmdir()
    with contextlib.suppress(OSError):
        top.rmdir()


def _list(folder: Path) -> list["os.DirEntry[str]"]:
    folder.chmod(0o700)
    with os.scandir(folder) as entries:
        return list(entries)


class RunLock:
    """Locks of the cells that a run evaluates: another run in the same tree leaves them to it.

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
