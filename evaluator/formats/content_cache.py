"""Folders that can be made again: each is made once for all runs, and looked at in every use."""

import contextlib
import fcntl
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

from evaluator.formats.verified import Verifier
from evaluator.log import complain

_FILES = "files"
_LOCKS = ".locks"
_DRAFT = ".part-"
_DAY = 24 * 3600


@contextlib.contextmanager
def draft(parent: Path) -> Iterator[Path]:
    """Yield an empty folder beside others, readable for all, to be moved to its place or to go.

    What killed runs left goes, too, a day later.
    """
    parent.mkdir(parents=True, exist_ok=True)
    for left in parent.glob(f"{_DRAFT}*"):
        with contextlib.suppress(OSError):
            if left.stat().st_mtime < time.time() - _DAY:
                shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=parent))
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class ContentCache:
    """A folder of folders, each named by what it is made of. Safe in threads and processes."""

    def __init__(self, root: Path, *, more: bool = False) -> None:
        """With ``more`` files may join those that were laid out."""
        self._root = root
        self._verifier = Verifier(more=more)
        self._aside = contextlib.ExitStack()
        weakref.finalize(self, self._aside.close)

    def folder(self, name: str, fill: Callable[[Path], None]) -> Path:
        """Return the folder of a name, with what ``fill`` writes into an empty one.

        One that is no longer what was laid out is laid out anew. An exception of ``fill``'s leaves
        nothing.
        """
        place = self._root / name
        with self._turn(name):
            if not self._verifier.is_whole(place, name):
                self._make(place, fill)
        return place / _FILES

    @contextlib.contextmanager
    def _turn(self, name: str) -> Iterator[None]:
        """Let nobody else look at a folder, or lay it out, meanwhile.

        Two that repair the same would take away what the first has laid out and uses. The names
        share some locks: ``fill`` must ask for no other folder.
        """
        locks = self._root / _LOCKS
        locks.mkdir(parents=True, exist_ok=True)
        with (locks / name[:2]).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _make(self, place: Path, fill: Callable[[Path], None]) -> None:
        with draft(self._root) as unfinished:
            (unfinished / _FILES).mkdir()
            fill(unfinished / _FILES)
            self._verifier.finish(unfinished, place.name)
            if place.exists():
                complain(f"{place} is not what was laid out there; it is laid out anew")
                # It goes with this object, not at once: a program may run in it.
                place.rename(self._aside.enter_context(draft(self._root)) / place.name)
            unfinished.rename(place)
