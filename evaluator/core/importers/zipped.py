"""Files -> a zip that is the same bytes for the same files."""

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from evaluator.core.errors import UsageError

MARK = b"pullbench export 1"
"""Comment of pullbench's own zips: they are imported unchanged, so that export is reversible."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
_STORED_FROM = 100
"""Files that shrink more than so many times are stored: an import refuses bombs at 200."""
Files = Mapping[str, tuple[bytes, bool]]
"""Path -> content, and whether it is executable."""


def zip_bytes(files: Files, *, comment: bytes = b"") -> bytes:
    """Return a zip: members sorted, times fixed, modes 644 and 755 alone."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            content, executable = files[name]
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system = 3  # Unix, whatever machine writes it
            info.external_attr = (0o100755 if executable else 0o100644) << 16
            shrunk = len(zlib.compress(content, 6)) or 1
            dense = len(content) > shrunk * _STORED_FROM
            info.compress_type = zipfile.ZIP_STORED if dense else zipfile.ZIP_DEFLATED
            archive.writestr(info, content, compresslevel=6)
        archive.comment = comment
    return buffer.getvalue()


def is_exported(content: bytes) -> bool:
    """Return whether a zip was written by ``pullbench export``."""
    return content.endswith(MARK)


def pack(source: Path) -> bytes:
    """Return a file as it is, a folder as a zip. Raises UsageError for one that is empty."""
    if source.is_file():
        return source.read_bytes()
    files = [path for path in source.rglob("*") if path.is_file()]
    if not files:
        raise UsageError(f"{source} holds no file")
    return zip_bytes(
        {
            path.relative_to(source).as_posix(): (
                path.read_bytes(), bool(path.stat().st_mode & 0o100),
            )
            for path in files
        }
    )  # fmt: skip
