"""Data that stays on the runner: found by path, believed by digest."""

import hashlib
from functools import lru_cache
from pathlib import Path

from evaluator.compute.steps import fail
from evaluator.errors import PlatformError, UsageError
from evaluator.formats.cell import digest
from evaluator.formats.extension import PrivateData
from evaluator.formats.record import Reason

_CHUNK = 2**20


def find_private(data: PrivateData, root: str) -> Path:
    """Return the folder or file that a bundle pins.

    Raises PlatformError where this runner does not hold it, CellFailedError where it holds
    something else.
    """
    if not root:
        raise PlatformError(
            f"this runner holds no private data; '{data.path}' is needed",
            hint="Set [tool.pullbench] data on a runner that has it.",
        )
    path = Path(root) / data.path
    if not path.exists():
        raise PlatformError(
            f"this runner has no '{data.path}' in its data folder",
            hint="Copy the data there, or send the cell to a queue whose runners have it.",
        )
    try:
        found = content_digest(path)
    except UsageError as error:
        raise fail(Reason.BAD_DATA, error.message, step=None, hint=error.hint) from None
    if found != data.sha256:
        raise fail(
            Reason.BAD_DATA,
            f"the private data '{data.path}' has the digest {found}; the bundle pins {data.sha256}",
            step=None,
            hint="Restore the data, or pin the new digest in competition.yaml.",
        )
    return path


@lru_cache(maxsize=256)
def content_digest(path: Path) -> str:
    """SHA-256 of a file, or of the names and digests of a folder's files. Follows no link."""
    if path.is_symlink():
        raise UsageError(f"{path} is a link; private data must be plain files")
    if path.is_file():
        return _file_digest(path)
    files = sorted(file for file in path.rglob("*") if not file.is_dir())
    return digest([[file.relative_to(path).as_posix(), content_digest(file)] for file in files])


def _file_digest(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            found.update(chunk)
    return found.hexdigest()
