"""The statements of a clone's ledger whose signatures hold, and what is wrong with the others."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from evaluator.ci.ledger.ledger import Ledger, local_ledger
from evaluator.core.errors import UsageError
from evaluator.core.git.commands import read_blobs
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.plugins import need
from evaluator.plugins.attest.history import History, Trust
from evaluator.plugins.attest.settings import Attest
from evaluator.plugins.attest.statements import (
    FOLDER,
    RE_DERIVED,
    Lines,
    Statement,
    decode_statement,
    encode_statement,
    payload_of,
    read_envelope,
)


class Signed(NamedTuple):
    """A statement whose signature holds."""

    by: str
    statement: Statement
    digests: Mapping[str, str]
    """By name of the subject."""

    def cells(self, path: str, state: Lines) -> list[str]:
        """Return the cells that the digest of a scores file covers."""
        return self.statement.predicate.cells.get(path, list(state))


def read_signed(
    snapshot: Snapshot, history: History, keys: Sequence[str], root: Path | None
) -> tuple[list[Signed], list[str]]:
    """Return the statements that hold, the newest first, and what is wrong with the ledger.

    Raises UsageError if this clone has no ledger.
    """
    faults: list[str] = []
    ledger = _ledger(snapshot, history, faults)
    signed: list[Signed] = []
    seen: set[bytes] = set()
    for name, content, claimed in _in_order(_read(ledger, faults), history, faults):
        base = claimed.predicate.base
        trust = history.trust([base])[base]
        if keys:
            trust = trust._replace(attest=Attest(keys=list(keys)))
        said = encode_statement(claimed)
        try:
            if said not in seen:
                signed.append(check(content, claimed, trust, root))
                seen.add(said)
        except ValueError as error:
            faults.append(f"{name} {error} as of its base {base[:12]}")
    if signed:
        history.signed_on = signed[-1].statement.predicate.base
    return signed, faults


def _ledger(snapshot: Snapshot, history: History, faults: list[str]) -> Ledger:
    branch = snapshot.settings.ledger
    ledger = local_ledger(history.repo, branch)
    if ledger.commit is None and history.first_listed(history.commit) is not None:
        raise UsageError(
            f"this clone has no branch '{branch}', which has the statements",
            hint=f"`git fetch origin {branch}:refs/remotes/origin/{branch}` brings it.",
        )
    if ledger.commit:
        begin = f"the ledger '{branch}' was moved back or rewritten: "
        faults += [begin + fault for fault in _rewritten(history, ledger.commit)]
    return ledger


def _rewritten(history: History, tip: str) -> Iterator[str]:
    """Yield what the ledger lost that somebody saw; a later note of its tip hides nothing."""
    git = history.repo.git
    here = {*git.rev_list(tip).split()}
    for commit, seen in history.ledger_tips():
        if seen not in here:
            yield (
                f"its tip {tip[:12]} does not hold {seen[:12]}, which submissions/ledger.json "
                f"named in {commit[:12]}"
            )
            break
    # In merges, too: one takes away what a parent has and it has not.
    changes = git.log("--full-history", "-m", "--no-renames", "--diff-filter=DMT", "--format=%H",
                      tip, "--", FOLDER)  # fmt: skip
    for commit in dict.fromkeys(changes.split()):
        yield f"its commit {commit[:12]} changed statements or took them away"


def _read(ledger: Ledger, faults: list[str]) -> Iterator[tuple[str, bytes, Statement]]:
    """Yield name, content and claim of each file; the claims are not verified yet."""
    if ledger.repo is None:
        return
    names = ledger.entries.below(FOLDER)
    ids = [ledger.entries[name].blob for name in names]
    for name, content in zip(names, read_blobs(ledger.repo, ids, broken=b""), strict=True):
        try:
            yield name, content, decode_statement(payload_of(read_envelope(content)[0]))
        except ValueError as error:
            faults.append(f"{name} is no statement: {error}")


def _in_order(
    read: Iterator[tuple[str, bytes, Statement]], history: History, faults: list[str]
) -> list[tuple[str, bytes, Statement]]:
    """Return what is of this history, the newest first: by its base commit, not by a clock."""
    mine: list[tuple[str, bytes, Statement]] = []
    for name, content, claimed in read:
        base = claimed.predicate.base
        if base in history.age:
            mine.append((name, content, claimed))
        # What is of a later commit than the one that is read says nothing here.
        elif base not in history.later:
            faults.append(
                f"{name} is of another repository or of a history that was rewritten: "
                f"{history.commit[:12]} does not have its base {base[:12]}"
            )
    mine.sort(key=lambda one: one[2].predicate.at, reverse=True)
    return sorted(mine, key=lambda one: history.age[one[2].predicate.base])


def check(content: bytes, claimed: Statement, trust: Trust, root: Path | None) -> Signed:
    """Check signature and repository of a statement. Raises ValueError."""
    attest = trust.attest
    envelope, is_bundle = read_envelope(content)
    if is_bundle:
        need("sigstore", extra="keyless")
        from evaluator.plugins.attest.keyless import verify_by_identity

        payload, by = verify_by_identity(content, attest.identities, root)
    else:
        need("securesystemslib", extra="attest")
        from evaluator.plugins.attest.keys import verify_by_key

        auditors = attest.auditors if claimed.predicate_type == RE_DERIVED else ()
        payload, by = verify_by_key(envelope, [*attest.keys, *auditors])
    statement = decode_statement(payload)
    if statement != claimed:
        raise ValueError("says two things")
    if statement.predicate.repository != trust.forge:
        raise ValueError(
            f"is of another repository, {statement.predicate.repository}; this is {trust.forge}"
        )
    return Signed(
        by, statement, {one.name: one.digest.get("sha256", "") for one in statement.subject}
    )
