"""Signed by a workflow of GitHub, with the root of sigstore's staging; and by one on loopback.

The first bundle and root are of the tests of sigstore-python (Apache-2.0). Nothing asks the
network.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from sigstore.models import ClientTrustConfig

from evaluator.core.clock import utc_now
from evaluator.core.errors import PlatformError
from evaluator.plugins.attest.keyless import KeylessSigner, verify_by_identity
from evaluator.plugins.attest.settings import Identity
from evaluator.plugins.attest.statements import (
    ACCEPTED,
    Predicate,
    Statement,
    encode_statement,
    payload_of,
    read_envelope,
    subject,
)
from tests.plugins.attest.conftest import FORGE
from tests.plugins.attest.local_sigstore import Sigstore, serve

FOLDER = Path(__file__).with_name("sigstore")
ROOT = FOLDER / "trusted_root.json"
CONTENT = (FOLDER / "workflow.sigstore.json").read_bytes()
REPOSITORY = "sigstore-conformance/extremely-dangerous-public-oidc-beacon"
WORKFLOW = (
    f"https://github.com/{REPOSITORY}/.github/workflows/extremely-dangerous-oidc-beacon.yml"
    "@refs/heads/main"
)
SIGNER = Identity(workflow=WORKFLOW, repository=REPOSITORY)
OTHER = Identity(workflow=WORKFLOW.replace("main", "dev"), repository=REPOSITORY)
HERE = "org/bench"
PUBLISH = ".github/workflows/publish.yml@refs/heads/main"
BY_PUBLISH = Identity(workflow=f"https://github.com/{HERE}/{PUBLISH}", repository=HERE)


@pytest.fixture
def sigstore(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sigstore]:
    """A job that may ask for tokens, and services that are not sigstore's own."""
    local = Sigstore(HERE, PUBLISH)
    with serve(local):
        monkeypatch.setattr(ClientTrustConfig, "production", local.config)
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
        monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_URL", f"{local.address}/token")
        monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "a-runner's")
        yield local


def payload() -> bytes:
    predicate = Predicate(repository=FORGE, base="0" * 40, at=utc_now(), evaluator="0.1.0")
    path = "submissions/echo/alice/same/scores/main.json"
    return encode_statement(
        Statement(subject=[subject(path, "0" * 64)], predicate_type=ACCEPTED, predicate=predicate)
    )


def test_what_a_workflow_signs_proves_itself_offline(sigstore: Sigstore, tmp_path: Path) -> None:
    root = tmp_path / "trusted_root.json"
    root.write_text(sigstore.trust())
    statement = payload()
    content = KeylessSigner().sign(statement)
    sigstore.refuses = {"/api/v2/signingCert", "/api/v1/log/entries"}
    assert verify_by_identity(content, [OTHER, BY_PUBLISH], root) == (
        statement, f"workflow {BY_PUBLISH.workflow}",
    )  # fmt: skip
    with pytest.raises(ValueError, match="has a signature that does not hold"):
        verify_by_identity(content, [BY_PUBLISH], ROOT)


def test_a_workflow_of_another_branch_or_fork_is_refused(
    sigstore: Sigstore, tmp_path: Path
) -> None:
    root = tmp_path / "trusted_root.json"
    root.write_text(sigstore.trust())
    for repository, workflow in ((HERE, PUBLISH.replace("main", "mine")), ("fork/bench", PUBLISH)):
        sigstore.repository, sigstore.workflow = repository, workflow
        content = KeylessSigner().sign(payload())
        with pytest.raises(ValueError, match=f"does not list: .*{repository}/{workflow}"):
            verify_by_identity(content, [BY_PUBLISH], root)


@pytest.mark.parametrize("path", ["/api/v2/signingCert", "/api/v1/log/entries"])
def test_services_that_are_down_are_no_defect_of_pullbench(sigstore: Sigstore, path: str) -> None:
    sigstore.refuses = {path}
    with pytest.raises(PlatformError, match="sigstore signed nothing") as error:
        KeylessSigner().sign(payload())
    assert error.value.hint == "Run the workflow again."


def test_a_job_without_the_permission_is_told_which(
    sigstore: Sigstore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN")
    with pytest.raises(PlatformError) as error:
        KeylessSigner().sign(payload())
    assert "id-token: write" in error.value.hint


def test_the_workflow_is_named_and_its_payload_returned() -> None:
    payload, by = verify_by_identity(CONTENT, [OTHER, SIGNER], ROOT)
    assert by == f"workflow {WORKFLOW}"
    envelope, is_bundle = read_envelope(CONTENT)
    assert is_bundle
    assert payload == payload_of(envelope)
    assert json.loads(payload)["_type"] == "https://in-toto.io/Statement/v1"


@pytest.mark.parametrize(
    "identities",
    [
        [],
        [OTHER],
        [SIGNER.model_copy(update={"repository": "somebody/else"})],
    ],
)
def test_another_identity_is_refused_and_named(identities: list[Identity]) -> None:
    with pytest.raises(ValueError, match=f"does not list: {WORKFLOW}"):
        verify_by_identity(CONTENT, identities, ROOT)


def test_another_payload_and_another_root_are_refused() -> None:
    bundle = json.loads(CONTENT)
    payload = base64.b64decode(bundle["dsseEnvelope"]["payload"]).replace(b"a.txt", b"b.txt")
    bundle["dsseEnvelope"]["payload"] = base64.b64encode(payload).decode()
    with pytest.raises(ValueError, match="has a signature that does not hold"):
        verify_by_identity(json.dumps(bundle).encode(), [SIGNER], ROOT)
    with pytest.raises(ValueError, match="has a signature that does not hold"):
        verify_by_identity(CONTENT, [SIGNER], None)


def test_a_certificate_that_names_nobody_is_no_signature() -> None:
    key, nobody = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    certificate = (
        x509.CertificateBuilder().subject_name(nobody).issuer_name(nobody).serial_number(1)
        .public_key(key.public_key()).not_valid_before(utc_now()).not_valid_after(utc_now())
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    bundle = json.loads(CONTENT)
    encoded = base64.b64encode(certificate.public_bytes(Encoding.DER)).decode()
    bundle["verificationMaterial"]["certificate"]["rawBytes"] = encoded
    for identities in ([], [SIGNER]):
        with pytest.raises(ValueError, match="a signature that does not hold"):
            verify_by_identity(json.dumps(bundle).encode(), identities, ROOT)
