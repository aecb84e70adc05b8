"""What to do about a failure of git: locks that a killed command left, and remotes that fail."""

import re
import time
from pathlib import Path

from evaluator.core.errors import hint_of, printable
from evaluator.core.git.repository import DAMAGED

LONGEST_WRITE = 60
"""Seconds for which git may hold a lock, however busy the machine is."""
SILENT = "nothing moved for"
"""Begins our own words on a command that was ended."""
_LOCK = re.compile(r"^(remote: )?.*'([^'\n]+\.lock)': File exists", re.MULTILINE)
_UNREACHABLE = "The remote is unreachable. Check its address and the network, and run this again."
_CUT = "The connection was cut short. Run this again; if it stays so, whoever runs the remote acts."
_NO_RIGHT = "This account has no right to do that there. Check its token or key, and its role."
_REFUSED = "The remote refused it by a rule of its own: a hook, or a protected branch."
_FULL = "The remote's disk or quota is full: whoever runs it frees space there."
_NO_WRITE = (
    "There the disk, its quota or its inodes are used up (`df -h`, `df -i`), or git may not write "
    "to that folder (`ls -ld`). Free space, or give it the folder, and run this again."
)
_CAUSES = (
    ("unable to (create (temporary object )?directory|migrate objects)", _NO_WRITE),
    ("corrupt|bad object|unable to read|valid object|valid commit name|not a tree object"
     "|object [0-9a-f]{40,} not found|ould not read [0-9a-f]{40}", DAMAGED),
    (f"{SILENT}|Operation too slow", "The remote is unreachable: it was silent. Run this again."),
    ("Could not resolve|Connection refused|Failed to connect|Couldn't connect|unreachable"
     "|No route to host|timed out|does not appear to be a git repository", _UNREACHABLE),
    (r"error: 40[13]|Permission denied \(|Authentication failed|could not read Username"
     "|[Pp]ermission to .* denied|[Aa]ccess denied|not authorized|service not enabled", _NO_RIGHT),
    ("hook declined|protected branch|denyCurrentBranch|branch is currently checked out|prohibited",
     _REFUSED),
    ("hung up|early EOF|unexpected disconnect|Connection reset|RPC failed|Broken pipe"
     "|Empty reply|transfer closed|error: 50[0234]|unexpected EOF|unexpected flush", _CUT),
)  # fmt: skip
"""What git says -> what to do. It has one exit code for all of it, and speaks English to us."""


def what_to_do(said: str) -> str:
    """Advice on what git says of a failure; empty if it says nothing known."""
    for remote, file in _LOCK.findall(said.replace("stderr: '", "\n")):
        name = printable(file.replace("/./", "/"))
        if remote:
            return (
                "At the remote a git command runs, or one was killed. If this stays so, whoever "
                f"runs the remote removes the lock where it is: `rm '{name}'`."
            )
        if is_left(Path(file)):
            return (
                f"A git command was killed, and left its lock: `rm '{name}'`, and run this again."
            )
        return (
            f"Another git command runs here, or one was killed within {LONGEST_WRITE} s. Wait, "
            "and run this again."
        )
    if room := hint_of(said):
        return _FULL if re.search("remote: .*(space|quota|couldn't write)", said) else room
    return next((hint for signs, hint in _CAUSES if re.search(signs, said)), "")


def may_pass(said: str) -> bool:
    return what_to_do(said) in (_UNREACHABLE, _CUT) or SILENT in said


def is_left(lock: Path, seconds: float = LONGEST_WRITE) -> bool:
    """Whether a lock is as old as that, and no process of this machine can be writing it.

    git notes no process in a lock, and closes the file before it moves it into place: a git
    command that works in the repository counts, as does any program that has the file open.
    """
    try:
        if time.time() - lock.stat().st_mtime < seconds:
            return False
    except FileNotFoundError:
        return False
    lock = lock.resolve()
    folder = next((one for one in lock.parents if one.name.endswith(".git")), lock.parent)
    root = folder.parent if folder.name == ".git" else folder
    return Path("/proc/self").exists() and not any(
        _uses(process, root, lock) for process in Path("/proc").glob("[0-9]*")
    )


def _uses(process: Path, root: Path, lock: Path) -> bool:
    try:
        is_git = (process / "comm").read_text().startswith("git")
        if is_git and (process / "cwd").readlink().is_relative_to(root):
            return True
        return any(file.readlink() == lock for file in (process / "fd").iterdir())
    except PermissionError:
        return is_git  # another user's: nobody can say where it works
    except OSError:  # it has ended
        return False
