"""What was made of many files, kept for the next build: made by all cores where it is missing.

It is kept in parts, each named after all that it was made of. So nothing that is kept can be out
of date, and another file makes one part anew.
"""

import contextlib
import hashlib
import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from typing_extensions import Buffer

from evaluator import formats
from evaluator.formats.checksummed import read_checksummed, write_checksummed
from evaluator.formats.file_digests import cache_key, digest_of_files
from evaluator.processes import Tasks

MAX_PARTS = 256

Made = TypeVar("Made")
_encode = msgspec.msgpack.Encoder().encode


@dataclass(frozen=True, kw_only=True)
class Kept(Generic[Made]):
    """Where things of one kind are kept, and how they are made."""

    folder: Path | None
    """None where nothing is kept."""
    make: Callable[[Sequence[int]], Collection[Made]]
    """Makes the items of some places."""
    kind: Any
    """Type of what is made, for msgspec."""
    common: str = ""
    """Tells what all items are made of, beside this package's readers of files."""
    few: int
    """Items that one process makes sooner than two."""
    part: int
    """Items that are kept together, about: one that is new makes all of them anew."""

    def read(self, owners: Sequence[str], contents: Sequence[str]) -> list[Made]:
        """Return what is made of each item, in order.

        A content tells all that an item is made of, but what ``common`` does. Items of one owner
        are kept together, whoever else comes. What is kept of others goes.
        """
        if self.folder is None:
            return self._made(range(len(contents)))
        found: list[Any] = [None] * len(contents)
        self.folder.mkdir(parents=True, exist_ok=True)
        used: set[str] = set()
        missing: list[tuple[list[int], Path]] = []
        for places in _parts(owners, self.part):
            file = self.folder / self._name([contents[place] for place in places])
            used.add(file.name)
            try:
                known = self._decode(read_checksummed(file))
            except (OSError, ValueError):  # msgspec's among them
                missing.append((places, file))
                continue
            for place, one in zip(places, known, strict=True):
                found[place] = one
        made = iter(self._made([place for places, _ in missing for place in places]))
        for places, file in missing:
            part = [next(made) for _ in places]
            for place, one in zip(places, part, strict=True):
                found[place] = one
            with contextlib.suppress(UnicodeEncodeError):
                write_checksummed(file, _encode(part))
        for file in self.folder.iterdir():
            if file.name not in used:
                file.unlink(missing_ok=True)
        return found

    def _made(self, places: Sequence[int]) -> list[Made]:
        if len(places) > self.few:
            size = max(self.few, -(-len(places) // (os.cpu_count() or 1)))
            parts = [places[start : start + size] for start in range(0, len(places), size)]
            tasks = Tasks([partial(self._encoded, part) for part in parts], processes=len(parts))
            # Text that no file can hold goes from no process to another.
            with contextlib.suppress(UnicodeEncodeError):
                return [one for part in tasks.results() for one in self._decode(part)]
        return list(self.make(places))

    def _encoded(self, places: Sequence[int]) -> bytes:
        return _encode(self.make(places))

    def _decode(self, content: Buffer) -> list[Made]:
        return msgspec.msgpack.decode(content, type=list[self.kind])  # type: ignore[name-defined]

    def _name(self, contents: Sequence[str]) -> str:
        return cache_key(_readers(), self.common, *contents)


def _parts(owners: Sequence[str], size: int) -> Iterable[list[int]]:
    """Places of those that are kept together."""
    count = 1
    while count < MAX_PARTS and len(owners) > count * size:
        count *= 2
    parts: dict[int, list[int]] = defaultdict(list)
    numbers: dict[str, int] = {}
    for place, owner in enumerate(owners):
        number = numbers.get(owner)
        if number is None:
            hashed = hashlib.blake2b(owner.encode(), digest_size=2).digest()
            number = numbers[owner] = int.from_bytes(hashed, "big") % count
        parts[number].append(place)
    return parts.values()


@cache
def _readers() -> str:
    """Digest of what reads files of every format."""
    folder = Path(formats.__file__ or "").parent
    return f"{msgspec.__version__} {digest_of_files(folder, '*.py')}"
