"""Everybody with a clone finds a forged score, in eight ways to forge one."""

import base64
import json
from pathlib import Path

import pytest

from tests.plugins.attest.conftest import LEDGER, ONE, SCORES, TWO, Deployment, make_key, sign
from tests.repository import Repository


def test_every_number_is_attested_and_one_statement_says_so(signed: Deployment) -> None:
    cells, said = signed.verify()
    assert set(signed.states().values()) == {"attested"}
    assert len(cells) == 5
    assert "bad: 0" in said
    assert cells[ONE]["by"] == f"key {signed.public}"
    assert f"attested: 5 numbers, by key {signed.public}" in said
    assert len(signed.statements()) == 2, "of the scores, and of the commit that brought them"
    assert set(signed.states("adding/alice")) == {ONE, TWO}
    assert set(signed.states(ONE)) == {ONE}


def test_a_statement_of_each_collection_proves_what_later_ones_leave(
    deployment: Deployment,
) -> None:
    deployment.collect(TWO, score=0.125)
    deployment.collect(ONE, score=0.5)
    deployment.repo.write("benchmarks/adding/reference_data/one/sum.txt", "7\n")
    deployment.repo.commit("Another truth makes a cell stale")
    deployment.collect(ONE, score=0.75)
    assert len(deployment.statements()) == 6
    at = deployment.verify("adding/alice", "--at", "HEAD~3")
    assert {cell: said["state"] for cell, said in at[0].items()} == {TWO: "attested"}
    assert "bad: 0" in at[1]
    assert deployment.states("adding/alice") == {ONE: "attested", TWO: "attested"}
    since = deployment.forge('"distance":0.125', '"distance":0.95')
    cells, _ = deployment.verify("adding/alice")
    assert cells[ONE]["state"] == "attested"
    assert cells[TWO] == {
        "state": "altered", "detail": "scores.distance was 0.125, is 0.95", "since": since
    }  # fmt: skip


def test_a_number(signed: Deployment) -> None:
    before = signed.repo.git("rev-parse", "HEAD")
    since = signed.forge(
        '"task":"one","scores":{"distance":0.5', '"task":"one","scores":{"distance":0.9'
    )
    signed.repo.write("README.md", "Later.\n")
    signed.repo.commit("Later")
    cells, said = signed.verify()
    assert cells[ONE] == {
        "state": "altered", "detail": "scores.distance was 0.5, is 0.9", "since": since
    }  # fmt: skip
    assert cells[TWO]["state"] == "attested"
    assert f"{ONE}: altered since {since[:12]}: scores.distance was 0.5, is 0.9" in said
    assert set(signed.states("--at", before).values()) == {"attested"}


def test_a_number_that_the_board_hides_is_in_no_message(signed: Deployment) -> None:
    signed.repo.replace(
        "benchmarks/adding/competition.yaml", "key: distance,", "key: distance, hidden: true,"
    )
    signed.repo.commit("Hide")
    signed.forge('"distance":0.5', '"distance":0.9125')
    cells, said = signed.verify("adding/alice")
    assert cells[ONE]["detail"] == "scores.distance differs"
    assert "0.9125" not in said


def test_a_line_that_a_merge_makes_older_than_the_keys(deployment: Deployment) -> None:
    """Its first parent has no keys yet, so that the branch seems to have listed them with it."""
    git = deployment.repo.git
    deployment.collect("echo")
    deployment.repo.put(deployment.record(ONE))
    deployment.repo.commit("One more")
    tip, old = git("rev-parse", "HEAD^"), git("rev-list", "--max-parents=0", "HEAD")
    merge = git("commit-tree", "HEAD^{tree}", "-p", old, "-p", tip, "-m", "Merge")
    git("reset", "--quiet", "--hard", merge)
    states = deployment.states()
    assert states == {ONE: "forged", "echo/alice/same/main/echo": "attested"}


@pytest.mark.parametrize("gone", [ONE, TWO])
def test_a_line_that_is_taken_away(signed: Deployment, gone: str) -> None:
    cell = next(cell for cell in signed.repo.snapshot().record_files if str(cell) == gone)
    signed.repo.take_off(cell)
    since = signed.repo.commit("Take a bad one away")
    cells, _ = signed.verify("adding/alice")
    other = TWO if gone == ONE else ONE
    assert cells[other]["state"] == "attested"
    assert cells[gone] == {
        "state": "altered", "detail": "its line was taken away", "since": since
    }  # fmt: skip


def test_a_line_that_is_added(deployment: Deployment) -> None:
    deployment.collect(TWO)
    deployment.repo.put(deployment.record(ONE))
    since = deployment.repo.commit("One more")
    cells, _ = deployment.verify("adding/alice")
    assert cells[TWO]["state"] == "attested"
    assert cells[ONE]["state"] == "forged"
    assert cells[ONE]["since"] == since
    assert "nobody signed it" in cells[ONE]["detail"]


def test_a_whole_file(deployment: Deployment) -> None:
    deployment.collect("echo")
    for name in (ONE, TWO):
        deployment.repo.put(deployment.record(name))
    since = deployment.repo.commit("A file")
    cells, _ = deployment.verify()
    assert {cells[name]["state"] for name in (ONE, TWO)} == {"forged"}
    assert cells[ONE]["since"] == since
    assert cells["echo/alice/same/main/echo"]["state"] == "attested"


def test_a_whole_file_is_taken_away_or_put_back(signed: Deployment) -> None:
    old = (signed.repo.path / SCORES).read_bytes()
    signed.repo.write("benchmarks/adding/reference_data/one/sum.txt", "7\n")
    signed.repo.write("benchmarks/adding/reference_data/two/sum.txt", "7\n")
    signed.repo.commit("Another truth")
    signed.collect("adding/alice", score=0.125)
    assert set(signed.states("adding/alice").values()) == {"attested"}
    signed.repo.write(SCORES, old)
    since = signed.repo.commit("The better ones again")
    cells, _ = signed.verify("adding/alice")
    assert {cell["state"] for cell in cells.values()} == {"altered"}
    assert "scores.distance was 0.125, is 0.5" in cells[ONE]["detail"]
    assert cells[ONE]["since"] == since
    (signed.repo.path / SCORES).unlink()
    gone = signed.repo.commit("No scores")
    cells, _ = signed.verify("adding/alice")
    assert cells[TWO] == {
        "state": "altered", "detail": "its line was taken away", "since": gone
    }  # fmt: skip


def test_a_statement(signed: Deployment) -> None:
    name = signed.statements()[0]
    original = signed.repo.git("show", f"{LEDGER}:{name}")
    envelope = json.loads(original)
    payload = base64.b64decode(envelope["payload"]).replace(b"sha256", b"sha265")
    envelope["payload"] = base64.b64encode(payload).decode()
    signed.write_ledger({name: json.dumps(envelope)})
    cells, said = signed.verify()
    assert f"{name} was altered after it was signed" in said
    assert f"the ledger '{LEDGER}' was moved back or rewritten" in said
    assert {cell["state"] for cell in cells.values()} == {"forged"}
    # Beside the right one it hides nothing, whichever is read first.
    signed.write_ledger({name: original})
    broken = json.loads(original)
    broken["signatures"][0]["sig"] = base64.b64encode(bytes(64)).decode()
    signed.write_ledger({f"{name.rpartition('/')[0]}/0.json": json.dumps(broken)})
    cells, said = signed.verify()
    assert "0.json was altered after it was signed" in said
    assert {cell["state"] for cell in cells.values()} == {"attested"}
    signed.write_ledger({name: "[1]"})
    assert f"{name} is no statement: is no DSSE envelope" in signed.verify()[1]


def test_a_key_that_nobody_listed_or_only_later(signed: Deployment) -> None:
    public, secret = make_key()
    before = signed.repo.git("rev-parse", "HEAD")
    signed.settings(signed.public, public)
    signed.repo.write("benchmarks/adding/reference_data/one/sum.txt", "7\n")
    signed.repo.commit("Another truth")
    signed.collect(ONE, secret=secret)
    cells, _ = signed.verify()
    assert f"by key {public}" in cells[ONE]["detail"], "an organiser listed it"
    cells, said = signed.verify("--key", signed.public)
    assert "whom [tool.pullbench.attest] does not list" in said
    assert cells[ONE]["state"] == "altered", "an earlier statement has another line"
    # The same on a commit that did not list it yet.
    signed.repo.git("reset", "--quiet", "--hard", before)
    envelope = sign(secret, before)
    signed.write_ledger({"statements/202601/20260101T000000000000-0.json": envelope})
    assert f"does not list as of its base {before[:12]}" in signed.verify()[1]


def test_a_ledger_that_is_moved_back(signed: Deployment) -> None:
    first = signed.repo.git("rev-list", "--max-parents=0", LEDGER)
    signed.repo.git("update-ref", f"refs/heads/{LEDGER}", first)
    cells, said = signed.verify()
    assert f"the ledger '{LEDGER}' was moved back or rewritten: its tip {first[:12]}" in said
    assert {cell["state"] for cell in cells.values()} == {"forged"}


@pytest.mark.parametrize("by_merge", [None, False, True])
def test_a_ledger_that_is_moved_back_with_the_scores(
    signed: Deployment, by_merge: bool | None
) -> None:
    """With the note of its tip, so that all fits what CI signed first; or in a later commit."""
    git, state = signed.repo.git, "submissions/ledger.json"
    before, seen = git("rev-parse", "HEAD"), git("rev-parse", LEDGER)
    signed.repo.write("benchmarks/adding/reference_data/one/sum.txt", "7\n")
    signed.repo.commit("Another truth")
    signed.collect(ONE, score=0.125)
    then = git("ls-tree", "-r", "--name-only", seen, "statements").splitlines()
    lost_ones = dict.fromkeys(set(signed.statements()) - set(then))
    later = git("rev-parse", LEDGER)
    noted = json.loads((signed.repo.path / state).read_text())["tip"]
    if by_merge is None:
        git("update-ref", f"refs/heads/{LEDGER}", seen)
    elif by_merge:
        tree = git("rev-parse", f"{seen}^{{tree}}")
        merge = git("commit-tree", tree, "-p", seen, "-p", later, "-m", "A note")
        git("update-ref", f"refs/heads/{LEDGER}", merge)
    else:
        signed.write_ledger(lost_ones)
    git("checkout", "--quiet", before, "--", SCORES)
    signed.repo.replace(state, noted, git("rev-parse", LEDGER))
    signed.repo.commit("The better score again")
    cells, said = signed.verify("adding/alice")
    assert {cell["state"] for cell in cells.values()} == {"attested"}, "by the first statement"
    lost = "changed statements or took them away"
    if by_merge is None:
        lost = f"does not hold {noted[:12]}, which submissions/ledger.json named in"
    assert f"the ledger '{LEDGER}' was moved back or rewritten: its" in said
    assert lost in said


def test_a_statement_of_another_cell(signed: Deployment) -> None:
    """Lines of one submission in the file of another, and a statement under another name."""
    theirs = SCORES.replace("alice/right", "bob/wrong")
    text = (signed.repo.path / SCORES).read_text()
    text = text.replace('"participant":"alice"', '"participant":"bob"')
    signed.repo.write(theirs, text.replace('"submission":"right"', '"submission":"wrong"'))
    since = signed.repo.commit("As good as alice")
    name = signed.statements()[0]
    copy = signed.repo.git("show", f"{LEDGER}:{name}")
    signed.write_ledger({f"{name.removesuffix('.json')}-again.json": copy})
    cells, _ = signed.verify()
    assert cells["adding/bob/wrong/main/one"]["state"] == "altered"
    assert cells["adding/bob/wrong/main/one"]["since"] == since
    assert cells[ONE]["state"] == "attested"


def test_a_statement_of_another_repository(signed: Deployment, tmp_path: Path) -> None:
    other = Deployment(
        Repository(tmp_path / "other").with_bundle("small"), signed.public, signed.secret
    )
    other.settings(other.public, forge="https://forge.test/somebody/else")
    other.collect("")
    theirs = other.statements()[0]
    content = other.repo.git("show", f"{LEDGER}:{theirs}")
    signed.write_ledger({f"{theirs.removesuffix('.json')}-x.json": content})
    cells, said = signed.verify()
    assert "is of another repository or of a history that was rewritten" in said
    assert {cell["state"] for cell in cells.values()} == {"attested"}
    # One that has the same commits, as a fork has them.
    fork = sign(signed.secret, signed.repo.git("rev-parse", "HEAD"), forge="x/y")
    signed.write_ledger({"statements/202601/20260101T000000000000-0.json": fork})
    assert (
        "is of another repository, x/y; this is https://forge.test/org/bench" in signed.verify()[1]
    )
