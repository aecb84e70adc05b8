"""What others do to our containers, by the engine's events and by this machine's kernel."""

import contextlib
import fcntl
import os
import signal
import struct
import threading
from collections.abc import Mapping
from pathlib import Path

from evaluator.core.compute.engine.docker_client import DockerClient, Stream

_DONE = {"kill": "stopped or killed", "pause": "paused"}
_SECONDS = 5
"""That the engine's own account of an end may come after the end."""
_INFO = struct.Struct("=QQ11Ii")
"""``struct pidfd_info``; the first is what is asked for, the last the status as of ``wait``."""
_GET_INFO = 3 << 30 | _INFO.size << 16 | 0xFF << 8 | 11
_EXIT = 1 << 3


class Watch:
    """Listens to the engine's events from ``begin`` on; serves all threads."""

    def __init__(self, client: DockerClient, labels: Mapping[str, str]) -> None:
        self._client = client
        self._labels = [f"{key}={value}" for key, value in labels.items()]
        self._changed = threading.Condition()
        self._listens = False
        self._is_deaf = False
        """Whether it hears nothing, as behind a door that keeps events back."""
        self._ended: set[str] = set()
        self._ours: set[str] = set()
        self._done: dict[str, str] = {}
        self._stream: Stream | None = None

    def begin(self) -> None:
        """Listen, unless it does so already: a stream ends with its engine."""
        with self._changed:
            if self._listens:
                return
            # Podman sends "die" if it is asked for "died".
            names = [*_DONE, "die", "died"]
            filters = {"type": ["container"], "label": self._labels, "event": names}
            self._stream = self._client.events(filters=filters)
            self._listens = True
            threading.Thread(
                target=self._listen, args=(self._stream,), name="watch", daemon=True
            ).start()

    def _listen(self, stream: Stream) -> None:
        with contextlib.suppress(Exception):
            for event in stream:
                action, container = event["Action"], event["Actor"]["ID"]
                with self._changed:
                    if action == "die":
                        self._ended.add(container)
                        self._changed.notify_all()
                    elif container not in self._ours:
                        self._done.setdefault(container, _DONE[action])
        with self._changed:
            self._listens = False
            self._changed.notify_all()

    def expect_kill(self, container: str) -> None:
        """Take the following events of a container as our own."""
        with self._changed:
            self._ours.add(container)

    def disturbance(self, container: str, *, failed: bool) -> str | None:
        """What others did to it, or None; if it ``failed``, wait for all its events."""
        with self._changed:
            if failed and not self._is_deaf:
                self._is_deaf = not self._changed.wait_for(
                    lambda: container in self._ended or not self._listens, timeout=_SECONDS
                )
            return self._done.get(container)

    def forget(self, container: str) -> None:
        with self._changed:
            self._done.pop(container, None)
            self._ended.discard(container)
            self._ours.discard(container)

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()


class Ending:
    """The end of a container's first process.

    An engine reports 137 for a program that was killed, and for one that exits with that number.
    Linux 6.15 and later distinguish them, if one holds a descriptor of the process.
    """

    def __init__(self, client: DockerClient, container: str, pid: int | None) -> None:
        """``pid`` is None if its process is not known, and 0 if it has ended."""
        self._descriptor: int | None = None
        if pid == 0:
            return
        with contextlib.suppress(Exception):  # it has ended, or runs on another machine
            if pid is None:
                pid = int(client.inspect_container(container)["State"]["Pid"])
            descriptor = os.pidfd_open(pid)
            # The number of another machine's container is some other process's here.
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
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
