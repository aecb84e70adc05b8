"""Whether a folder is still what it was: told by the digests of its files, never by being there.

A folder is read as a whole once. Later a look at sizes and times is enough: whatever writes to a
file sets its time of change, which no program can set back. Content that a disk loses in silence
shows when the next process reads it.
"""

import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

LISTING = "listing.json"
"""What a folder holds, as it was when it was finished; in the folder itself."""
_TICK = 20_000_000
"""Nanoseconds within which a file system may give two changes of a file the same time."""
Answer = TypeVar("Answer")


class _Listing(msgspec.Struct, frozen=True, kw_only=True):
    """Names and digests of all that a folder holds."""

    name: str
    """Of the folder: one that took another's place is not what it was."""
    files: dict[str, str]


class _Look(NamedTuple):
    """What can be seen of a folder without reading its files."""

    stamp: str
    newest: int
    """Nanoseconds since the epoch."""


class Remembered(Generic[Answer]):
    """What was read of paths, for as long as no size and no time of a file is another."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[str, Answer]] = {}

    def read(self, path: Path, read: Callable[[Path], Answer]) -> Answer:
        """Return what ``read`` says of a file or folder, asked once. Raises OSError."""
        seen = _look(path)
        known = self._known.get(path)
        if known is not None and known[0] == seen.stamp:
            return known[1]
        age = time.time_ns() - seen.newest
        if 0 <= age < _TICK:  # else a change right after the reading might have the same time
            time.sleep((_TICK - age) / 1e9)
            seen = _look(path)
        answer = read(path)
        if time.time_ns() - seen.newest >= _TICK:
            self._known[path] = (seen.stamp, answer)
        return answer


class Verifier:
    """Writes down what finished folders hold, and tells later whether they still hold it."""

    def __init__(self, *, more: bool = False) -> None:
        """With ``more`` files may have joined a folder: programs that run in it leave some."""
        self._more = more
        self._remembered: Remembered[bool] = Remembered()

    def finish(self, folder: Path, name: str) -> None:
        """Write down what a folder holds, which is to be known by a name."""
        files = dict(_entries(folder))
        content = msgspec.json.encode(_Listing(name=name, files=files), order="sorted")
        (folder / LISTING).write_bytes(content)

    def is_whole(self, folder: Path, name: str) -> bool:
        """Whether a folder is, byte for byte, what was finished under that name."""
        try:
            return self._remembered.read(folder, lambda folder: self._compare(folder, name))
        except OSError:
            return False

    def _compare(self, folder: Path, name: str) -> bool:
        try:
            wanted = msgspec.json.decode((folder / LISTING).read_bytes(), type=_Listing)
        except ValueError:
            return False
        there = dict(_entries(folder))
        if self._more:
            there = {path: there[path] for path in wanted.files if path in there}
        return wanted == _Listing(name=name, files=there)


def _look(path: Path) -> _Look:
    found = hashlib.blake2b(digest_size=16)
    newest = 0
    for name, status in _walk(path):
        found.update(
            f"{name!r} {status.st_mode} {status.st_size} {status.st_ino} "
            f"{status.st_mtime_ns} {status.st_ctime_ns}\n".encode()
        )
        newest = max(newest, status.st_mtime_ns, status.st_ctime_ns)
    return _Look(found.hexdigest(), newest)


def _entries(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the path of all that a folder holds, its listing apart, and what is there."""
    for name, status in _walk(folder):
        path = folder / name
        if stat.S_ISDIR(status.st_mode):
            yield name, "folder"
        elif stat.S_ISLNK(status.st_mode):
            yield name, f"link {path.readlink()}"
        elif not stat.S_ISREG(status.st_mode):
            yield name, "special file"
        elif name != LISTING:
            kind = "program" if status.st_mode & 0o100 else "file"
            with path.open("rb") as file:
                yield name, f"{kind} {hashlib.file_digest(file, 'sha256').hexdigest()}"


def _walk(top: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield all paths at and below one, in an order that stays, with what the system says of each.

    Follows no link.
    """
    yield "", top.lstat()
    pending = [""] if stat.S_ISDIR(top.lstat().st_mode) else []
    while pending:
        prefix = pending.pop()
        with os.scandir(top / prefix) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        for entry in entries:
            name = f"{prefix}{entry.name}"
            yield name, entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False):
                pending.append(f"{name}/")
