"""Retries with back-off for what depends on others' servers, done once for a run.

A registry or a package index that does not answer is no fault of the benchmark's content, and
would not answer another cell of the same run, either.
"""

import re
import threading
from collections.abc import Callable, Hashable
from http import HTTPStatus
from typing import TypeVar

from evaluator.core.compute.engine.spec import ImageError
from evaluator.core.errors import PlatformError, StoppedError

Result = TypeVar("Result")

_NO_ANSWER = re.compile(
    r"temporary failure (?:in name resolution|resolving)|could not resolve (?:host|proxy)"
    r"|connection (?:broken by|refused|reset|timed out|aborted)|(?:read|operation) timed out"
    r"|(?:network is|host) unreachable|no route to host|(?:i/o|handshake) timeout"
    r"|remote end closed connection|could not connect to|failed to connect to"
    r"|too many (?:429|5\d\d) error responses|http error (?:429|5\d\d)"
    r"|429 +too many requests|50[0234] +(?:internal server error|bad gateway|service"
    r" (?:temporarily )?unavailable|gateway time-?out)",
    re.IGNORECASE,
)
_NOT_IN_INDEX = re.compile(r"No matching distribution found for ([\w.-]+)")
_INDEXES = re.compile(r"Looking in indexes: (\S+(?:, \S+)*)")


class SilentServerError(PlatformError):
    """A registry or a package index does not answer, and was asked more than once."""

    retryable = False


def is_unanswered(log: str) -> bool:
    """Whether an installer failed because a server did not answer.

    Installers end with the same code if a package does not exist: only the messages of the system
    and of HTTP distinguish the two. They come from an organiser's program; a wrong guess costs
    another try, and nothing more.
    """
    return _NO_ANSWER.search(log) is not None or _index_is_silent(log)


def _index_is_silent(log: str) -> bool:
    """Ask the index, if pip names one: pip says nothing of an error 503."""
    package = _NOT_IN_INDEX.search(log)
    if package is None:
        return False
    import requests

    listed = _INDEXES.search(log)
    for index in listed[1].split(", ") if listed else ():
        try:
            with requests.get(f"{index.rstrip('/')}/{package[1]}/", stream=True, timeout=30) as got:
                status = got.status_code
        except requests.RequestException:
            return True
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS:
            return True
    return False


class Patience:
    """Tries again, separately for each key; what failed for good fails at once afterwards."""

    def __init__(self, retries: int, halt: threading.Event) -> None:
        self._retries = retries
        self._halt = halt
        self._locks: dict[Hashable, threading.Lock] = {}
        self._failed: dict[Hashable, ImageError | SilentServerError] = {}

    def make(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """One thread makes it for all. Raises ImageError, SilentServerError, StoppedError."""
        with self._locks.setdefault(key, threading.Lock()):
            if key in self._failed:
                raise self._failed[key].with_traceback(None)
            try:
                return self._try(make)
            except (ImageError, SilentServerError) as error:
                self._failed[key] = error
                raise

    def _try(self, make: Callable[[], Result]) -> Result:
        for attempt in range(self._retries):
            try:
                return make()
            except SilentServerError:
                if self._halt.wait(2 * 4**attempt):
                    raise StoppedError from None
        return make()
