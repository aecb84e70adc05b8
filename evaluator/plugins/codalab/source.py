"""Sources of a bundle: a zip, a directory, or an address with a digest."""

import hashlib
import hmac
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from evaluator.core.errors import Actor, PlatformError, PullbenchError, UsageError
from evaluator.core.formats.paths import shown
from evaluator.core.importers.folder import Folder

MAX_DOWNLOAD = 4 * 2**30
"""Bytes of one download."""
MARK = b"pullbench export 1"
"""Comment of pullbench's own zips: they are imported unchanged, so that export is reversible."""
_SCHEMES = ("http://", "https://", "file://")
_SECONDS = 60


def is_url(source: str) -> bool:
    """Return whether a source is an address rather than a path."""
    return source.lower().startswith(_SCHEMES)


def fetch(
    source: str, folder: Folder, *, sha256: str | None = None, within: Path | None = None
) -> None:
    """Bring the source's files into the folder. Raises UsageError, PlatformError.

    Links of a directory may lead to what is below ``within``, by default the directory.
    """
    name = shown(source.rstrip("/").rpartition("/")[2] or source)
    if within is not None and not Path(source).resolve().is_relative_to(within.resolve()):
        raise UsageError(f"'{shown(source)}' is not a directory below '{shown(str(within))}'")
    if is_url(source):
        if sha256 is None:
            raise UsageError(
                "a bundle from an address needs its digest",
                hint="Give --sha256; `sha256sum FILE` prints it where the file is known good.",
            )
        _add(_download(source, sha256), folder, name)
        return
    path = Path(source)
    if path.is_dir():
        if sha256 is not None:
            raise UsageError("--sha256 is for files and addresses; a directory has none")
        folder.add_directory(path, name, within)
    elif path.is_file():
        content = path.read_bytes()
        if sha256 is not None:
            _check(hashlib.sha256(content).hexdigest(), sha256, source)
        _add(content, folder, name)
    else:
        raise UsageError(f"there is no file or directory '{shown(source)}'")


def _add(content: bytes, folder: Folder, name: str) -> None:
    folder.exact = content.endswith(MARK)
    folder.add_zip(content, "", name)


def _download(source: str, sha256: str) -> bytes:
    if urllib.parse.urlsplit(source).scheme == "file":
        location = urllib.request.url2pathname(urllib.parse.urlsplit(source).path)
        if not Path(location).is_file():
            raise UsageError(f"there is no file '{shown(location)}'")
    digest = hashlib.sha256()
    parts: list[bytes] = []
    size = 0
    try:
        with urllib.request.urlopen(source, timeout=_SECONDS) as answer:  # noqa: S310 is_url asked
            while block := answer.read(2**20):
                size += len(block)
                if size > MAX_DOWNLOAD:
                    raise PullbenchError(f"{shown(source)} is more than {MAX_DOWNLOAD:,} bytes")
                digest.update(block)
                parts.append(block)
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise PlatformError(
            f"{shown(source)} cannot be read: {error}",
            hint="Check the address, or download the file and import that.",
        ) from None
    _check(digest.hexdigest(), sha256, source)
    return b"".join(parts)


def _check(digest: str, wanted: str, source: str) -> None:
    if not hmac.compare_digest(digest, wanted.strip().lower()):
        raise PullbenchError(
            f"{shown(source)} has the SHA-256 {digest}, not {shown(wanted)}; nothing was read",
            hint="Ask its author which one holds.",
            actor=Actor.ORGANISER,
        )
