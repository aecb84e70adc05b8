"""Files on their way from a job to the collector, encrypted to the organisers.

What jobs upload is read by everybody. Where a phase limits attempts and the deployment has a key
(``seal``), a record travels as ``NAME.age``, encrypted to it, until *finish* or *collect* opens it.
"""

import os
import re

import pyrage

from evaluator.core.errors import PlatformError, UsageError

SUFFIX = ".age"
IDENTITY_VARIABLE = "PULLBENCH_IDENTITY"
"""The organisers' secret key, ``AGE-SECRET-KEY-…``; a secret of the deployment."""
_LENGTH = re.compile(rb"pullbench length ([0-9]{1,12})\n")
_BLOCK = 4096
"""A closed file has a multiple of so many bytes; a record without long logs has as many."""


def recipient_of(text: str) -> pyrage.x25519.Recipient:
    """Return the public key that the setting ``seal`` holds. Raises UsageError."""
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
    """Return what ``close`` was given. Raises pyrage.DecryptError."""
    plain = bytes(pyrage.decrypt(content, [identity]))
    length = _LENGTH.match(plain)
    # Without it, it is of the time before files were filled up.
    return plain[length.end() :][: int(length[1])] if length else plain


def _padded(content: bytes) -> bytes:
    """Return a file with its length, padded: age reveals the length of a text, to the byte.

    A score of 1 is shorter than one of 0.9375.
    """
    framed = b"pullbench length %d\n%b" % (len(content), content)
    return framed.ljust(-(-len(framed) // _BLOCK) * _BLOCK, b" ")


def open_envelope(content: bytes) -> bytes:
    """Return a file that was closed.

    Raises ValueError where it was closed to somebody else or is damaged, and PlatformError where
    the environment has no key, or something that is none.
    """
    text = os.environ.get(IDENTITY_VARIABLE, "").strip()
    if not text:
        raise PlatformError(
            f"what was handed over is encrypted, and {IDENTITY_VARIABLE} is not in the environment",
            hint="The job that collects it needs the secret key that belongs to [tool.pullbench] "
            "seal; in the workflows it is a secret of the environment `publish`.",
        )
    try:
        identity = pyrage.x25519.Identity.from_str(text)
    except pyrage.IdentityError:
        raise PlatformError(
            f"{IDENTITY_VARIABLE} is no age identity", hint="It begins with AGE-SECRET-KEY-1."
        ) from None
    try:
        return open_with(identity, content)
    except pyrage.DecryptError:
        raise ValueError(
            f"is damaged, or encrypted to another key than {IDENTITY_VARIABLE}"
        ) from None
