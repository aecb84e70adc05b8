"""Folders as tar archives, to and from the Docker engine, piece by piece."""

import contextlib
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluator.core.compute.engine.faults import FAULTS

_CHUNK = 2**20


class Broken(Exception):  # noqa: N818 - of a stream
    """The engine does not send the rest of an archive."""


class Unsent(Exception):  # noqa: N818 - of a request
    """The engine sends no archive."""


@contextlib.contextmanager
def unpacked(client: Any, container: str, path: str) -> Iterator[tarfile.TarFile]:
    """Read a folder of a container.

    Raises Unsent; Broken, tarfile.TarError, also while it is read.
    """
    try:
        chunks, _ = client.get_archive(container, path, chunk_size=_CHUNK)
    except FAULTS as error:
        raise Unsent from error
    # Leaving it ends the connection: what is still to come is not wanted.
    with (
        contextlib.closing(chunks),
        io.BufferedReader(_Stream(chunks), _CHUNK) as stream,
        tarfile.open(fileobj=stream, mode="r|", bufsize=_CHUNK) as archive,
    ):
        yield archive


class _Stream(io.RawIOBase):
    """Pieces as a file."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            while not self._left and (chunk := next(self._chunks, None)) is not None:
                self._left = memoryview(chunk)
        except FAULTS:
            raise Broken from None
        count = min(len(buffer), len(self._left))
        buffer[:count], self._left = self._left[:count], self._left[count:]
        return count


def pack(folder: Path, owner: int) -> Iterator[bytes]:
    """Make an archive of a folder of ours, in which ``owner`` may write everywhere."""
    for path in sorted(folder.rglob("*")):
        info = tarfile.TarInfo(path.relative_to(folder).as_posix())
        info.uid = info.gid = owner
        if path.is_dir():
            info.type, info.mode = tarfile.DIRTYPE, 0o777
            yield info.tobuf(tarfile.PAX_FORMAT)
            continue
        status = path.stat()
        info.size, info.mode = status.st_size, status.st_mode & 0o777 | 0o666
        yield info.tobuf(tarfile.PAX_FORMAT)
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk
        yield bytes(-info.size % tarfile.BLOCKSIZE)
    yield bytes(2 * tarfile.BLOCKSIZE)
