"""Content that a bundle pins, as one file: the file itself, or a zip of the folder."""

import hashlib
import shutil
from pathlib import Path
from typing import BinaryIO

from evaluator.core.compute.steps import fail
from evaluator.core.errors import UsageError
from evaluator.core.formats.archive import ArchiveError, entries
from evaluator.core.formats.cell import digest
from evaluator.core.formats.record import Reason
from evaluator.core.formats.verified import StatMemo

_CHUNK = 2**20


def lay_out(file: BinaryIO, name: str, sha256: str, target: Path, limit: int, source: str) -> Path:
    """Write what a file holds below ``target``, readable for all, and return its file or folder.

    The digest decides: a file with that digest is stored as ``name``, else it must be a zip with
    such content. ``limit`` bounds the bytes. Raises CellFailedError where neither fits, naming
    ``source``.
    """
    target.mkdir(parents=True)
    digest = stream_digest(file)
    file.seek(0)
    if digest == sha256:
        with (target / name).open("wb") as copy:
            shutil.copyfileobj(file, copy, _CHUNK)
        (target / name).chmod(0o644)
        target.chmod(0o755)
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
            path.chmod(0o755 if member.executable else 0o644)
        digest = content_digest(target)
    except ArchiveError as error:
        raise fail(
            Reason.BAD_DATA,
            f"the private data '{source}' are not the file that the bundle pins, nor a zip of the "
            f"folder: it {error}",
            step=None, hint="Restore the data, or pin the new digest in competition.yaml.",
        ) from None  # fmt: skip
    for folder in (target, *(path for path in target.rglob("*") if path.is_dir())):
        folder.chmod(0o755)
    if digest != sha256:
        raise other_content(source, digest, sha256)
    return target


def other_content(source: str, digest: str, sha256: str) -> Exception:
    """Make the failure of data with another digest than the bundle's."""
    return fail(
        Reason.BAD_DATA,
        f"the private data '{source}' has the digest {digest}; the bundle pins {sha256}",
        step=None,
        hint="Restore the data, or pin the new digest in competition.yaml.",
    )


_digests: StatMemo[str] = StatMemo()


def content_digest(path: Path) -> str:
    """SHA-256 of a file, or of the names and digests of a folder's files. Follows no link.

    What is as it was is read once: data are looked at whenever a cell uses them.
    """
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
    """SHA-256 of what is left of an open file."""
    hasher = hashlib.sha256()
    while chunk := file.read(_CHUNK):
        hasher.update(chunk)
    return hasher.hexdigest()
