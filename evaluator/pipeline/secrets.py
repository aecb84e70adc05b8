"""Private data of organisers: digests, encryption, keys."""

from collections.abc import Sequence
from pathlib import Path


def pin(source: Path) -> str:
    """Return the digest that a bundle pins for a file or folder of private data."""
    from evaluator.compute.private import content_digest

    return content_digest(source)


def encrypt(source: Path, recipients: Sequence[str]) -> bytes:
    """Encrypt a file, or a folder as a zip, for the holders of some keys. Raises UsageError."""
    from evaluator.compute.encryption import encrypt
    from evaluator.importers.zipped import pack

    return encrypt(pack(source), recipients)


def generate_keys(*, of_data: bool) -> tuple[str, str, str]:
    """Return a new public key, the variable that holds its secret key, and that key."""
    from evaluator.compute.encryption import IDENTITY_VARIABLE as DATA_VARIABLE
    from evaluator.formats.envelopes import IDENTITY_VARIABLE
    from evaluator.scores.sealing import generate

    public, secret = generate()
    return public, DATA_VARIABLE if of_data else IDENTITY_VARIABLE, secret
