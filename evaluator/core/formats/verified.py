"""Whether a folder is unchanged, by the digests of its files and not by its presence.

A process reads a folder completely once. Later sizes and times suffice: whatever writes to a file
sets its time of change, which no program can set back. Content that a disk loses without an error
is noticed when the next process reads it. Libraries, of which there may be gigabytes, are never
read: their sizes and times have to be those that they were installed with.
"""

import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from evaluator.core.formats.json_reader import form_reader

LISTING = "listing.json"
"""The list of what a folder holds, in the folder itself."""
_TICK = 20_000_000
"""Nanoseconds within which a file system may give two changes of a file the same time."""
_SMALL = 2**22
"""Bytes that are sooner read again than a tick is waited for."""
Answer = TypeVar("Answer")


class _Listing(msgspec.Struct, frozen=True, kw_only=True):
    """Names and digests of all that a folder holds."""

    name: str
    """Of the folder: a folder in the place of another one is not intact."""
    files: dict[str, str]


_read_listing = form_reader(_Listing, max_bytes=2**28)


class _Stamp(NamedTuple):
    """What the file system says of a folder, without reading its files."""

    digest: str
    newest: int
    """Nanoseconds since the epoch."""
    size: int
    """Bytes."""


class StatMemo(Generic[Answer]):
    """Answers about files and folders, valid until a size or a time of a file changes."""

    def __init__(self) -> None:
        self._answers: dict[Path, tuple[str, Answer]] = {}

    def read(self, path: Path, read: Callable[[Path], Answer]) -> Answer:
        """What ``read`` says of a path; of a large one it is called once. Raises OSError."""
        began, stamp = time.time_ns(), _stamp(path)
        stored = self._answers.get(path)
        if stored is not None and stored[0] == stamp.digest:
            return stored[1]
        age = began - stamp.newest
        if abs(age) < _TICK and stamp.size > _SMALL:
            time.sleep((_TICK - age) / 1e9)
            began, stamp = time.time_ns(), _stamp(path)
        answer = read(path)
        if began - stamp.newest >= _TICK:  # else a change since might have the same time
            self._answers[path] = (stamp.digest, answer)
        return answer


class Verifier:
    """Lists what a finished folder holds, and compares the folder with its list later."""

    def __init__(self, *, libraries: bool = False) -> None:
        """Of ``libraries`` no content is read, and may be added, as compiled modules are."""
        self._libraries = libraries
        self._memo: StatMemo[bool] = StatMemo()

    def finish(self, folder: Path, name: str) -> None:
        files = self._list(folder)
        content = msgspec.json.encode(_Listing(name=name, files=files), order="sorted")
        (folder / LISTING).write_bytes(content)

    def is_intact(self, folder: Path, name: str) -> bool:
        try:
            return self._memo.read(folder, lambda folder: self._compare(folder, name))
        except OSError:
            return False

    def _compare(self, folder: Path, name: str) -> bool:
        try:
            listed = _read_listing((folder / LISTING).read_bytes())
        except ValueError:
            return False
        present = self._list(folder)
        if self._libraries:
            present = {path: present[path] for path in listed.files if path in present}
        return listed == _Listing(name=name, files=present)

    def _list(self, folder: Path) -> dict[str, str]:
        describe = _by_status if self._libraries else _by_content
        return {name: what for name, what in _entries(folder, describe) if name != LISTING}


def tree_digest(folder: Path) -> str:
    content = msgspec.json.encode(dict(_entries(folder, _by_content)), order="sorted")
    return hashlib.sha256(content).hexdigest()


def _stamp(path: Path) -> _Stamp:
    digest = hashlib.blake2b(digest_size=16)
    newest = size = 0
    for name, status in _walk(path):
        digest.update(
            f"{name!r} {status.st_mode} {status.st_size} {status.st_ino} "
            f"{status.st_mtime_ns} {status.st_ctime_ns}\n".encode()
        )
        newest = max(newest, status.st_mtime_ns, status.st_ctime_ns)
        size += status.st_size
    return _Stamp(digest.hexdigest(), newest, size)


def _by_content(path: Path, status: os.stat_result) -> str:
    kind = "program" if status.st_mode & 0o100 else "file"
    with path.open("rb") as file:
        return f"{kind} {hashlib.file_digest(file, 'sha256').hexdigest()}"


def _by_status(path: Path, status: os.stat_result) -> str:  # noqa: ARG001 - the other reads it
    return f"file {status.st_size} {status.st_ctime_ns}"


def _entries(
    folder: Path, describe: Callable[[Path, os.stat_result], str]
) -> Iterator[tuple[str, str]]:
    for name, status in _walk(folder):
        path = folder / name
        if stat.S_ISDIR(status.st_mode):
            yield name, "folder"
        elif stat.S_ISLNK(status.st_mode):
            yield name, f"link {path.readlink()}"
        elif not stat.S_ISREG(status.st_mode):
            yield name, "special file"
        else:
            yield name, describe(path, status)


def _walk(top: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield all paths at and below one with their status, in a fixed order. Follows no link."""
    yield "", top.lstat()
    pending = [""] if stat.S_ISDIR(top.lstat().st_mode) else []
    while pending:
        prefix = pending.pop()
        with os.scandir(top / prefix) as scanned:
            entries = sorted(scanned, key=lambda entry: entry.name)
        for entry in entries:
            name = f"{prefix}{entry.name}"
            yield name, entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False):
                pending.append(f"{name}/")
