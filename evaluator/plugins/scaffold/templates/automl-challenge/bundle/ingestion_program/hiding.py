"""Folders that a process and all that comes of it can no longer read. Standard library alone.

Linux has Landlock for it, which needs no rights: what is allowed is named once, and nobody takes it
back. Files of a hidden folder cannot be opened by any path, through any link or descriptor of a
folder; names and sizes can still be seen.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

# The same numbers on every architecture.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
GET_VERSION, PATH_BENEATH = 1, 1
EXECUTE, READ_FILE, REFER = 1 << 0, 1 << 2, 1 << 13
PR_SET_NO_NEW_PRIVS = 38


def hide(*folders: Path) -> bool:
    """Hide folders from this process and its children for ever; False where the system cannot."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(CREATE_RULESET, None, 0, GET_VERSION)
    if version < 1:
        return False
    # Renames from folder to folder are refused unless they are allowed by name.
    of_folders = EXECUTE | READ_FILE | (REFER if version > 1 else 0)
    handled = struct.pack("Q", of_folders)
    ruleset = libc.syscall(CREATE_RULESET, handled, len(handled), 0)
    if ruleset < 0:
        return False
    for path in others(Path("/"), [folder.resolve() for folder in folders]):
        allowed = of_folders if path.is_dir() else EXECUTE | READ_FILE
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue  # what this process cannot open stays closed
        rule = struct.pack("=Qi", allowed, place)
        added = libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, rule, 0)
        os.close(place)
        if added:
            return False
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    restricted = libc.syscall(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return restricted == 0


def others(folder: Path, hidden: list[Path]) -> Iterator[Path]:
    """Yield what lies beside hidden folders, and beside the folders that hold them."""
    for path in folder.iterdir():
        if path.is_symlink() or path in hidden:
            continue
        if any(one.is_relative_to(path) for one in hidden):
            yield from others(path, hidden)
        else:
            yield path
