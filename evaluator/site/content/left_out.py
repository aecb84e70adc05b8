"""What a build cannot make is left out: one guard around each board, page and export, one list."""

import contextlib
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

from evaluator.core.errors import (
    PlatformError,
    PullbenchError,
    StoppedError,
    error_name,
    host_fault,
)
from evaluator.core.log import tell_operator

T = TypeVar("T")
D = TypeVar("D")
NOTICE = (
    '<div class="admonition warning"><p class="admonition-title">This page is missing</p>'
    "<p>It could not be made of the present state. The log of the site's build tells the "
    "organisers why; the next build tries it again.</p></div>"
)
"""Stands in the place of a page, so that no link leads nowhere, or to the page as it was."""
_LIST: ContextVar[dict[str, str] | None] = ContextVar("left_out", default=None)


@contextlib.contextmanager
def listing() -> Iterator[dict[str, str]]:
    """Yield the list of what ``attempt`` leaves out meanwhile: path on the site -> reason."""
    left_out: dict[str, str] = {}
    token = _LIST.set(left_out)
    try:
        yield left_out
    finally:
        _LIST.reset(token)


def note(left_out: Mapping[str, str]) -> dict[str, str]:
    """Add to the list, where there is one, and return all of it, for another process."""
    listed = _LIST.get()
    if listed is None:
        return {}
    listed.update(left_out)
    return dict(listed)


def attempt(path: str, make: Callable[[], T], otherwise: D) -> T | D:
    """What ``make`` returns; if it fails, list ``path``, but not the machine's faults."""
    try:
        return make()
    except (StoppedError, PlatformError, MemoryError):
        raise
    except Exception as error:
        if _LIST.get() is None or (isinstance(error, OSError) and host_fault(error, named=False)):
            raise
        tell_operator(error)
        note({path: _reason(error)})
        return otherwise


def _reason(error: Exception) -> str:
    """A reason that a public log may hold: of others' errors the kind and place alone."""
    if isinstance(error, PullbenchError):
        return error.message
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{error_name(error)} in {Path(place.filename).name}, line {place.lineno}"
