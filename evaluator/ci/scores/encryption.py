"""Encryption to the organisers, with age: whole records and files."""

import base64
import os
import re

import pyrage

from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.formats.record import Attachment, Record
from evaluator.core.formats.record_lines import to_json
from evaluator.core.formats.settings import SEAL_IDENTITY

_LENGTH = re.compile(rb"pullbench length ([0-9]{1,12})\n")
_BLOCK = 4096
"""A closed file has a multiple of so many bytes; a record without long logs has as many."""


def recipient_of(text: str) -> pyrage.x25519.Recipient:
    """The public key that the setting ``seal`` holds. Raises UsageError."""
    try:
        return pyrage.x25519.Recipient.from_str(text)
    except pyrage.RecipientError:
        raise UsageError(
            "[tool.pullbench] seal is not an age recipient",
            hint="`pullbench keygen` makes a pair; the setting is the line that begins with age1.",
        ) from None


def close(content: bytes, recipient: str) -> bytes:
    """Encrypt a file to the organisers, its length with it. Raises UsageError."""
    return bytes(pyrage.encrypt(_padded(content), [recipient_of(recipient)]))


def open_with(identity: pyrage.x25519.Identity, content: bytes) -> bytes:
    """What ``close`` was given. Raises pyrage.DecryptError."""
    plain = bytes(pyrage.decrypt(content, [identity]))
    length = _LENGTH.match(plain)
    # Without it, it is of the time before files were filled up.
    return plain[length.end() :][: int(length[1])] if length else plain


def _padded(content: bytes) -> bytes:
    """A file with its length, padded: a score of 1 is shorter than one of 0.9375."""
    framed = b"pullbench length %d\n%b" % (len(content), content)
    return framed.ljust(-(-len(framed) // _BLOCK) * _BLOCK, b" ")


def open_envelope(content: bytes) -> bytes:
    """A closed file. Raises ValueError for another key, PlatformError without one."""
    text = os.environ.get(SEAL_IDENTITY, "").strip()
    if not text:
        raise PlatformError(
            f"what was handed over is encrypted, and {SEAL_IDENTITY} is not in the environment",
            hint="The job that collects it needs the secret key that belongs to [tool.pullbench] "
            "seal; in the workflows it is a secret of the environment `publish`.",
        )
    try:
        identity = pyrage.x25519.Identity.from_str(text)
    except pyrage.IdentityError:
        raise PlatformError(
            f"{SEAL_IDENTITY} is no age identity", hint="It begins with AGE-SECRET-KEY-1."
        ) from None
    try:
        return open_with(identity, content)
    except pyrage.DecryptError:
        raise ValueError(f"is damaged, or encrypted to another key than {SEAL_IDENTITY}") from None


def seal(record: Record, recipient: str) -> str:
    """A whole record as text that ``recipient`` alone can read. Raises UsageError."""
    return base64.b64encode(close(to_json(record), recipient)).decode("ascii")


def decrypt_attachment(content: bytes, named: Attachment | None) -> bytes | None:
    """An attachment, if it is the one that a record names. Raises PlatformError."""
    try:
        opened = open_envelope(content)
    except ValueError:
        return None
    return opened if Attachment.of(opened) == named else None
