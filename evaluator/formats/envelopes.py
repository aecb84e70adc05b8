"""Files on their way from a job to whoever collects them, closed to all but the organisers.

What jobs upload is read by everybody. Where a phase limits attempts and the deployment has a key
(``seal``), a record travels as ``NAME.age``, encrypted to it, until *finish* or *collect* opens it.
"""

import os

import pyrage

from evaluator.errors import PlatformError, UsageError

SUFFIX = ".age"
IDENTITY_VARIABLE = "PULLBENCH_IDENTITY"
"""The organisers' secret key, ``AGE-SECRET-KEY-…``; a secret of the deployment."""


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
    """Encrypt a file to the organisers. Raises UsageError."""
    return bytes(pyrage.encrypt(content, [recipient_of(recipient)]))


def open_envelope(content: bytes) -> bytes:
    """Return a file that was closed; nothing where it was closed to somebody else, or is damaged.

    Raises PlatformError where the environment has no key, or something that is none.
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
        return bytes(pyrage.decrypt(content, [identity]))
    except pyrage.DecryptError:
        return b""
