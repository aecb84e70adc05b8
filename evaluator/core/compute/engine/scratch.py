"""Folders for a while, and taking them away again whatever strangers' programs left in them."""

import contextlib
import itertools
import os
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def scratch_folder(parent: Path | None = None) -> Iterator[Path]:
    """Make a folder and take it away again."""
    path = Path(tempfile.mkdtemp(prefix="pullbench-", dir=parent))
    try:
        yield path
    finally:
        remove_tree(path)


def remove_tree(top: Path) -> None:
    """Remove a folder; what cannot be removed stays. Follows no link.

    Each folder below is moved to the top before it is emptied: neither depth nor length of path
    matters, as they do to ``shutil.rmtree``, which recurses.
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
