"""Tests that measure time have the machine to themselves, whatever other workers do."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_GATE = Path(__file__)
_ROOM = Path(__file__).with_name("__init__.py")
"""Files that are there already, to be locked: nothing is written into them."""


@contextmanager
def turn(*, alone: bool) -> Iterator[None]:
    """Be in the room, with others or alone.

    Who wants to be alone holds the gate until the room is empty, so that others do not keep
    coming in. Unlocked by name: a process that a test forked may hold the same open file.
    """
    with _ROOM.open("rb") as room:
        with _GATE.open("rb") as gate:
            fcntl.flock(gate, fcntl.LOCK_EX)
            try:
                fcntl.flock(room, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
            finally:
                fcntl.flock(gate, fcntl.LOCK_UN)
        try:
            yield
        finally:
            fcntl.flock(room, fcntl.LOCK_UN)
