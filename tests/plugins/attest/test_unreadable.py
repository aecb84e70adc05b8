"""What a stranger or a damaged disk leaves where files from outside are read ends no command."""

import base64
import json
import shutil
from pathlib import Path

import pytest

from tests.plugins.attest.conftest import ONE, TWO, Deployment

ROOT = Path(__file__).parents[3]
DEEP = "[" * 50_000 + "]" * 50_000


def envelope(payload: str) -> str:
    encoded = base64.b64encode(payload.encode()).decode()
    return json.dumps({"payload": encoded, "payloadType": "x", "signatures": []})


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
