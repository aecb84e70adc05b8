"""A folder of this program's beside git's own files in a clone, and locks in it."""

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path

import git


def own_file(repo: git.Repo, name: str) -> Path:
    """Return a path in the folder."""
    folder = Path(repo.common_dir) / "pullbench"
    folder.mkdir(exist_ok=True)
    return folder / name


@contextlib.contextmanager
def one_at_a_time(repo: git.Repo, what: str) -> Iterator[None]:
    """Wait until no other process or thread of this clone does the same; the kernel frees it."""
    with own_file(repo, f"{what}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)  # a fork of this process has the file open, too
