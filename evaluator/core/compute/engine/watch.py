"""Events that others cause in our containers, from the engine's stream."""

import contextlib
import threading
from collections.abc import Callable, Mapping
from typing import Any

_DONE = {"kill": "stopped or killed", "pause": "paused"}
_SECONDS = 5
"""That the engine's own account of an end may come after the end."""


class Watch:
    """Listens from ``begin`` on; serves all threads."""

    def __init__(self, connect: Callable[[], Any], labels: Mapping[str, str]) -> None:
        self._connect = connect
        self._labels = [f"{key}={value}" for key, value in labels.items()]
        self._changed = threading.Condition()
        self._listens = False
        self._is_deaf = False
        """Whether it hears nothing, as behind a door that keeps events back."""
        self._ended: set[str] = set()
        self._ours: set[str] = set()
        self._done: dict[str, str] = {}
        self._client: Any = None
        self._stream: Any = None

    def begin(self) -> None:
        """Listen, unless it does so already: a stream ends with its engine."""
        with self._changed:
            if self._listens:
                return
            self._client = self._client or self._connect()
            # Podman sends "die" to whoever asks for "died".
            names = [*_DONE, "die", "died"]
            filters = {"type": "container", "label": self._labels, "event": names}
            self._stream = self._client.events(filters=filters, decode=True)
            self._listens = True
            threading.Thread(
                target=self._listen, args=(self._stream,), name="watch", daemon=True
            ).start()

    def _listen(self, stream: Any) -> None:
        with contextlib.suppress(Exception):
            for event in stream:
                self._take(event["Action"], event["Actor"]["ID"])
        with self._changed:
            self._listens = False
            self._changed.notify_all()

    def _take(self, action: str, container: str) -> None:
        with self._changed:
            if action == "die":
                self._ended.add(container)
                self._changed.notify_all()
            elif container not in self._ours:
                self._done.setdefault(container, _DONE[action])

    def spare(self, container: str) -> None:
        """Mark the following events as our own."""
        with self._changed:
            self._ours.add(container)

    def disturbance(self, container: str, *, failed: bool) -> str | None:
        """Return what others did to a container that has ended; None where nobody did.

        Where it ``failed`` all that was done is waited for.
        """
        with self._changed:
            if failed and not self._is_deaf:
                self._is_deaf = not self._changed.wait_for(
                    lambda: container in self._ended or not self._listens, timeout=_SECONDS
                )
            return self._done.get(container)

    def forget(self, container: str) -> None:
        """Keep nothing of a container that is gone."""
        with self._changed:
            self._done.pop(container, None)
            self._ended.discard(container)
            self._ours.discard(container)

    def close(self) -> None:
        """Listen no more."""
        if self._stream is not None:
            with contextlib.suppress(Exception):
                self._stream.close()
        if self._client is not None:
            self._client.close()
