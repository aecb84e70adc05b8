"""A git command that talks to a remote: ended if nothing moves, and one at a time in a clone.

Locks and other files of this program are in a folder next to git's own in the clone.
"""

import contextlib
import fcntl
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from evaluator.ci.git.advice import SILENT, is_left
from evaluator.core.git.repository import GitFailedError, Repo

_VARIABLE = "PULLBENCH_SILENCE"
_SECONDS = 120
_GRACE = 5
"""Seconds in which git removes its locks, once it is told to end."""


def run_watched(
    repo: Repo, command: Sequence[str], stdin: BinaryIO | None, env: Mapping[str, str]
) -> str:
    """Run git, and end it with all that it started after a silence. Raises GitFailedError."""
    silence = float(os.environ.get(_VARIABLE) or _SECONDS)
    process = repo.git.start(*command, stdin=stdin, env={**_limits(repo, silence), **env})
    moved_at, moved, ended = time.monotonic(), 0, b""
    while True:
        try:
            out, errors = process.communicate(timeout=1)
            break
        except subprocess.TimeoutExpired:
            family = _family(process.pid)
            now, before = sum(map(_bytes_moved, family)), moved
            silent = time.monotonic() - moved_at
            if now != before and not ended:
                moved_at, moved = time.monotonic(), now
            elif silent > silence:
                ended = f"\nfatal: {SILENT} {silence:.0f} s".encode()
                by = signal.SIGTERM if silent < silence + _GRACE else signal.SIGKILL
                for pid in family:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, by)
    if process.returncode:
        said = (errors + ended).decode("utf-8", "replace")
        raise GitFailedError(process.returncode, said, repo.working_dir)
    return out.decode("utf-8", "surrogateescape").removesuffix("\n")


def _limits(repo: Repo, silence: float) -> dict[str, str]:
    """Limits of git's own helpers, where nobody chose others."""
    limits = {"GIT_HTTP_LOW_SPEED_LIMIT": "1", "GIT_HTTP_LOW_SPEED_TIME": f"{silence:.0f}"}
    if "core.sshcommand" not in repo.config and "GIT_SSH" not in os.environ:
        limits["GIT_SSH_COMMAND"] = (
            f"ssh -o ConnectTimeout={silence:.0f} -o ServerAliveInterval=15 "
            "-o ServerAliveCountMax=4"
        )
    return {name: os.environ.get(name, value) for name, value in limits.items()}


def _family(pid: int) -> list[int]:
    try:
        lists = [file.read_text().split() for file in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:  # it has ended
        lists = []
    return [*(one for part in lists for child in part for one in _family(int(child))), pid]


def _bytes_moved(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/io").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines[:2])


def own_file(repo: Repo, name: str) -> Path:
    folder = Path(repo.common_dir) / "pullbench"
    folder.mkdir(exist_ok=True)
    return folder / name


@contextlib.contextmanager
def one_at_a_time(repo: Repo, what: str) -> Iterator[None]:
    """Wait until no other process or thread of this clone does the same; the kernel frees it.

    The file has content while the lock is held. A process that finds content follows one that was
    killed, and removes the locks of git that it left.
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


def _remove_left(repo: Repo, since: float) -> None:
    """Remove locks of git's made since then that no process writes."""
    common = Path(repo.common_dir)
    locks = [lock for folder in {common, Path(repo.git_dir)} for lock in folder.glob("*.lock")]
    for lock in (*locks, *(common / "refs").rglob("*.lock")):
        with contextlib.suppress(FileNotFoundError):
            if lock.stat().st_mtime >= since - 1 and is_left(lock, 0):
                lock.unlink()
