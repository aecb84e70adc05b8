"""Messages over a socket: one JSON object on each line. Standard library alone."""

import json
import socket
import time

MAX_ACTION = 4096
"""Bytes of one message of an agent."""


class ClosedError(Exception):
    """The other end has gone."""


class SlowError(Exception):
    """The other end did not answer in time."""


class NonsenseError(Exception):
    """The other end does not keep to the protocol; the argument says how."""


class Line:
    """One end of a connection. Nothing that comes over it can block, or fill the memory."""

    def __init__(self, line: socket.socket, most: int) -> None:
        self._line = line
        self._most = most
        self._rest = b""

    def tell(self, message: dict, seconds: float) -> None:
        """Send. Raises ClosedError, SlowError."""
        try:
            self._line.settimeout(max(0.001, seconds))
            self._line.sendall(json.dumps(message).encode() + b"\n")
        except TimeoutError:
            raise SlowError from None
        except OSError:
            raise ClosedError from None

    def hear(self, seconds: float) -> dict:
        """Receive. Raises ClosedError, SlowError, NonsenseError."""
        end = time.monotonic() + seconds
        while b"\n" not in self._rest:
            if len(self._rest) > self._most:
                raise NonsenseError("too long")
            try:
                self._line.settimeout(max(0.001, end - time.monotonic()))
                more = self._line.recv(self._most)
            except TimeoutError:
                raise SlowError from None
            except OSError:
                more = b""
            if not more:
                raise ClosedError
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        if len(line) > self._most:
            raise NonsenseError("too long")
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise NonsenseError("not json")
        return found

    def close(self) -> None:
        self._line.close()
