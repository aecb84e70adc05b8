"""Records of hidden boards: the hidden part is encrypted to the organisers.

A repository is read by everybody, records and artifacts too. So a record holds in the clear only
what ``disclose`` shows, where the deployment names a key (``seal``); beside it stands the full
record, encrypted with age. Evaluating needs the public key alone.
"""

import base64
import hashlib
import os
import re

import pyrage

from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import from_json, to_json
from evaluator.core.scores.redaction import disclose, redact, redact_step

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


def encrypt_hidden(record: Record, benchmark: Benchmark, recipient: str) -> Record:
    """Return the public part of a record, with the full record sealed inside.

    Unchanged where nothing is hidden, or where it is sealed already. Without a ``recipient`` what
    ranks need stays in the clear, and whatever else may reveal a hidden score is left out for good.
    Raises UsageError for an invalid recipient.
    """
    shown = redact(record, benchmark)
    if record.sealed is not None or shown == record:
        return record
    if not recipient:
        return _bare(record, benchmark)
    secret = base64.b64encode(close(to_json(record), recipient)).decode("ascii")
    return shown.model_copy(update={"sealed": secret})


def encrypt_page(page: bytes | None, record: Record, recipient: str) -> bytes | None:
    """Return detailed results as they may lie beside a record of ``encrypt_hidden``."""
    if page is None or record.detailed_results is not None:
        return page
    return close(page, recipient) if recipient and record.sealed is not None else None


def decrypt_page(content: bytes, full_record: Record) -> bytes | None:
    """Return detailed results that were sealed, if they are those that the whole record names.

    Raises PlatformError where the environment has no key.
    """
    named = full_record.detailed_results
    try:
        page = open_envelope(content)
    except ValueError:
        return None
    if named is None or len(page) != named.bytes:
        return None
    return page if hashlib.sha256(page).hexdigest() == named.sha256 else None


def decrypt(record: Record, key: str) -> Record:
    """Return the full record inside a sealed one, unchecked. Raises PlatformError."""
    where = f"{record.cell.scores_path}, {record.cell.file_stem},"
    try:
        secret = pyrage.x25519.Identity.from_str(key.strip())
        full_record = from_json(open_with(secret, base64.b64decode(record.sealed or "")))
    except (pyrage.IdentityError, pyrage.DecryptError, ValueError) as error:
        raise PlatformError(
            f"{where} cannot be opened: {type(error).__name__}",
            hint=f"Is {IDENTITY_VARIABLE} the key that belongs to [tool.pullbench] seal?",
        ) from None
    if full_record.keys != record.keys or full_record.status != record.status:
        raise PlatformError(
            f"{where} holds the sealed record of another evaluation",
            hint="Somebody put it there by hand; delete the file, so that its cell runs again.",
        )
    # The same content under another name has the same record.
    submitted = {"submitted": record.provenance.submitted}
    return full_record.model_copy(
        update={
            "cell": record.cell, "earlier": record.earlier, "sealed": None,
            "provenance": full_record.provenance.model_copy(update=submitted),
        }
    )  # fmt: skip


def make_keys() -> tuple[str, str]:
    """Return a public recipient and its secret identity."""
    identity = pyrage.x25519.Identity.generate()
    return str(identity.to_public()), str(identity)


def _bare(record: Record, benchmark: Benchmark) -> Record:
    """Leave out the page, the other numbers and the logs that may not be shown."""
    disclosure = disclose(record, benchmark)
    return record.model_copy(
        update={
            "extra": dict(disclosure.extra),
            "detailed_results": record.detailed_results if disclosure.detailed_results else None,
            "steps": [redact_step(step, disclosure) for step in record.steps],
        }
    )
