"""Outputs of the engines that run programs on this machine: plain folders, which are watched."""

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from evaluator.core.compute.engine.output import (
    MAX_DEPTH,
    Entry,
    OutputFolder,
    Room,
    UnsafeOutputError,
)
from evaluator.core.errors import error_name


class HostFolder(OutputFolder):
    """A folder of this machine. Nothing but the supervisor's looks bounds it."""

    def __init__(self, path: Path, room: Room) -> None:
        super().__init__(str(path), room)
        self._path = path
        path.mkdir(parents=True)

    def fill(self, folder: Path) -> None:
        shutil.copytree(folder, self._path, dirs_exist_ok=True)
        for path in (self._path, *self._path.rglob("*")):
            path.chmod(path.stat().st_mode | (0o700 if path.is_dir() else 0o600))

    @contextlib.contextmanager
    def entries(self) -> Iterator[Iterator[Entry]]:
        yield self._walk()

    def _walk(self) -> Iterator[Entry]:
        pending: list[tuple[str, ...]] = [()]
        while pending:
            folder = pending.pop()
            for name in self._names(folder):
                path = (*folder, name)
                entry, content = self._look(path)
                with content:
                    yield entry
                # Deeper than that nothing is read: the reader has been warned.
                if entry.kind == "folder" and len(path) <= MAX_DEPTH:
                    pending.append(path)

    def _names(self, folder: tuple[str, ...]) -> list[str]:
        try:
            return sorted(path.name for path in self._path.joinpath(*folder).iterdir())
        except OSError as error:
            raise _unreadable(error) from None

    def _look(
        self, path: tuple[str, ...]
    ) -> tuple[Entry, contextlib.AbstractContextManager[object]]:
        place = self._path.joinpath(*path)
        nothing = contextlib.nullcontext()
        try:
            status = place.lstat()
            if stat.S_ISDIR(status.st_mode):
                return Entry(path, "folder"), nothing
            if stat.S_ISLNK(status.st_mode):
                return Entry(path, "link"), nothing
            if not stat.S_ISREG(status.st_mode):
                return Entry(path, "special file"), nothing
            file = os.fdopen(os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb")
        except OSError as error:
            raise _unreadable(error) from None
        return Entry(path, "file", status.st_size, file), file


def _unreadable(error: OSError) -> UnsafeOutputError:
    return UnsafeOutputError(f"something in it cannot be read ({error_name(error)})")
