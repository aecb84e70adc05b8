"""Outputs of strangers' programs: bounded, and read back within bounds.

The engine decides where an output is, and this module what may be read of it. An error in it is
its writer's fault, never the machine's.
"""

import contextlib
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from evaluator.core.errors import error_name, printable

MAX_FILES = 20_000
"""Files and folders that one step may leave."""
MAX_PATH = 1024
"""Bytes of a path in the output."""
MAX_DEPTH = 64
"""Names of a path in the output."""
_CHUNK = 2**20
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_PAGE = 4096
_NEARLY = 2**16
"""Bytes that are left if a program met "no space", since it asked for more."""


class UnsafeOutputError(Exception):
    """A program's output cannot be read. Its names may be shown only where the program's log is."""

    def __init__(self, fault: str, name: str = "") -> None:
        super().__init__(f"'{name}' {fault}" if name else fault)
        self.fault = fault
        self.name = name

    def text(self, *, named: bool) -> str:
        return str(self) if named or not self.name else f"a file or folder {self.fault}"


class TooMuchError(UnsafeOutputError):
    """It is more than fits."""


@dataclass(frozen=True)
class Room:
    """What fits into an output."""

    size: int
    """Bytes."""
    files: int = MAX_FILES
    executable: bool = False
    """Whether a file in it may be run; what strangers write may not."""


@dataclass(frozen=True)
class OutputEntry:
    """A file or folder of an output, before anything of it is believed."""

    path: tuple[str, ...]
    kind: Literal["file", "folder", "link", "hard link", "special file"]
    size: int = 0
    content: IO[bytes] | None = None
    """Of a file, until the next entry is asked for."""


class OutputFolder(ABC):
    """A folder that a program may write to."""

    def __init__(self, source: str, room: Room) -> None:
        self.source = source
        """What the engine mounts: the name of a volume, or a path of this machine."""
        self.room = room

    @abstractmethod
    def fill(self, folder: Path) -> None:
        """Copy a folder into it; the program may write there. Raises PlatformError."""

    @abstractmethod
    def entries(self) -> AbstractContextManager[Iterator[OutputEntry]]:
        """Yield folders before what is in them. Raises UnsafeOutputError, PlatformError."""

    def free(self) -> tuple[int, int] | None:
        """Bytes and files that still fit, if that is known without reading it."""
        return None


def is_full(output: OutputFolder) -> bool:
    if free := output.free():
        return free[0] < _NEARLY or free[1] <= 0
    total = count = 0
    with contextlib.suppress(UnsafeOutputError), output.entries() as entries:
        for entry in entries:
            count += 1
            total += -(-entry.size // _PAGE) * _PAGE
            if total > output.room.size - _NEARLY or count >= output.room.files - 1:
                return True
    return False


def has_link(output: OutputFolder) -> bool:
    with output.entries() as entries:
        return any(entry.kind == "link" for entry in _bounded(entries))


def collect(output: OutputFolder, target: Path) -> None:
    """Copy what a program left, after its end, into an empty folder: plain files and folders.

    Raises UnsafeOutputError for all else, and for files that together claim to be larger than
    the output was: sparse ones would fill the disk.
    """
    left = output.room.size
    with output.entries() as entries:
        for entry in _bounded(entries):
            if entry.kind not in ("file", "folder"):
                raise UnsafeOutputError(f"is a {entry.kind}", _printable(entry))
            left -= entry.size
            if left < 0:
                raise TooMuchError(
                    f"is larger than the {output.room.size:,} bytes given", _printable(entry)
                )
            try:
                _copy(entry, target.joinpath(*entry.path), entry.size)
            except FileExistsError:  # this machine's file system takes two names for one
                raise UnsafeOutputError("has the name of another", _printable(entry)) from None


def copy_top_files(output: OutputFolder, target: Path, size: int) -> None:
    """Copy the plain files at the top, of larger ones one byte more, so that it is seen."""
    target.mkdir()
    with output.entries() as entries:
        for entry in entries:
            if entry.kind == "file" and len(entry.path) == 1:
                _copy(entry, target.joinpath(*entry.path), size + 1)


def walk(root: int) -> Iterator[OutputEntry]:
    """Yield what is below an open folder, each folder before what is in it. Follows no link.

    Sockets are left out, as by engines' archives. Deeper than MAX_DEPTH nothing is read: the reader
    has been warned. Raises UnsafeOutputError.
    """
    try:
        yield from _walk(root)
    except OSError as error:  # nobody but its holder could change it since
        raise UnsafeOutputError(f"something in it cannot be read ({error_name(error)})") from None


def _walk(root: int) -> Iterator[OutputEntry]:
    pending: list[tuple[str, ...]] = [()]
    named: set[int] = set()
    while pending:
        folder = pending.pop()
        with open_below(root, folder) as parent:
            with os.scandir(parent) as entries:
                names = sorted(entry.name for entry in entries)
            for name in names:
                path = (*folder, name)
                status = os.stat(name, dir_fd=parent, follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode):
                    if len(path) <= MAX_DEPTH:
                        pending.append(path)
                    yield OutputEntry(path, "folder")
                elif stat.S_ISLNK(status.st_mode):
                    yield OutputEntry(path, "link")
                elif not stat.S_ISREG(status.st_mode):
                    if not stat.S_ISSOCK(status.st_mode):
                        yield OutputEntry(path, "special file")
                elif status.st_nlink > 1 and status.st_ino in named:
                    yield OutputEntry(path, "hard link")
                else:
                    named.add(status.st_ino)
                    with os.fdopen(os.open(name, _READ, dir_fd=parent), "rb") as content:
                        yield OutputEntry(path, "file", status.st_size, content)


@contextlib.contextmanager
def open_below(root: int, names: tuple[str, ...]) -> Iterator[int]:
    """Open a folder below an open one, name by name, so that no link leads elsewhere."""
    descriptor = os.open(".", _READ | os.O_DIRECTORY, dir_fd=root)
    try:
        for name in names:
            inner = os.open(name, _READ | os.O_DIRECTORY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def _bounded(entries: Iterator[OutputEntry]) -> Iterator[OutputEntry]:
    for count, entry in enumerate(entries, start=1):
        if count > MAX_FILES:
            raise TooMuchError(f"more than {MAX_FILES} files were written")
        if len(entry.path) > MAX_DEPTH:
            raise UnsafeOutputError(f"folders are nested more than {MAX_DEPTH} deep")
        path = "/".join(entry.path)
        if len(path.encode("utf-8", "surrogateescape")) > MAX_PATH:
            raise UnsafeOutputError(f"a path is longer than {MAX_PATH} bytes")
        if not path.isprintable():
            raise UnsafeOutputError("has a name with characters of control", _printable(entry))
        yield entry


def _printable(entry: OutputEntry) -> str:
    return printable("/".join(entry.path))


def _copy(entry: OutputEntry, target: Path, size: int) -> None:
    if entry.kind == "folder":
        target.mkdir()
        return
    with target.open("xb") as copy:
        left = min(entry.size, size)
        while left and entry.content and (chunk := entry.content.read(min(left, _CHUNK))):
            copy.write(chunk)
            left -= len(chunk)


def read_regular(path: Path, max_bytes: int) -> bytes | None:
    """Content of a plain file of bounded size, else None. Follows no link."""
    try:
        descriptor = os.open(path, _READ)
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
