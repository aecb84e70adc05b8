"""Files that can be made again, with a checksum before their content: a damaged one is none."""

import mmap
import zlib
from pathlib import Path

_HEAD = 9
"""Bytes of the checksum: eight hexadecimal digits and the end of a line."""


def write_checksummed(file: Path, content: bytes) -> None:
    """Write a file as a whole: whoever reads it meanwhile reads the one before."""
    draft = file.with_suffix(f".{id(content)}")
    draft.write_bytes(_head(content) + content)
    draft.replace(file)


def read_checksummed(file: Path) -> memoryview:
    """Return the content of a file. Raises OSError, and ValueError for one that is damaged."""
    with file.open("rb") as stream:
        whole = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    content = whole[_HEAD:]
    if whole[:_HEAD] != _head(content):
        raise ValueError(f"{file} is damaged")
    return content


def _head(content: bytes | memoryview) -> bytes:
    return b"%08x\n" % zlib.crc32(content)
