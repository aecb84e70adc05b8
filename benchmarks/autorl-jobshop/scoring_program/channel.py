"""The environment's end of the line to the agent's side. What comes from there is data.

The line is a Unix socket in the shared folder. Neither side has to look again and again whether
something has come, and its name is gone as soon as the agent's side is connected: before any code
of a participant runs. Standard library alone.
"""

import json
import os
import socket
import time
from pathlib import Path

NAME = "environment.sock"
MAX_REPLY = 4096
"""Bytes of one reply of the agent's side."""
PAUSE = 0.01


class LostError(Exception):
    """Nobody is at the other end any more, or nobody who keeps to the protocol."""


class Channel:
    """One connection, to the first that asks for it."""

    def __init__(self, shared: Path, ended: Path, patience: float) -> None:
        """Wait for the agent's side. Raises LostError.

        ``ended`` is a file that appears when that side has ended; ``patience`` is in seconds.
        """
        os.chdir(shared)  # the path of a socket has 107 bytes at most
        Path(NAME).unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(f"{NAME}.part")
            door.listen(1)
            Path(f"{NAME}.part").chmod(0o666)
            Path(f"{NAME}.part").rename(NAME)
            door.settimeout(PAUSE)
            began = time.monotonic()
            while True:
                try:
                    self._line, _ = door.accept()
                except TimeoutError:
                    if ended.exists() or time.monotonic() - began > patience:
                        raise LostError("the agent's side never came") from None
                else:
                    break
        Path(NAME).unlink()
        self._rest = b""

    def tell(self, message: dict) -> None:
        """Send a message. Raises LostError."""
        try:
            self._line.settimeout(PAUSE * 500)
            self._line.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            raise LostError("the agent's side has ended") from None

    def hear(self, seconds: float) -> dict:
        """Wait for a reply. Raises LostError, after ``seconds`` at the latest."""
        end = time.monotonic() + seconds
        while b"\n" not in self._rest:
            try:
                self._line.settimeout(max(PAUSE, end - time.monotonic()))
                more = self._line.recv(MAX_REPLY)
            except TimeoutError:
                raise LostError(f"the agent's side said nothing for {seconds:g} s") from None
            except OSError:
                more = b""
            if not more:
                raise LostError("the agent's side has ended")
            self._rest += more
            if len(self._rest) > 2 * MAX_REPLY:
                raise LostError("the agent's side said more than one reply")
        line, _, self._rest = self._rest.partition(b"\n")
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise LostError("the agent's side said something else than a reply")
        return found
