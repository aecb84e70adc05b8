"""A folder of this program's beside git's own files in a clone, and locks in it."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import git

from evaluator.core.git.advice import is_left


def own_file(repo: git.Repo, name: str) -> Path:
    folder = Path(repo.common_dir) / "pullbench"
    folder.mkdir(exist_ok=True)
    return folder / name


@contextlib.contextmanager
def one_at_a_time(repo: git.Repo, what: str) -> Iterator[None]:
    """Wait until no other process or thread of this clone does the same; the kernel frees it.

    The file has content meanwhile. Who finds some follows one that was killed, and removes the
    locks of git's that it left.
    """
    with own_file(repo, f"{what}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            mark = os.fstat(lock.fileno())
            if mark.st_size:
                _remove_left(repo, mark.st_mtime)
            lock.truncate(0)
            with contextlib.suppress(OSError):  # a full disk
                os.write(lock.fileno(), b"1")
            yield
        finally:
            lock.truncate(0)
            fcntl.flock(lock, fcntl.LOCK_UN)  # a fork of this process has the file open, too


def _remove_left(repo: git.Repo, since: float) -> None:
    """Remove locks of git's made since then that no process writes."""
    common = Path(repo.common_dir)
    locks = [lock for folder in {common, Path(repo.git_dir)} for lock in folder.glob("*.lock")]
    for lock in (*locks, *(common / "refs").rglob("*.lock")):
        with contextlib.suppress(FileNotFoundError):
            if lock.stat().st_mtime >= since - 1 and is_left(lock, 0):
                lock.unlink()
