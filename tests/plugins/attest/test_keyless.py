"""A bundle that a workflow of GitHub signed, with the trusted root of sigstore's staging.

Both files are of the tests of sigstore-python (Apache-2.0). Nothing asks the network.
"""

import base64
import json
from pathlib import Path

import pytest

from evaluator.plugins.attest.keyless import verify_by_identity
from evaluator.plugins.attest.settings import Identity
from evaluator.plugins.attest.statements import payload_of, read_envelope

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
        [SIGNER.model_copy(update={"issuer": "https://gitlab.com"})],
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
