"""The end of a container's first process, by this machine's kernel.

An engine reports 137 for a program that was killed, and for one that exits with that number. Linux
6.15 and later distinguish them for whoever holds a descriptor of the process.
"""

import contextlib
import fcntl
import os
import signal
import struct
from pathlib import Path
from typing import Any

_INFO = struct.Struct("=QQ11Ii")
"""``struct pidfd_info``; the first is what is asked for, the last the status as of ``wait``."""
_GET_INFO = 3 << 30 | _INFO.size << 16 | 0xFF << 8 | 11
_EXIT = 1 << 3


class Ending:
    """The end of one container."""

    def __init__(self, client: Any, container: str) -> None:
        """Look at a container that has just been started."""
        self._descriptor: int | None = None
        with contextlib.suppress(Exception):  # it has ended, or runs on another machine
            pid = client.inspect_container(container)["State"]["Pid"]
            descriptor = os.pidfd_open(pid)
            # Of another machine's container the number is some other process's here.
            if container in Path(f"/proc/{pid}/cgroup").read_text():
                self._descriptor = descriptor
            else:
                os.close(descriptor)

    def was_killed(self) -> bool:
        """Whether it is known that a signal ended it that nothing in the container can send it."""
        if self._descriptor is None:
            return False
        asked = _INFO.pack(_EXIT, *([0] * 13))
        try:
            answer = _INFO.unpack(fcntl.ioctl(self._descriptor, _GET_INFO, asked))
        except OSError:
            return False
        waited, status = answer[0] & _EXIT, answer[-1]
        return bool(waited) and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL

    def close(self) -> None:
        """Close the descriptor of the process."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
