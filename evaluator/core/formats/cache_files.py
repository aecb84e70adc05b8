"""Cache files: keys from all that they were computed from, and checksums of their content."""

import hashlib
import mmap
import zlib
from functools import cache
from pathlib import Path

import evaluator


def cache_key(*parts: bytes | str) -> str:
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
    """Digest of all modules of this package, which everything that it computes is a function of."""
    return digest_of_files(Path(evaluator.__file__).parent, "*.py")


_HEAD = 9
"""Bytes of the checksum: eight hexadecimal digits and the end of a line."""


def write_checksummed(file: Path, content: bytes) -> None:
    """Replace a file in one step: whoever reads it meanwhile reads the former content."""
    draft = file.with_suffix(f".{id(content)}")
    draft.write_bytes(_head(content) + content)
    draft.replace(file)


def read_checksummed(file: Path) -> memoryview:
    """Return the content of a file. Raises OSError, and ValueError if it is damaged."""
    with file.open("rb") as stream:
        data = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    content = data[_HEAD:]
    if data[:_HEAD] != _head(content):
        raise ValueError(f"{file} is damaged")
    return content


def _head(content: bytes | memoryview) -> bytes:
    return b"%08x\n" % zlib.crc32(content)
