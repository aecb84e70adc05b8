"""What a stranger or a damaged disk leaves where files from outside are read ends no command."""

import base64
import json
import shutil
import sys
from pathlib import Path

import pytest

from evaluator.core.clock import utc_now
from evaluator.plugins.attest.history import Trust
from evaluator.plugins.attest.reading import check
from evaluator.plugins.attest.settings import Attest, Identity
from evaluator.plugins.attest.statements import (
    ACCEPTED,
    Predicate,
    Statement,
    encode_statement,
    subject,
)
from tests.plugins.attest.conftest import FORGE, ONE, SCORES, TWO, Deployment

ROOT = Path(__file__).parents[3]
DEEP = "[" * 50_000 + "]" * 50_000


def envelope(payload: str, *signatures: object) -> str:
    encoded = base64.b64encode(payload.encode()).decode()
    return json.dumps({"payload": encoded, "payloadType": "x", "signatures": signatures})


def claim_of_a_stranger(base: str) -> str:
    predicate = Predicate(repository=FORGE, base=base, at=utc_now(), evaluator="0.1.0", number=9)
    statement = Statement(
        subject=[subject(SCORES, "0" * 64)], predicate_type=ACCEPTED, predicate=predicate
    )
    return encode_statement(statement).decode()


STATEMENTS = {
    "nested": DEEP,
    "payload-nested": envelope(DEEP),
    "key-nested": envelope(f'{{"other": {DEEP}}}'),
    "bundle-nested": f'{{"dsseEnvelope": {DEEP}}}',
    "bundle-of-nothing": json.dumps({"dsseEnvelope": json.loads(envelope("{}"))}),
    "values": f"[{'0,' * 2_100_000}0]",
    "empty": "",
    "text": "no statement",
}


def test_statements_that_cannot_be_read_are_named_and_end_nothing(signed: Deployment) -> None:
    names = {name: f"statements/202601/20260101T000000000000-{name}.json" for name in STATEMENTS}
    signed.write_ledger({names[name]: content for name, content in STATEMENTS.items()})
    cells, said = signed.verify()
    assert {cell["state"] for cell in cells.values()} == {"attested"}
    for path in names.values():
        assert f"{path} is no statement: " in said
    assert f"{names['key-nested']} is no statement: is nested too deeply" in said
    signed.repo.write("benchmarks/adding/reference_data/one/sum.txt", "7\n")
    signed.repo.commit("Another truth")
    signed.collect(ONE, score=0.125)
    assert signed.states(ONE) == {ONE: "attested"}


def test_signatures_of_a_stranger_end_neither_verify_nor_collect(signed: Deployment) -> None:
    payload = claim_of_a_stranger(signed.repo.git("rev-parse", "HEAD"))
    keyids: list[object] = [5, None, True, 1.5, ["a"]]
    contents = [envelope(payload, {"keyid": keyid, "sig": "AAAA"}) for keyid in keyids]
    contents += [envelope(payload, {"keyid": "a", "sig": 5}), envelope(payload, "abc")]
    names = [f"statements/chain/00000/00000009-{place}.json" for place in range(len(contents))]
    signed.write_ledger(dict(zip(names, contents, strict=True)))
    cells, said = signed.verify()
    assert {cell["state"] for cell in cells.values()} == {"attested"}
    for name in names:
        assert f"{name} is no statement: is no DSSE envelope" in said
    signed.repo.write("benchmarks/adding/reference_data/one/sum.txt", "7\n")
    signed.repo.commit("Another truth")
    signed.collect(ONE, score=0.125)
    assert signed.states(ONE) == {ONE: "attested"}


@pytest.mark.parametrize("is_bundle", [True, False])
def test_what_a_stranger_signed_asks_for_no_package_that_nobody_listed_needs(
    monkeypatch: pytest.MonkeyPatch, is_bundle: bool
) -> None:
    for package in ("sigstore", "securesystemslib"):
        monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    content = envelope(claim_of_a_stranger("0" * 40))
    if is_bundle:
        content = f'{{"dsseEnvelope": {content}}}'
    key, identity = f"ed25519:{'0' * 64}", Identity(workflow="w", repository="r")
    trust = Attest(keys=[key]) if is_bundle else Attest(identities=[identity])
    with pytest.raises(ValueError, match="does not list"):
        check("", content.encode(), Trust(trust, FORGE))


@pytest.mark.slow
def test_statements_that_cannot_be_read_end_no_site(signed: Deployment) -> None:
    signed.write_ledger(
        {f"statements/202601/{name}.json": text for name, text in STATEMENTS.items()}
    )
    shutil.copy(ROOT / "mkdocs.yml", signed.repo.path / "mkdocs.yml")
    shutil.copytree(ROOT / "site", signed.repo.path / "site")
    done = signed.repo.pullbench("site")
    assert done.returncode == 0, done.stderr
    assert "defect" not in done.stderr


def test_settings_of_an_earlier_commit_that_cannot_be_read_end_nothing(
    deployment: Deployment,
) -> None:
    repo = deployment.repo
    deployment.collect(ONE)
    good = (repo.path / "pyproject.toml").read_text()
    repo.write("pyproject.toml", f"a = {DEEP}\n")
    repo.commit("Nonsense")
    repo.write("pyproject.toml", good)
    repo.put(deployment.record(TWO))
    repo.commit("As it was, and a record that nobody signed")
    assert deployment.states("adding/alice/right") == {ONE: "attested", TWO: "forged"}
