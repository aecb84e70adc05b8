"""Content that a bundle pins by its digest: checked and unpacked."""

import hashlib
import shutil
from pathlib import Path
from typing import BinaryIO

from evaluator.core.compute.steps import fail
from evaluator.core.errors import UsageError
from evaluator.core.formats.archive import ArchiveError, entries
from evaluator.core.formats.cell import digest
from evaluator.core.formats.content_cache import set_readable
from evaluator.core.formats.record import Reason
from evaluator.core.formats.verified import StatMemo

_CHUNK = 2**20
_REPIN = "Restore the data, or pin the new digest in competition.yaml."


def lay_out(file: BinaryIO, name: str, sha256: str, target: Path, limit: int, source: str) -> Path:
    """Write what a file holds below ``target``, readable for all, and return its file or folder.

    The digest decides: a file with that digest is stored as ``name``, else it must be a zip with
    such content. ``limit`` bounds the bytes. Raises CellFailedError, naming ``source``, if the
    file is neither.
    """
    target.mkdir(parents=True)
    digest = stream_digest(file)
    file.seek(0)
    if digest == sha256:
        with (target / name).open("wb") as copy:
            shutil.copyfileobj(file, copy, _CHUNK)
        set_readable(target)
        return target / name
    try:
        # Not one file is passed over: the digest is of all.
        for member in entries(file, max_bytes=limit, skip=lambda _: False):
            path = target / member.name
            if member.name.endswith("/"):
                path.mkdir(parents=True, exist_ok=True)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(member.content)
            if member.executable:
                path.chmod(0o755)
        set_readable(target)
        digest = content_digest(target)
    except ArchiveError as error:
        raise fail(
            Reason.BAD_DATA,
            f"the private data '{source}' are not the file that the bundle pins, nor a zip of the "
            f"folder: it {error}",
            step=None,
            hint=_REPIN,
        ) from None
    check_digest(source, digest, sha256)
    return target


def check_digest(source: str, digest: str, sha256: str) -> None:
    if digest != sha256:
        raise fail(
            Reason.BAD_DATA,
            f"the private data '{source}' has the digest {digest}; the bundle pins {sha256}",
            step=None,
            hint=_REPIN,
        )


_digests: StatMemo[str] = StatMemo()


def content_digest(path: Path) -> str:
    """The digest of a file or folder; unchanged content is read once. Follows no link."""
    return _digests.read(path, _digest)


def _digest(path: Path) -> str:
    if path.is_symlink():
        raise UsageError(f"{path} is a link; private data must be plain files")
    if path.is_file():
        with path.open("rb") as file:
            return stream_digest(file)
    files = sorted(file for file in path.rglob("*") if not file.is_dir())
    return digest([[file.relative_to(path).as_posix(), _digest(file)] for file in files])


def stream_digest(file: BinaryIO) -> str:
    hasher = hashlib.sha256()
    while chunk := file.read(_CHUNK):
        hasher.update(chunk)
    return hasher.hexdigest()
