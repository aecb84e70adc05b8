"""Files of web servers: of bounded size, and checked by their digest."""

import hashlib
import hmac
import io
import urllib.request
from typing import BinaryIO

from evaluator.core.errors import Actor, PlatformError, PullbenchError
from evaluator.core.formats.paths import shown

MAX_BYTES = 4 * 2**30
_SECONDS = 60


def download(address: str, file: BinaryIO, limit: int = MAX_BYTES) -> str:
    """Write what is at an address; return its SHA-256. Raises PlatformError, PullbenchError."""
    digest = hashlib.sha256()
    size = 0
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as answer:  # noqa: S310 callers ask for the scheme
            while block := answer.read(2**20):
                size += len(block)
                if size > limit:
                    raise PullbenchError(f"{shown(address)} is more than {limit:,} bytes")
                digest.update(block)
                file.write(block)
    except (OSError, ValueError) as error:
        raise PlatformError(
            f"{shown(address)} cannot be read: {error}",
            hint="Check the address, or download the file and name that.",
        ) from None
    return digest.hexdigest()


def content_at(address: str, limit: int = MAX_BYTES) -> bytes:
    content = io.BytesIO()
    download(address, content, limit)
    return content.getvalue()


def check_sha256(source: str, digest: str, wanted: str) -> None:
    if not hmac.compare_digest(digest, wanted.strip().lower()):
        raise PullbenchError(
            f"{shown(source)} has the SHA-256 {digest}, not {shown(wanted)}; nothing was read",
            hint="It was changed, or cut short. Ask its author which one holds.",
            actor=Actor.ORGANISER,
        )
