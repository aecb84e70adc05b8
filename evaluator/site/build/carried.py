"""The built site and its cache as one file, for the machine that builds the site next.

A forge keeps such a file where every job of the branch may write, those among them that run
strangers' programs: digests beside the content would be theirs, too. So the file ends with a code
that only who knows the organisers' key can compute, and nothing is unpacked before it is compared.
"""

import hashlib
import hmac
import os
import shutil
import tarfile
from collections.abc import Iterator
from io import SEEK_END
from pathlib import Path
from typing import BinaryIO

from evaluator.core.errors import UsageError
from evaluator.core.log import complain
from evaluator.site.build.output import CACHE

KEY_VARIABLE = "PULLBENCH_SITE_KEY"
_CARRIED = ("build/site", CACHE)
_SHORTEST = 32
"""Characters of a key: who has the file could try all short ones."""
_CODE = "sha256"
_SIZE = hashlib.new(_CODE).digest_size
_TIME = "PULLBENCH.mtime"
"""Nanoseconds; tar's own time is a fraction, which rounds."""


def unpack_site(root: Path, file: Path, key: str) -> int:
    """Lay out what ``pack_site`` packed with this key, where no site is; returns how many files.

    0 where there is no such file, or where somebody else packed it. Raises UsageError.
    """
    code = _code(key)
    if not file.exists() or any((root / folder).exists() for folder in _CARRIED):
        return 0
    with file.open("rb") as stream:
        size = stream.seek(0, SEEK_END) - _SIZE
        stream.seek(0)
        for part in _parts(stream, size):
            code.update(part)
        if not hmac.compare_digest(code.digest(), stream.read()):
            complain(f"{file} was not packed with {KEY_VARIABLE}; the whole site is built")
            return 0
        stream.seek(0)
        with tarfile.open(fileobj=stream, mode="r:") as archive:
            return sum(_lay_out(root, archive, member) for member in archive)


def pack_site(root: Path, file: Path, key: str) -> None:
    """Replace a file by the built site and what the next build may use of this one."""
    code = _code(key)
    draft = file.with_name(f"{file.name}.new")
    file.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(draft, mode="w:", format=tarfile.PAX_FORMAT) as archive:
        for path in (path for folder in _CARRIED for path in sorted((root / folder).rglob("*"))):
            if path.is_file() and not path.is_symlink():
                _add(root, archive, path)
    with draft.open("r+b") as stream:
        for part in _parts(stream, draft.stat().st_size):
            code.update(part)
        stream.write(code.digest())
    draft.replace(file)


def _add(root: Path, archive: tarfile.TarFile, path: Path) -> None:
    with path.open("rb") as content:
        status = os.fstat(content.fileno())
        member = tarfile.TarInfo(path.relative_to(root).as_posix())
        member.size = status.st_size
        member.pax_headers = {_TIME: str(status.st_mtime_ns)}
        archive.addfile(member, content)


def _lay_out(root: Path, archive: tarfile.TarFile, member: tarfile.TarInfo) -> int:
    content = archive.extractfile(member)
    if content is None:
        return 0
    place = root / member.name
    place.parent.mkdir(parents=True, exist_ok=True)
    with content, place.open("wb") as out:
        shutil.copyfileobj(content, out)
    time = int(member.pax_headers[_TIME])
    os.utime(place, ns=(time, time))
    return 1


def _parts(stream: BinaryIO, size: int) -> Iterator[bytes]:
    while size > 0 and (part := stream.read(min(size, 2**20))):
        size -= len(part)
        yield part


def _code(key: str) -> hmac.HMAC:
    if len(key) < _SHORTEST:
        raise UsageError(
            f"{KEY_VARIABLE} has {len(key)} characters",
            hint=f"At least {_SHORTEST}, by chance: `openssl rand -hex 32`.",
        )
    return hmac.new(key.encode(), digestmod=_CODE)
