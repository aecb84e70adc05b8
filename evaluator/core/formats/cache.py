"""What was computed, kept as bytes under the digest of all that it was computed from.

What is read is compared with the digest that it was written with: what is damaged, or lies in the
place of another, counts as absent. So nothing of it is ever wrong, and all of it may go.
"""

import hashlib
import mmap
import os
from pathlib import Path

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
