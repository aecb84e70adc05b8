"""Files -> a zip that is the same bytes for the same files."""

import io
import zipfile
import zlib
from collections.abc import Mapping

MARK = b"pullbench export 1"
"""Comment of a zip of ours: an import takes it as it is, so that the way back is exact."""
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


def is_ours(content: bytes) -> bool:
    """Say whether a zip was written by ``pullbench export``."""
    return content.endswith(MARK)
