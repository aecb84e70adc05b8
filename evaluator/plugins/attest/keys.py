"""Statements signed with an Ed25519 key of the deployment, as DSSE envelopes."""

import json
from collections.abc import Iterable
from typing import Any

from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import FormatError, VerificationError
from securesystemslib.signer import CryptoSigner, SSlibKey

from evaluator.core.errors import UsageError
from evaluator.plugins.attest.signing import KEY_VARIABLE

PAYLOAD_TYPE = "application/vnd.in-toto+json"


def new_key() -> str:
    """The setting and the secret of a new pair, each as a line."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    secret = Ed25519PrivateKey.generate()
    text = _text(CryptoSigner(secret).public_key)
    return f'keys = ["{text}"]\n{KEY_VARIABLE} = {secret.private_bytes_raw().hex()}'


class KeySigner:
    """Signs with a secret key, 64 hexadecimal digits."""

    def __init__(self, secret: str) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        try:
            key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))
        except ValueError:
            raise UsageError(
                f"{KEY_VARIABLE} holds no signing key",
                hint="It has 64 hexadecimal digits; `pullbench keygen --signing` makes one.",
            ) from None
        self._signer = CryptoSigner(key)
        self.public = _text(self._signer.public_key)

    def sign(self, payload: bytes) -> bytes:
        envelope = Envelope(payload, PAYLOAD_TYPE, {})
        envelope.sign(self._signer)
        return json.dumps(envelope.to_dict()).encode() + b"\n"


def verify_by_key(envelope: Any, trusted: Iterable[str]) -> tuple[bytes, str]:
    """The payload of an envelope and the key that signed it. Raises ValueError."""
    keys = {key.keyid: key for key in map(_key, trusted)}
    try:
        read = Envelope.from_dict(envelope)
    except (AttributeError, FormatError, KeyError, TypeError) as error:
        raise ValueError(f"is no DSSE envelope: {error!r}") from None
    known = [keys[name] for name in read.signatures if name in keys]
    if not known:
        signers = ", ".join(name[:12] for name in read.signatures) or "nobody"
        raise ValueError(f"is signed by {signers}, whom [tool.pullbench.attest] does not list")
    if read.payload_type != PAYLOAD_TYPE:
        raise ValueError("is no in-toto statement")
    try:
        signer = next(iter(read.verify(known, 1).values()))
    except VerificationError:
        raise ValueError("was altered after it was signed") from None
    return read.payload, f"key {_text(signer)}"


def _key(text: str) -> SSlibKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    digits = text.removeprefix("ed25519:")
    return SSlibKey.from_crypto(Ed25519PublicKey.from_public_bytes(bytes.fromhex(digits)))


def _text(key: Any) -> str:
    return f"ed25519:{key.keyval['public']}"
