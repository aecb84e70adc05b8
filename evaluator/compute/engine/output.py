"""Folders that a stranger's program may write to, but not without bound, and reading them back."""

import contextlib
import ctypes
import os
import shutil
import stat
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.errors import PlatformError, printable

MAX_FILES = 20_000
"""Files and folders that one step may leave."""
MAX_PATH = 1024
"""Bytes of a path in the output: folders can be nested past what can be opened by its path."""

# The calls themselves: a process for each mount would cost a tenth of a container.
_LIBC = ctypes.CDLL(None, use_errno=True)
_MS_NOSUID, _MS_NODEV, _MS_NOSYMFOLLOW, _MNT_DETACH = 2, 4, 256, 2


class UnsafeOutputError(Exception):
    """What a program left cannot be taken; names the file and says why."""


@dataclass(frozen=True, kw_only=True)
class OutputFolder:
    """A folder on the host with room for ``size`` bytes."""

    path: Path
    size: int
    bounded: bool
    """Whether the kernel holds it to its size; else it must be watched."""

    def is_full(self) -> bool:
        """Whether nothing more could be written to it."""
        if not self.bounded:
            return is_over(self.path, self.size)
        status = os.statvfs(self.path)
        return status.f_bavail * status.f_frsize < 2**16 or status.f_favail == 0


@contextlib.contextmanager
def output_folder(path: Path, size: int, *, follow_links: bool = True) -> Iterator[OutputFolder]:
    """Make a folder that holds at most ``size`` bytes, and take it away again.

    Root gets a tmpfs of that size, whose pages count against the container's memory. Others get
    a plain folder that Watcher looks after. Without ``follow_links`` no program can follow a link
    in the tmpfs, whoever made it (from kernel 5.10 on).
    """
    path.mkdir(parents=True)
    bounded = os.geteuid() == 0 and _mount(path, size, follow_links=follow_links)
    if not bounded:
        path.chmod(0o777)
    try:
        yield OutputFolder(path=path, size=size, bounded=bounded)
    finally:
        if bounded:
            unmount(path)
        shutil.rmtree(path, ignore_errors=True)


def _mount(path: Path, size: int, *, follow_links: bool) -> bool:
    options = f"size={size},nr_inodes={MAX_FILES},mode=0777"
    flags = _MS_NOSUID | _MS_NODEV | (0 if follow_links else _MS_NOSYMFOLLOW)
    target = os.fsencode(path)
    return bool(_LIBC.mount(b"pullbench", target, b"tmpfs", flags, options.encode()) == 0)


def unmount(path: Path) -> None:
    """Unmount, lazily where something still holds it. Raises PlatformError."""
    for flags in (0, _MNT_DETACH):
        if _LIBC.umount2(os.fsencode(path), flags) == 0:
            return
    raise PlatformError(f"cannot unmount {path}: {os.strerror(ctypes.get_errno())}")


class Watcher:
    """Calls ``stop`` once one of some folders is full; looks twice a second."""

    def __init__(self, folders: Sequence[OutputFolder], stop: Callable[[], None]) -> None:
        self._folders = folders
        self._stop = stop
        self._done = threading.Event()
        self._exceeded = False
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while not self._done.wait(0.5):
            if any(folder.is_full() for folder in self._folders):
                self._exceeded = True
                self._stop()
                return

    def finish(self) -> bool:
        """Stop watching; whether a folder is or was too large."""
        self._done.set()
        return self._exceeded or any(folder.is_full() for folder in self._folders)


def is_over(folder: Path, size: int) -> bool:
    """Whether a folder holds more than ``size`` bytes or MAX_FILES entries. Follows no link."""
    total = count = 0
    pending = [folder]
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    count += 1
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(Path(entry.path))
                    else:
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if count > MAX_FILES or total > size:
                        return True
        except OSError:
            continue  # it went away while we looked, or nobody may read it
    return False


def find_link(folder: Path) -> str | None:
    """Path of a link below a folder, printable; None without one. Other files are not opened."""
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(parent, name)
            if path.is_symlink():
                return printable(str(path.relative_to(folder)))
    return None


def collect(source: Path, target: Path, size: int) -> None:
    """Copy what a program left, after its end: plain files and folders, at most ``size`` bytes.

    Raises UnsafeOutputError for links, pipes, sockets, odd names, and files that claim to be
    larger than the folder was (sparse ones would fill the disk).
    """
    count = 0
    budget = size
    pending = [(source, target)]
    while pending:
        folder, copy = pending.pop()
        copy.mkdir(parents=True, exist_ok=True)
        with os.scandir(folder) as entries:
            for entry in entries:
                count += 1
                relative = str(Path(entry.path).relative_to(source))
                if len(os.fsencode(relative)) > MAX_PATH:
                    raise UnsafeOutputError(f"a path is longer than {MAX_PATH} bytes")
                name = printable(relative)
                if count > MAX_FILES:
                    raise UnsafeOutputError(f"more than {MAX_FILES} files were written")
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode):
                    pending.append((Path(entry.path), copy / entry.name))
                elif stat.S_ISREG(status.st_mode):
                    budget -= status.st_size
                    if budget < 0:
                        raise UnsafeOutputError(f"'{name}' is larger than the {size:,} bytes given")
                    _copy(Path(entry.path), copy / entry.name, status.st_size, name)
                else:
                    raise UnsafeOutputError(f"'{name}' is a link or a special file")


def _copy(source: Path, target: Path, size: int, name: str) -> None:
    content = read_regular(source, size)
    if content is None:
        raise UnsafeOutputError(f"'{name}' cannot be read")
    target.write_bytes(content)


def read_regular(path: Path, max_bytes: int) -> bytes | None:
    """Content of a plain file of bounded size; None where there is none. Follows no link."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        # Before a file object is made of it: Python makes none of a folder.
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            content = file.read(max_bytes + 1)
    finally:
        os.close(descriptor)
    return content if len(content) <= max_bytes else None
