"""Cache files with a checksum before their content: a damaged one counts as absent."""

import mmap
import zlib
from pathlib import Path

_HEAD = 9
"""Bytes of the checksum: eight hexadecimal digits and the end of a line."""


def write_checksummed(file: Path, content: bytes) -> None:
    """Replace a file in one step: whoever reads it meanwhile reads the former content."""
    draft = file.with_suffix(f".{id(content)}")
    draft.write_bytes(_head(content) + content)
    draft.replace(file)


def read_checksummed(file: Path) -> memoryview:
    """Return the content of a file. Raises OSError, and ValueError for one that is damaged."""
    with file.open("rb") as stream:
        data = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    content = data[_HEAD:]
    if data[:_HEAD] != _head(content):
        raise ValueError(f"{file} is damaged")
    return content


def _head(content: bytes | memoryview) -> bytes:
    return b"%08x\n" % zlib.crc32(content)
