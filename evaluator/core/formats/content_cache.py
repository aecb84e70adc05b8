"""A cache of folders named by their content: each is built once and verified at every use."""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

from evaluator.core.formats.verified import Verifier
from evaluator.core.log import complain

_FILES = "files"
_LOCKS = ".locks"
_DRAFT = ".part-"
_DAY = 24 * 3600


@contextlib.contextmanager
def draft(parent: Path) -> Iterator[Path]:
    """Yield an empty folder, readable for all, to be moved to its place; else it is removed.

    Drafts that killed runs left are removed after a day. Those of runs that are alive are locked:
    a clock that is set makes any of them a year old.
    """
    parent.mkdir(parents=True, exist_ok=True)
    for left in parent.glob(f"{_DRAFT}*"):
        with contextlib.suppress(OSError):
            if abs(time.time() - left.stat().st_mtime) > _DAY:
                with locked_folder(left, fcntl.LOCK_NB):
                    shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=parent))
    try:
        folder.chmod(0o755)
        with locked_folder(folder):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def locked_folder(folder: Path, flags: int = 0) -> Iterator[None]:
    """Hold the lock of a folder, wherever it is moved meanwhile. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | flags)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Hold the lock of an empty file, which is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def set_readable(folder: Path, *, programs: bool = True) -> None:
    """Let any user read, as containers do; without ``programs`` no file stays executable."""
    for parent, _, names in os.walk(folder):
        Path(parent).chmod(0o755)
        for name in names:
            file = Path(parent, name)
            file.chmod(0o755 if programs and file.stat().st_mode & 0o100 else 0o644)


class ContentCache:
    """Folders by name. Safe in threads and processes."""

    def __init__(self, root: Path, *, libraries: bool = False) -> None:
        """``libraries`` are compared by their times, and stay valid when files are added."""
        self._root = root
        self._verifier = Verifier(libraries=libraries)
        self._replaced = contextlib.ExitStack()
        weakref.finalize(self, self._replaced.close)

    def folder(self, name: str, fill: Callable[[Path], None]) -> Path:
        """A folder with what ``fill`` writes; one that changed since is built again."""
        place = self._root / name
        # Or two repair one folder; ``fill`` asks for none, since names share locks.
        with locked_file(self._root / _LOCKS / name[:2]):
            if not self._verifier.is_intact(place, name):
                self._build(place, fill)
        return place / _FILES

    def is_intact(self, name: str) -> bool:
        return self._verifier.is_intact(self._root / name, name)

    def _build(self, place: Path, fill: Callable[[Path], None]) -> None:
        with draft(self._root) as unfinished:
            (unfinished / _FILES).mkdir()
            fill(unfinished / _FILES)
            self._verifier.finish(unfinished, place.name)
            if place.exists():
                complain(f"{place} is not what was laid out there; it is laid out anew")
                # Removed with this object, not at once: a program may run in it.
                place.rename(self._replaced.enter_context(draft(self._root)) / place.name)
            unfinished.rename(place)
