"""Statements form one chain, whoever writes the ledger, and a ledger that is lost is said."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.scores.ledger_records import add_to_ledger, change_ledger, sign_records
from evaluator.core.clock import utc_now
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.scores_file import decode
from evaluator.core.git.tree import open_repository
from evaluator.plugins.attest.keys import KeySigner
from evaluator.plugins.attest.signing import KEY_VARIABLE, sign_scores
from evaluator.plugins.attest.statements import (
    ACCEPTED,
    Predicate,
    Statement,
    digest_of,
    encode_statement,
    lines_of,
    read_claim,
    subject,
)
from tests.plugins.attest.conftest import FORGE, LEDGER, ONE, SCORES, TWO, Deployment, make_key
from tests.repository import Repository

STATE = "submissions/ledger.json"
LOGS = SCORES.replace("main.json", "main.logs.json")
ECHO = "echo/alice/same/main/echo"


def links(deployment: Deployment) -> list[tuple[int, list[str], str]]:
    """Return number, what it follows and digest of each statement of the ledger."""
    claims = [
        read_claim(deployment.repo.git("show", f"{LEDGER}:{name}").encode())
        for name in deployment.statements()
    ]
    return [
        (one.statement.predicate.number, one.statement.predicate.previous, one.digest)
        for one in claims
    ]


def test_each_statement_names_the_one_before(deployment: Deployment) -> None:
    deployment.collect("adding/alice")
    deployment.attest(deployment.secret, **{ONE: "identical"})
    deployment.collect("adding/bob")
    chain = links(deployment)  # each collection signs its scores, and that they landed
    assert [number for number, *_ in chain] == [1, 2, 3, 4, 5]
    assert [follows for _, follows, _ in chain] == [[], *([digest] for *_, digest in chain[:-1])]
    first, last = chain[0][2], chain[-1][2]
    done = deployment.repo.pullbench("verify", "--json", "--tip", first)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["tip"] == last


def test_what_an_auditor_signs_is_in_the_chain_and_carries_nothing(deployment: Deployment) -> None:
    public, secret = make_key()
    deployment.settings(deployment.public, auditor=public)
    deployment.collect("adding/alice")
    deployment.attest(secret, **{ONE: "identical"})
    deployment.attest(secret, **{TWO: "identical"})
    deployment.collect("adding/bob")
    _, first, one, two, last, _ = links(deployment)
    assert one[1] == [first[2]]
    assert {*two[1]} == {first[2], one[2]}
    assert {*last[1]} == {first[2], one[2], two[2]}
    assert deployment.states()[ONE] == "re-derived"
    deployment.settings(deployment.public)  # the auditor left, and what was signed still counts
    assert deployment.states()[TWO] == "re-derived"


def test_of_two_writers_the_second_signs_again(
    signed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, signed.secret)
    snapshot, repo = signed.repo.snapshot("HEAD"), open_repository(signed.repo.path)
    content = (signed.repo.path / SCORES).read_bytes()
    cells = [
        CellId(benchmark="adding", participant="alice", submission="right", phase="main", task=task)
        for task in ("one", "two")
    ]
    follow, other = (
        sign_scores(snapshot, [cell], {SCORES: content}, utc_now(), None) for cell in cells
    )
    assert follow and other
    tries: list[str | None] = []

    def after_another(ledger: Ledger) -> Mapping[str, bytes]:
        tries.append(ledger.commit)
        files = follow(ledger)
        if len(tries) == 1:
            change_ledger(repo, other, "Sign {}\n", branch=LEDGER, remote=None)
        return files

    change_ledger(repo, after_another, "Sign {}\n", branch=LEDGER, remote=None)
    assert len(tries) == 2
    *_, first, second, third = links(signed)
    assert (second[1], third[1]) == ([first[2]], [second[2]])
    assert "bad: 0" in signed.verify()[1]


def test_a_copy_of_an_old_statement_in_a_later_folder_does_not_fork_the_chain(
    deployment: Deployment,
) -> None:
    for names in ("adding/alice", "adding/bob"):
        deployment.collect(names)
    first = deployment.statements()[0]
    copy = f"statements/chain/99999/{first.rpartition('/')[2]}"
    deployment.write_ledger({copy: deployment.repo.git("show", f"{LEDGER}:{first}")})
    deployment.collect(ECHO)
    *_, before, last, _ = sorted(one for one in links(deployment) if one[0] > 1)
    assert last[:2] == (5, [before[2]])
    cells, said = deployment.verify()
    assert cells[ECHO]["state"] == "attested"
    assert "bad: 0" in said


def test_a_job_that_died_after_it_signed_signs_no_second_time(
    signed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, signed.secret)
    snapshot, repo = signed.repo.snapshot("HEAD"), open_repository(signed.repo.path)
    content = (signed.repo.path / SCORES).read_bytes()
    cell = next(cell for cell in snapshot.record_files if str(cell) == ONE)
    for _ in range(2):
        sign_records(repo, snapshot, [cell], {SCORES: content}, utc_now(), None)
    assert len(signed.statements()) == 3


def test_statements_of_before_are_the_beginning(signed: Deployment) -> None:
    """With neither number nor what they follow."""
    git = signed.repo.git
    base = git("rev-parse", "HEAD^")
    for number, path in enumerate([SCORES, SCORES.replace("alice/right", "bob/wrong")]):
        lines = lines_of(decode((signed.repo.path / path).read_bytes()))
        predicate = Predicate(repository=FORGE, base=base, at=utc_now(), evaluator="0.1.0")
        statement = Statement(
            subject=[subject(path, digest_of(lines, lines))], predicate_type=ACCEPTED,
            predicate=predicate,
        )  # fmt: skip
        content = KeySigner(signed.secret).sign(encode_statement(statement)).decode()
        signed.write_ledger({f"statements/202601/20260101T00000000000{number}-0.json": content})
    signed.write_ledger(dict.fromkeys(signed.statements()[2:]))
    git("update-ref", f"refs/heads/{LEDGER}",
        git("commit-tree", f"{LEDGER}^{{tree}}", "-m", "Begin"))  # fmt: skip
    (signed.repo.path / STATE).unlink()
    git("commit", "--quiet", "--amend", "-am", "As before")
    assert set(signed.states("adding").values()) == {"attested"}
    signed.repo.write("benchmarks/adding/reference_data/one/sum.txt", "7\n")
    signed.repo.commit("Another truth")
    signed.collect(ONE, score=0.125)
    *old, new, _ = links(signed)
    assert (new[0], {*new[1]}) == (1, {digest for _, _, digest in old})
    assert len(new[1]) == 2
    assert set(signed.states("adding").values()) == {"attested"}


def test_commit_says_on_the_branch_what_ledger_it_wrote(deployment: Deployment) -> None:
    deployment.repo.put(deployment.record(ONE))
    done = deployment.repo.pullbench("commit", environment={KEY_VARIABLE: deployment.secret})
    assert done.returncode == 0, done.stderr
    assert f"begins the ledger '{LEDGER}'" in done.stderr
    tip = deployment.repo.git("rev-parse", f"{LEDGER}^")  # before the note that it landed
    assert json.loads((deployment.repo.path / STATE).read_text())["tip"] == tip
    assert deployment.repo.status == ""


@pytest.mark.parametrize("verb", ["collect", "commit", "attest"])
def test_a_ledger_that_is_gone_is_said_with_the_newest_tip(
    deployment: Deployment, tmp_path: Path, verb: str
) -> None:
    deployment.repo.put(deployment.record(ONE))
    environment = {KEY_VARIABLE: deployment.secret}
    assert deployment.repo.pullbench("commit", environment=environment).returncode == 0
    clone = Deployment(Repository(tmp_path / "clone"), deployment.public, deployment.secret)
    clone.repo.git("remote", "add", "origin", str(deployment.repo.path))
    clone.repo.git("fetch", "--quiet", "origin")
    clone.repo.git("reset", "--quiet", "--hard", "origin/main")
    known = json.loads((clone.repo.path / STATE).read_text())["tip"]
    repo = open_repository(deployment.repo.path)
    add_to_ledger(repo, {"later": b"1"}, "Note {}\n", branch=LEDGER, remote=None)
    clone.repo.git("fetch", "--quiet", "origin")
    newest = clone.repo.git("rev-parse", f"origin/{LEDGER}")
    deployment.repo.git("branch", "-D", LEDGER)
    clone.repo.put(clone.record(TWO))
    compared = clone.repo.write("build/c.json", json.dumps([{"cell": ONE, "verdict": "close"}]))
    arguments = {
        "collect": ["collect"],
        "commit": ["commit", "--remote", "origin"],
        "attest": ["attest", str(compared), "--by", "Ada"],
    }[verb]
    done = clone.repo.pullbench(*arguments, environment=environment)
    assert done.returncode == 3, done.stdout + done.stderr
    assert f"has lost what it held: {known[:12]} is gone" in done.stderr
    assert f"git push origin {newest}:refs/heads/{LEDGER}" in done.stderr
    assert "--force" not in done.stderr
    assert deployment.repo.git("branch", "--list", LEDGER) == ""
    deployment.repo.git("checkout", "--quiet", "--detach")  # git pushes to no branch that is in use
    clone.repo.git("push", "--quiet", "origin", f"{newest}:refs/heads/{LEDGER}")
    assert clone.repo.pullbench(*arguments, environment=environment).returncode == 0


def test_without_a_remote_the_branch_of_one_becomes_the_own(
    signed: Deployment, tmp_path: Path
) -> None:
    signed.repo.git("clone", "--quiet", str(signed.repo.path), str(tmp_path / "clone"))
    clone = Deployment(Repository(tmp_path / "clone"), signed.public, signed.secret)
    clone.attest(signed.secret, **{ONE: "identical"})
    assert [number for number, *_ in links(clone)] == [1, 2, 3]
    assert clone.states()[ONE] == "re-derived"


def test_a_key_that_takes_the_place_of_another_signs_at_once(signed: Deployment) -> None:
    public, secret = make_key()
    signed.settings(public)
    before = signed.verify()
    assert "counts for nothing" in before[1], "until then a stolen key could be at work"
    signed.collect("nothing", secret=secret)
    assert set(signed.states().values()) == {"attested"}
    tip = signed.repo.git("rev-parse", LEDGER)
    signed.collect("nothing", secret=secret)
    assert len(signed.statements()) == 3
    assert signed.repo.git("rev-parse", LEDGER) == tip


def test_a_log_is_signed_or_said_not_to_be(deployment: Deployment) -> None:
    deployment.collect("adding/alice", logs="It ran.\n")
    assert "not signed" not in deployment.verify()[1]
    other = LOGS.replace("alice/right", "bob/wrong")
    deployment.collect("adding/bob")
    deployment.repo.write(other, (deployment.repo.path / LOGS).read_text())
    deployment.repo.commit("A log")
    cells, said = deployment.verify()
    assert f"{other}: not signed" in said
    assert cells[ONE]["state"] == "attested"


def test_a_log_of_a_commit_that_was_rewritten_is_named(deployment: Deployment) -> None:
    deployment.collect("", logs="The truth\n")
    deployment.repo.replace(LOGS, "The truth", "A lie")
    deployment.repo.git("commit", "--quiet", "--all", "--amend", "--no-edit")
    assert f"{LOGS} is not what CI signed last" in deployment.verify()[1]


def test_a_log_whose_job_died_before_its_commit_is_no_fault(deployment: Deployment) -> None:
    for first in ("", "It ran.\n"):  # without a log before, and with one
        deployment.collect("adding/alice", logs=first)
        git = deployment.repo.git
        before = git("rev-parse", "HEAD")
        deployment.collect(ONE, score=0.25, logs="It ran again.\n")
        git("reset", "--quiet", "--hard", before)
        deployment.collect("adding/bob" if first else "echo")
        assert f"{LOGS} is not" not in deployment.verify()[1]
