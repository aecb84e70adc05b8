"""Records that wait in the ledger count if those whom the settings list signed them."""

import base64
import datetime as dt
import json
import re

import pytest

from evaluator.ci.ledger.ledger_notes import SIGNED, record_digest, record_files
from evaluator.ci.scores import collecting
from evaluator.ci.scores.collecting import Collected
from evaluator.ci.scores.ledger_records import add_to_ledger
from evaluator.ci.steps.comment import to_markdown
from evaluator.core.formats.record import Record
from evaluator.core.git.tree import open_repository
from evaluator.plugins.attest.checking import verify
from evaluator.plugins.attest.keys import KeySigner
from evaluator.plugins.attest.plugin import PLUGIN
from evaluator.plugins.attest.signing import KEY_VARIABLE
from evaluator.plugins.attest.statements import (
    ACCEPTED,
    KEPT,
    RE_DERIVED,
    Predicate,
    Statement,
    encode_statement,
    subject,
)
from tests.ci.steps.conftest import (
    LEDGER,
    NOON,
    ORGANISER,
    SETTINGS,
    Forge,
    entry,
    make_forge,
)
from tests.plugging import leave_out
from tests.plugins.attest.conftest import FORGE, make_key
from tests.records import cells_of, record_of
from tests.repository import BRANCH
from tests.steps import approve, finish, receive

ONE, TWO = "adding/carol/one/main/one", "adding/carol/one/main/two"
UNSIGNED = "nobody signed the record that the ledger has of it"
BEST = {"right": 1.0, "distance": 0.0}
KEYS = {"listed": make_key(), "auditor": make_key(), "unknown": make_key()}
"""Public and secret halves."""
forge = pytest.fixture(make_forge)


@pytest.fixture
def signing(forge: Forge, monkeypatch: pytest.MonkeyPatch) -> Forge:
    """CI has a key, and the settings list it."""
    public, secret = KEYS["listed"]
    monkeypatch.setenv(KEY_VARIABLE, secret)
    list_keys(forge, public)
    return forge


def list_keys(forge: Forge, *keys: str) -> None:
    listed = ", ".join(f'"{key}"' for key in keys)
    text = SETTINGS.replace("[tool.pullbench]\n", f'[tool.pullbench]\nforge = "{FORGE}"\n')
    text += f'[tool.pullbench.attest]\nkeys = [{listed}]\nauditors = ["{KEYS["auditor"][0]}"]\n'
    forge.ours.write("pyproject.toml", text)
    forge.ours.commit("Settings")
    forge.ours.git("push", "--quiet", "origin", BRANCH)


def enter(forge: Forge, *, evaluate: bool) -> None:
    source = forge.open(1, entry("carol"))
    receive(forge.ours.path, source, "carol", NOON)
    if evaluate:
        approve(forge.ours.path, source, "carol", ORGANISER, NOON)
        assert finish(forge.ours.path, source, forge.evaluate(source), NOON).ok
    forge.merge(source)


def keep(forge: Forge, files: dict[str, bytes]) -> None:
    """Put files into the ledger, as everybody can who may push to it."""
    repo = open_repository(forge.ours.path)
    add_to_ledger(repo, files, "Keep {}\n", branch=LEDGER, remote="origin")


def forged(forge: Forge) -> tuple[Record, dict[str, bytes]]:
    record = record_of(cells_of(forge.ours)[ONE], scores=BEST)
    return record, record_files(record, {}, NOON + dt.timedelta(days=900))


def collect(forge: Forge) -> Collected:
    return collecting.collect(forge.ours.path, NOON, branch=BRANCH, remote="origin")


def missing(done: Collected) -> set[str]:
    return {str(item.cell.id) for item in done.missing if "carol" in str(item.cell.id)}


def best(forge: Forge, done: Collected) -> list[str]:
    records = forge.ours.snapshot(done.tip).record_files.records("adding")
    return [str(cell) for cell, record in records.items() if record.scores == BEST]


def test_what_finish_keeps_is_signed_and_lands(signing: Forge) -> None:
    enter(signing, evaluate=True)
    assert sum(SIGNED in path for path in signing.ledger.entries.below("evaluated")) == 1
    done = collect(signing)
    assert not missing(done)
    assert not any(UNSIGNED in reason for reason in done.left_out)
    signing.ours.git("fetch", "--quiet", "origin", "+refs/heads/*:refs/remotes/origin/*")
    report = verify(signing.ours.snapshot("origin/main"), "adding/carol")
    by = f"key {KEYS['listed'][0]}"
    assert {cell: one.by for cell, one in report.proofs.items()} == {ONE: by, TWO: by}
    assert not report.faults
    # What the next comment says, a reader of it can ask for.
    receive(signing.ours.path, signing.open(4, entry("frank")), "frank", NOON)
    step = receive(signing.ours.path, signing.open(5, entry("gina")), "gina", NOON)
    (tip,) = re.findall(r"`pullbench verify --tip ([0-9a-f]{64})`", to_markdown(step.report))
    assert verify(signing.ours.snapshot("origin/main"), tip=tip).faults == []
    assert verify(signing.ours.snapshot("origin/main"), tip="0" * 64).faults
    # The content is known under another name, too, as long as the key is listed.
    copy = signing.open(2, entry("dave"))
    assert approve(signing.ours.path, copy, "dave", ORGANISER, NOON).planned == ()
    list_keys(signing, KEYS["unknown"][0])
    copy = signing.open(3, entry("erin"))
    assert len(approve(signing.ours.path, copy, "erin", ORGANISER, NOON).planned) == 2


@pytest.mark.parametrize("is_evaluated", [False, True])
def test_a_record_in_the_ledger(signing: Forge, *, is_evaluated: bool) -> None:
    """With the right to push alone: before CI evaluated it, or as if CI had once more."""
    enter(signing, evaluate=is_evaluated)
    keep(signing, forged(signing)[1])
    done = collect(signing)
    assert f"{ONE}: {UNSIGNED}" in done.left_out
    assert missing(done) == (set() if is_evaluated else {ONE, TWO})
    assert best(signing, done) == []


@pytest.mark.parametrize(
    ("signer", "kind", "address"),
    [
        ("unknown", KEPT, FORGE),
        ("auditor", KEPT, FORGE),
        ("auditor", RE_DERIVED, FORGE),
        ("listed", ACCEPTED, FORGE),
        ("listed", KEPT, "https://forge.test/somebody/else"),
    ],
)
def test_a_record_with_a_statement_that_says_something_else(
    signing: Forge, signer: str, kind: str, address: str
) -> None:
    enter(signing, evaluate=False)
    record, files = forged(signing)
    keep(signing, {**files, **signed(signing, record, files, signer, kind, address)})
    done = collect(signing)
    assert f"{ONE}: {UNSIGNED}" in done.left_out
    assert best(signing, done) == []
    # The same with the right words lands, so that it is these that matter.
    keep(signing, signed(signing, record, files, "listed", KEPT, FORGE))
    assert best(signing, collect(signing)) == [ONE]


def test_a_signature_that_cannot_be_read_is_put_aside(signing: Forge) -> None:
    enter(signing, evaluate=False)
    record, files = forged(signing)
    right = signed(signing, record, files, "listed", KEPT, FORGE)
    folder = next(iter(right)).rpartition("/")[0]
    payload = base64.b64encode(b'{"other": %b}' % (b"[" * 50_000)).decode()
    nested = json.dumps({"payload": payload, "payloadType": "x", "signatures": []}).encode()
    keep(signing, {**files, **right, f"{folder}/{SIGNED}0.json": nested})
    assert best(signing, collect(signing)) == [ONE]


def signed(
    forge: Forge, record: Record, files: dict[str, bytes], signer: str, kind: str, address: str
) -> dict[str, bytes]:
    base = forge.ours.git("rev-parse", "HEAD")
    predicate = Predicate(repository=address, base=base, at=NOON, evaluator="0.1.0")
    statement = Statement(
        subject=[subject(record.keys.score, record_digest(record))],
        predicate_type=kind, predicate=predicate,
    )  # fmt: skip
    folder = next(iter(files)).rpartition("/")[0]
    content = KeySigner(KEYS[signer][1]).sign(encode_statement(statement))
    return {f"{folder}/{SIGNED}{signer}-{address.count('else')}-{kind.count('kept')}.json": content}


def test_without_the_plugin_every_record_counts(
    forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(forge, evaluate=False)
    keep(forge, forged(forge)[1])
    leave_out(monkeypatch, PLUGIN)
    assert best(forge, collect(forge)) == [ONE]


def test_without_the_secret_a_kept_record_is_evaluated_again(
    signing: Forge, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(KEY_VARIABLE)
    enter(signing, evaluate=True)
    assert "so that `collect` will have the cells evaluated again" in capsys.readouterr().err
    assert missing(collect(signing)) == {ONE, TWO}
