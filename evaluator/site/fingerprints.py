"""Digests of what pages are made of beside the repository's records."""

import contextlib
import sys
from functools import cache
from pathlib import Path

import evaluator
from evaluator.core.formats.cache_files import cache_key, digest_of_files

_INFO = (".dist-info", ".egg-info", ".egg-link")
"""Ends of names that tell a project and its version, by the specification of what is installed."""


@cache
def of_programs() -> str:
    """Digest of everything that makes pages: this package's own files, Python, what is installed.

    Versions are enough of the others; this package may be at work on itself.
    """
    folder = Path(evaluator.__file__).parent
    return cache_key(sys.version, *_installed(), digest_of_files(folder))


def _installed() -> list[str]:
    """Return names and versions of what is installed, as their folders say them.

    Two hundred files of metadata say the same, and take longer to read than a page to make.
    """
    names: set[str] = set()
    for place in sys.path:
        with contextlib.suppress(OSError):  # an archive, or nothing
            names.update(one.name for one in Path(place).iterdir() if one.name.endswith(_INFO))
    return sorted(names)
