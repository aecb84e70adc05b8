"""Private data that lies encrypted in the bundle (age): made with public keys, opened with one."""

import os
from collections.abc import Iterable

import pyrage

from evaluator.core.compute.steps import fail
from evaluator.core.errors import GUIDES, PlatformError, UsageError
from evaluator.core.formats.record import Reason

IDENTITY_VARIABLE = "PULLBENCH_DATA_IDENTITY"
"""Secret keys, ``AGE-SECRET-KEY-…``, with white space between them. It is not that of sealed
records: a machine that runs participants' programs need not be able to read hidden scores."""
_WHERE = (
    "Jobs of a pull request have no secrets, so they cannot score this; see 'Encrypted in the "
    f"bundle' in {GUIDES}/organisers/index.md for where it can be scored."
)


def encrypt(content: bytes, recipients: Iterable[str]) -> bytes:
    """Encrypt to public keys, ``age1…``. Raises UsageError."""
    try:
        keys = [pyrage.x25519.Recipient.from_str(text.strip()) for text in recipients]
    except pyrage.RecipientError:
        raise UsageError(
            "a recipient is the public key of an age pair, and begins with age1",
            hint="`pullbench keygen --data` makes a pair.",
        ) from None
    return bytes(pyrage.encrypt(content, keys))


def decrypt(content: bytes, name: str) -> bytes:
    """Open a file with the keys of the environment; ``name`` is its name in messages.

    Raises PlatformError where this machine has no key that opens it, CellFailedError where the
    file is damaged.
    """
    try:
        identities = [
            pyrage.x25519.Identity.from_str(text)
            for text in os.environ.get(IDENTITY_VARIABLE, "").split()
        ]
    except pyrage.IdentityError:
        raise PlatformError(
            f"{IDENTITY_VARIABLE} holds something that is no age identity",
            hint="It begins with AGE-SECRET-KEY-1; `pullbench keygen --data` makes one.",
        ) from None
    if not identities:
        raise PlatformError(
            f"this runner has no {IDENTITY_VARIABLE} in its environment, and '{name}' is encrypted",
            hint=_WHERE,
        )
    try:
        return bytes(pyrage.decrypt(content, identities))
    except pyrage.DecryptError as error:
        if "matching keys" in str(error):
            raise PlatformError(
                f"{IDENTITY_VARIABLE} of this runner does not open '{name}'",
                hint="Give the runner the key that the file was encrypted to. "
                "A file with a damaged head reads the same.",
            ) from None
        raise fail(
            Reason.BAD_DATA, f"the encrypted data '{name}' are damaged", step=None,
            hint="Restore the file, or make it again with `pullbench pin --encrypt`.",
        ) from None  # fmt: skip
