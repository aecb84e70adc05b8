"""What was computed, kept as bytes under the digest of all that it was computed from.

What is read is compared with the digest that it was written with: what is damaged, or lies in the
place of another, counts as absent. So nothing of it is ever wrong, and all of it may go.
"""

import contextlib
import hashlib
import mmap
import os
import sys
from functools import cache
from pathlib import Path

import evaluator

_SIZE = 16


class Cache:
    """Files of one folder, by key. It holds what one run asked for or wrote: see ``tidy``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._used: set[str] = set()

    def get(self, key: str) -> memoryview | None:
        self._used.add(key)
        try:
            with (self._folder / key).open("rb") as stream:
                data = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
        except (OSError, ValueError):  # no file, or an empty one
            return None
        content = data[_SIZE:]
        return content if data[:_SIZE] == _digest(key, content) else None

    def put(self, key: str, content: bytes) -> None:
        """Replace what is there in one step: another reader meanwhile reads what was before."""
        self._used.add(key)
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = self._folder / f".{key}.{os.getpid()}"
        draft.write_bytes(_digest(key, content) + content)
        draft.replace(self._folder / key)

    def tidy(self) -> None:
        """Remove what this run had no use for, so that the folder does not grow."""
        for file in self._folder.iterdir():
            if file.name not in self._used:
                file.unlink(missing_ok=True)


def _digest(key: str, content: bytes | memoryview) -> bytes:
    digest = hashlib.blake2b(f"{key}\n".encode(), digest_size=_SIZE)
    digest.update(content)
    return digest.digest()


_INFO = (".dist-info", ".egg-info", ".egg-link")
"""Ends of names that tell a project and its version, by the specification of what is installed."""


def cache_key(*parts: bytes | str) -> str:
    """The key of what is computed from some parts; where each ends matters."""
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
    """Digest of Python, of what is installed by its version, and of this package's own files."""
    folder = Path(evaluator.__file__).parent
    return cache_key(sys.version, *_installed(), digest_of_files(folder))


def _installed() -> list[str]:
    """Names and versions of what is installed, by their folders: two hundred files say no more."""
    names: set[str] = set()
    for place in sys.path:
        with contextlib.suppress(OSError):  # an archive, or nothing
            names.update(one.name for one in Path(place).iterdir() if one.name.endswith(_INFO))
    return sorted(names)
