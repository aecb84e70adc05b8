"""The chain of statements of a ledger, and what is wrong with it.

Each statement names the digest of the one before it, and whoever signs reads the ledger first. So a
key that the settings list now vouches for all that its last statement follows: nothing of this
depends on the history of a branch, which everybody writes who may push to it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from evaluator.ci.ledger.ledger import Ledger, local_ledger
from evaluator.ci.ledger.ledger_state import STATE_FILE, state_of
from evaluator.core.errors import UsageError
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.plugins import need
from evaluator.plugins.attest.history import CommitHistory, Trust
from evaluator.plugins.attest.settings import Attest
from evaluator.plugins.attest.statements import (
    CHAIN,
    FOLDER,
    RE_DERIVED,
    Lines,
    Predicate,
    Statement,
    path_begin,
    read_claim,
    read_envelope,
)


class Signed(NamedTuple):
    """A statement whose signature holds."""

    name: str
    by: str
    statement: Statement
    digest: str
    digests: Mapping[str, str]
    """By name of the subject."""
    is_link: bool
    """Whether who signed may accept scores. An auditor's vouches for nothing before it."""

    def cells(self, path: str, state: Lines) -> list[str]:
        """The cells that the digest of a scores file covers."""
        return self.predicate.cells.get(path, list(state))

    @property
    def predicate(self) -> Predicate:
        return self.statement.predicate


class Chain(NamedTuple):
    """The statements of a history that count, the newest first."""

    signed: Sequence[Signed]
    tip: str
    """Digest of the last of the whole ledger by a key that is listed now; empty without one."""
    digests: frozenset[str]
    """Of the whole ledger, those of a later history too."""


def chain_end(snapshot: Snapshot, ledger: Ledger) -> tuple[list[Signed], bool]:
    """What the next statement follows, and whether a key that is listed now signed it.

    It is the last of CI, after those of auditors; or all statements, if none has a number. Raises
    UsageError if no key that is listed now has signed any, and this clone has not all of
    the history, which says what keys were listed before.
    """
    since = _since_last(snapshot, ledger)
    if not (since and since[-1].is_link) and ledger.entries.below(FOLDER):
        history = CommitHistory(snapshot.tree.repository, snapshot.tree.commit or "HEAD")
        since = _newest_first(_sound(ledger, history, None, None, []), history)
        links = [place for place, one in enumerate(since) if one.is_link and one.predicate.number]
        since = since[: links[0] + 1] if links else since
    listed = _names(snapshot.settings.of_plugins.get("attest", Attest()))
    return since, not since or since[-1].by in listed


def tip(snapshot: Snapshot, ledger: Ledger) -> str:
    """The digest of the last statement by a key that is listed now, or nothing."""
    since = _since_last(snapshot, ledger)
    return since[-1].digest if since and since[-1].is_link else ""


def _since_last(snapshot: Snapshot, ledger: Ledger) -> list[Signed]:
    """The last statement of CI by a key that is listed now, after those of auditors."""
    trust = Trust(snapshot.settings.of_plugins.get("attest", Attest()), snapshot.settings.forge)
    signed: list[Signed] = []
    for name in reversed(ledger.entries.below(CHAIN) if trust.attest != Attest() else ()):
        with suppress(ValueError):  # a stranger's, or by a key that is not listed now
            one = check(name, next(ledger.contents([name])), trust)
            # A copy of an old one in a later place would fork the chain.
            if name.startswith(path_begin(one.predicate.number)):
                signed.append(one)
                if one.is_link:
                    break
    return signed


def read_chain(
    snapshot: Snapshot, history: CommitHistory, keys: Sequence[str], root: Path | None
) -> tuple[Chain, list[str]]:
    """The statements that count, and what is wrong with the ledger.

    Raises UsageError if this clone has no ledger.
    """
    faults: list[str] = []
    ledger = _ledger(snapshot, history, faults)
    only = Attest(keys=list(keys)) if keys else None
    newest_first = _newest_first(_sound(ledger, history, only, root, faults), history)
    chain = _linked(newest_first, only or history.present, faults)
    digests = frozenset(one.digest for one in chain)
    faults += [
        f"{one.name} counts for nothing, for the chain of statements does not hold it: somebody "
        f"moved the ledger back, or signed with a key that is no longer listed ({one.by})"
        for one in newest_first
        if one.digest not in digests and one.predicate.base in history.age
    ]
    signed = [one for one in chain if one.predicate.base in history.age]
    history.signed_on = signed[-1].predicate.base if signed else None
    tip = next((one.digest for one in chain if one.is_link), "")
    return Chain(signed, tip, digests), faults


def _linked(newest_first: Sequence[Signed], trust: Attest, faults: list[str]) -> list[Signed]:
    """All that follows from the last statement by a key that is listed now.

    Whoever has a key that is listed no longer can sign, and claim an old base: it follows nothing.
    """
    listed = _names(trust)
    begin = next((place for place, one in enumerate(newest_first) if one.by in listed), None)
    auditors = {f"key {key}" for key in trust.auditors}
    if begin is None:
        return [one for one in newest_first if one.by in auditors]
    end = newest_first[begin]
    chain = [
        one
        for one in newest_first[:begin]
        if one.by in auditors and (end.digest in one.predicate.previous or not one.predicate.number)
    ]
    wanted = {end.digest: end.name}
    for one in newest_first[begin:]:
        # Before there were chains, they counted in the order of their bases.
        if wanted.pop(one.digest, None) or not end.predicate.number:
            chain.append(one)
            if one.is_link:
                wanted |= dict.fromkeys(one.predicate.previous, one.name)
    faults += [
        f"the statement {lost} is lost, which {name} follows" for lost, name in wanted.items()
    ]
    return chain


def _names(trust: Attest) -> set[str]:
    """Who may sign scores, as ``Signed.by`` names them."""
    workflows = (f"workflow {one.workflow}" for one in trust.identities)
    return {*workflows, *(f"key {key}" for key in trust.keys)}


def _newest_first(sound: Mapping[str, Signed], history: CommitHistory) -> list[Signed]:
    def place(one: Signed) -> tuple[int, int, float]:
        what = one.predicate
        return -what.number, history.age.get(what.base, -1), -what.at.timestamp()

    return sorted(sound.values(), key=place)


def _sound(
    ledger: Ledger,
    history: CommitHistory,
    only: Attest | None,
    root: Path | None,
    faults: list[str],
) -> dict[str, Signed]:
    """The statements that somebody signed whom their base lists, by digest.

    ``only`` counts in place of what bases list.
    """
    names = ledger.entries.below(FOLDER)
    sound: dict[str, Signed] = {}
    for name, content in zip(names, ledger.contents(names), strict=True):
        try:
            base = read_claim(content).statement.predicate.base
        except ValueError as error:
            faults.append(f"{name} is no statement: {error}")
            continue
        if base not in history.age and base not in history.later:
            faults.append(
                f"{name} is of another repository or of a history that was rewritten: "
                f"{history.commit[:12]} does not have its base {base[:12]}"
            )
            base = history.commit  # it proves nothing, and what it follows still counts
        trust = history.trust([base])[base]
        try:
            one = check(name, content, trust._replace(attest=only) if only else trust, root)
            sound.setdefault(one.digest, one)
        except ValueError as error:
            faults.append(f"{name} {error} as of its base {base[:12]}")
    return sound


def _ledger(snapshot: Snapshot, history: CommitHistory, faults: list[str]) -> Ledger:
    branch = snapshot.settings.ledger
    ledger = local_ledger(history.repo, branch)
    if ledger.commit is None and history.present != Attest():
        state = state_of(snapshot.tree)
        named = f"; {STATE_FILE} names its tip {state.tip[:12]}" if state else ""
        raise UsageError(
            f"this clone has no branch '{branch}', which has the statements{named}",
            hint=f"`git fetch origin {branch}:refs/remotes/origin/{branch}` brings it.",
        )
    if ledger.commit:
        begin = f"the ledger '{branch}' was moved back or rewritten: "
        faults += [begin + fault for fault in _rewritten(history, ledger.commit)]
    return ledger


def _rewritten(history: CommitHistory, tip: str) -> Iterator[str]:
    """Yield what the ledger lost that somebody saw; a later note of its tip hides nothing."""
    git = history.repo.git
    here = {*git.rev_list(tip).split()}
    for commit, seen in history.ledger_tips():
        if seen not in here:
            yield (
                f"its tip {tip[:12]} does not hold {seen[:12]}, which {STATE_FILE} "
                f"named in {commit[:12]}"
            )
            break
    # In merges, too: one takes away what a parent has and it has not.
    changes = git.log("--full-history", "-m", "--no-renames", "--diff-filter=DMT", "--format=%H",
                      tip, "--", FOLDER)  # fmt: skip
    for commit in dict.fromkeys(changes.split()):
        yield f"its commit {commit[:12]} changed statements or took them away"


def check(name: str, content: bytes, trust: Trust, root: Path | None = None) -> Signed:
    """Check signature and repository of a statement. Raises ValueError."""
    attest = trust.attest
    statement, digest = read_claim(content)
    envelope, is_bundle = read_envelope(content)
    auditors = attest.auditors if statement.predicate_type == RE_DERIVED else ()
    keys = [*attest.keys, *auditors]
    if not (attest.identities if is_bundle else keys):
        # A stranger's file must not ask for a package that nobody needs here.
        raise ValueError("is signed by somebody whom [tool.pullbench.attest] does not list")
    if is_bundle:
        need("sigstore")
        from evaluator.plugins.attest.keyless import verify_by_identity

        payload, by = verify_by_identity(content, attest.identities, root)
    else:
        need("securesystemslib")
        from evaluator.plugins.attest.keys import verify_by_key

        payload, by = verify_by_key(envelope, keys)
    if sha256(payload).hexdigest() != digest:
        raise ValueError("says two things")
    if statement.predicate.repository != trust.forge:
        raise ValueError(
            f"is of another repository, {statement.predicate.repository}; this is {trust.forge}"
        )
    digests = {one.name: one.digest.get("sha256", "") for one in statement.subject}
    return Signed(name, by, statement, digest, digests, is_link=by in _names(attest))
