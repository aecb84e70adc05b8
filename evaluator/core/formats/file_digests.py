"""Keys of what is cached: digests of all that it was computed from, the programs too."""

import contextlib
import hashlib
import sys
from functools import cache
from pathlib import Path

import evaluator

_INFO = (".dist-info", ".egg-info", ".egg-link")
"""Ends of names that tell a project and its version, by the specification of what is installed."""


def cache_key(*parts: bytes | str) -> str:
    """Return the key of what is computed from some parts; where each ends matters."""
    contents = [
        part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part for part in parts
    ]
    text = b"".join([b"%d:%b" % (len(content), content) for content in contents])
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def digest_of_files(folder: Path, pattern: str = "*") -> str:
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(folder.rglob(pattern)):
        if path.is_file() and "__pycache__" not in path.parts:
            content = path.read_bytes()
            name = path.relative_to(folder).as_posix().encode("utf-8", "surrogateescape")
            for part in (name, content):
                digest.update(b"%d:" % len(part))
                digest.update(part)
    return digest.hexdigest()


@cache
def digest_of_programs() -> str:
    """Digest of everything that computes: this package's own files, Python, what is installed.

    Versions are enough of the others; this package may be at work on itself.
    """
    folder = Path(evaluator.__file__).parent
    return cache_key(sys.version, *_installed(), digest_of_files(folder))


def _installed() -> list[str]:
    """Names and versions of what is installed, by their folders: two hundred files say no more."""
    names: set[str] = set()
    for place in sys.path:
        with contextlib.suppress(OSError):  # an archive, or nothing
            names.update(one.name for one in Path(place).iterdir() if one.name.endswith(_INFO))
    return sorted(names)
