"""Statements signed with no key, by the identity of a workflow: bundles of sigstore."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from cryptography.x509 import ExtensionNotFound, SubjectAlternativeName
from sigstore.dsse import Statement
from sigstore.errors import Error, VerificationError
from sigstore.models import Bundle, ClientTrustConfig, TrustedRoot
from sigstore.oidc import IdentityToken, detect_credential
from sigstore.sign import SigningContext
from sigstore.verify import Verifier
from sigstore.verify.policy import AllOf, GitHubWorkflowRepository
from sigstore.verify.policy import Identity as SignedBy

from evaluator.core.errors import PlatformError
from evaluator.plugins.attest.keys import PAYLOAD_TYPE
from evaluator.plugins.attest.settings import Identity

_ISSUER = "https://token.actions.githubusercontent.com"
"""Gives workflows their identity."""


class KeylessSigner:
    """Signs by the identity that the forge gives to the job that runs."""

    def sign(self, payload: bytes) -> bytes:
        """A bundle; sigstore's services are asked. Raises PlatformError."""
        try:
            token = detect_credential()
        except Error as error:
            raise _no_identity(str(error)) from None
        if token is None:
            raise _no_identity("no forge that sigstore knows runs it")
        try:
            context = SigningContext.from_trust_config(ClientTrustConfig.production())
            with context.signer(IdentityToken(token)) as signer:
                content: str = signer.sign_dsse(Statement(payload)).to_json()
                return content.encode()
        except Exception as error:  # its clients raise errors of no common kind
            raise PlatformError(
                f"sigstore signed nothing: {str(error) or type(error).__name__}",
                hint="Run the workflow again.",
            ) from error


def _no_identity(why: str) -> PlatformError:
    return PlatformError(
        f"this job has no identity to sign with: {why}",
        hint="Give the job `permissions: id-token: write`.",
    )


def verify_by_identity(
    content: bytes, identities: Sequence[Identity], root: Path | None
) -> tuple[bytes, str]:
    """The payload of a bundle and the workflow that signed it; asks no network.

    ``root`` is a trusted root of sigstore; without one that of the package counts. Raises
    ValueError.
    """
    try:
        bundle = Bundle.from_json(content)
        for identity in identities:
            signed_by = SignedBy(identity=identity.workflow, issuer=_ISSUER)
            policy = AllOf([signed_by, GitHubWorkflowRepository(identity.repository)])
            with suppress(VerificationError):
                policy.verify(bundle.signing_certificate)
                break
        else:
            raise ValueError(
                "is signed by an identity that [tool.pullbench.attest] does not list: "
                f"{_names(bundle)}"
            )
        payload_type, payload = _verifier(root).verify_dsse(bundle, policy)
    except (Error, ExtensionNotFound) as error:
        raise ValueError(f"has a signature that does not hold: {error}") from None
    if payload_type != PAYLOAD_TYPE:
        raise ValueError("is no in-toto statement")
    return payload, f"workflow {identity.workflow}"


@cache
def _verifier(root: Path | None) -> Verifier:
    if root is None:
        return Verifier.production(offline=True)
    return Verifier(trusted_root=TrustedRoot.from_file(str(root)))


def _names(bundle: Bundle) -> str:
    names = bundle.signing_certificate.extensions.get_extension_for_class(SubjectAlternativeName)
    return ", ".join(str(name.value) for name in names.value)
