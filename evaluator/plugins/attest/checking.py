"""What proves of each number, from a clone alone.

The statements of a file are read back from the newest of the chain. Each has the digest of lines as
its commit left them, and of the lines that they replaced, so that the lines of today give those of
every statement before. If a digest differs, the commits say whether such lines were ever there, on
whatever parent: if not, the statement is of a commit that lost a race, and if so, somebody changed
them later. The newest statement of all is missed where no commit has what it says.
"""

import datetime as dt
import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from evaluator.core.errors import UsageError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import Place, place_of
from evaluator.core.formats.record_lines import records_of
from evaluator.core.formats.scores_file import ScoresFile
from evaluator.core.formats.submission import FILE_NAME
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.redaction import disclose
from evaluator.plugins.attest.history import CommitHistory, CommittedScores
from evaluator.plugins.attest.reading import Signed, read_chain
from evaluator.plugins.attest.statements import ACCEPTED, Lines, brings_scores, digest_of, lines_of

State = Literal["re-derived", "attested", "reported", "unattested", "removed", "altered", "forged"]
"""The best first."""
_AGREES = ("identical", "close", "tolerated", "timed")
"""Verdicts of ``pullbench reproduce`` that confirm a number."""
_SHOWN = 3
"""Differences of a line that are named."""


class Proof(NamedTuple):
    """What proves one number."""

    state: State
    detail: str
    """Who vouches for it, or what differs."""
    since: str = ""
    """Commit from which on it is altered or forged."""
    by: str = ""
    """Who vouches for it; empty if nobody does."""


@dataclass(frozen=True, kw_only=True)
class VerifyReport:
    """What proves the numbers of a commit."""

    commit: str
    proofs: Mapping[str, Proof]
    """By cell; what is reported by submission."""
    faults: Sequence[str]
    """What is wrong with the ledger and with statements."""
    checked: Mapping[str, dt.datetime]
    """Scores file -> when somebody last evaluated a cell of it again."""
    tip: str
    """Digest of the last statement, which a reader can keep."""
    unlisted_since: str
    """The commit that took all keys away; empty if they are there, or never were."""
    unsigned_logs: Sequence[str]
    """Paths of logs beside signed scores that no statement covers."""

    @property
    def bad(self) -> dict[str, Proof]:
        states = ("altered", "forged")
        return {cell: proof for cell, proof in self.proofs.items() if proof.state in states}


def verify(
    snapshot: Snapshot, chosen: str = "", *, keys: Sequence[str] = (), root: Path | None = None,
    tip: str = "",
) -> VerifyReport:  # fmt: skip
    """Check the numbers of a commit, or those whose names begin with ``chosen``.

    ``keys`` are the public keys that count instead of those that the commits list; ``root`` is a
    trusted root of sigstore; ``tip`` begins the digest of a statement that the ledger once had.
    Raises UsageError.
    """
    if snapshot.tree.commit is None:
        raise UsageError("there is no commit whose scores could be checked")
    history = CommitHistory(snapshot.tree.repository, snapshot.tree.commit)
    chain, faults = read_chain(snapshot, history, keys, root)
    if tip and not any(digest.startswith(tip) for digest in chain.digests):
        faults.append(f"rolled back: the chain of statements does not hold {tip}")
    accepted: dict[str, list[Signed]] = defaultdict(list)
    again: dict[str, list[Signed]] = defaultdict(list)
    checked: dict[str, dt.datetime] = {}
    for one in chain.signed:
        by_name = accepted if one.statement.predicate_type == ACCEPTED else again
        for name in one.digests:
            by_name[name].append(one)
            if by_name is again:
                path, at = name.partition("#")[0], one.predicate.at
                checked[path] = max(at, checked.get(path, at))
    files = snapshot.record_files
    entries = snapshot.tree.entries
    gone = (place for path in accepted if path not in entries and (place := place_of(path)))
    places = [one for one in dict.fromkeys([*files.places, *gone]) if _is_near(one, chosen)]
    proofs: dict[str, Proof] = {}
    unsigned_logs: list[str] = []
    newest = next((one for one in chain.signed if brings_scores(one.statement)), None)
    for place, file in zip(places, files.files(places), strict=True):
        path = place.scores_path
        scores = _Scores(path, file, history, snapshot.benchmarks.get(place.benchmark))
        of_file = accepted.get(path, ())
        for cell, proof in scores.prove(of_file):
            checks = again.get(f"{path}#{cell}", ())
            proofs[f"{'/'.join(place)}/{cell}"] = _re_derived(
                proof, f"{path}#{cell}", scores.now.get(cell), checks
            )
        if scores.missed and scores.missed[0] is newest and not history.later:
            faults.append(
                f"no commit has what {newest.name} says of {path}: its commit has still to come, "
                "and `pullbench collect` repeats it, or somebody took it back"
            )
        logs = place.cell("").logs_path
        if of_file and logs in entries:
            if logs not in accepted:
                unsigned_logs.append(logs)
            elif not _is_signed(logs, accepted[logs], scores.landed, snapshot, history):
                faults.append(f"{logs} is not what CI signed last")
    for item in snapshot.submissions:
        if item.reported is not None:
            source = item.reported.source
            proofs[item.id] = Proof("reported", f"as {source} states", by=source)
    named = {
        cell: proof for cell, proof in proofs.items()
        if not chosen or f"{cell}/".startswith(f"{chosen}/")
    }  # fmt: skip
    if chosen and not named:
        raise UsageError(
            f"there is no number of '{chosen}'",
            hint="Name a benchmark, a submission or a cell, as `pullbench plan --all` lists them.",
        )
    faults += [f"{path} {reason}" for path, reason in files.faults.items()]
    return VerifyReport(
        commit=history.commit, proofs=named, faults=faults, checked=checked, tip=chain.tip,
        unlisted_since=history.unlisted_since, unsigned_logs=unsigned_logs,
    )  # fmt: skip


def _is_near(place: Place, chosen: str) -> bool:
    name = "/".join(place)
    return not chosen or f"{name}/".startswith(f"{chosen}/") or chosen.startswith(f"{name}/")


def _is_signed(
    path: str, signed: Sequence[Signed], landed: Sequence[Signed], snapshot: Snapshot,
    history: CommitHistory,
) -> bool:  # fmt: skip
    """Whether a log is the last one signed that a commit ever had.

    If no commit had any, their job died; but where the scores are that it signed, so was the log.
    """
    now = hashlib.sha256(snapshot.tree.read([path])[path]).hexdigest()
    if now == signed[0].digests[path]:
        return True
    ever = {hashlib.sha256(content).hexdigest() for _, content in history.contents(path)}
    last = next((one.digests[path] for one in signed if one.digests[path] in ever), None)
    return last == now if last else signed[0] not in landed


class _Scores:
    """The lines of one scores file, and who vouches for each."""

    def __init__(
        self,
        path: str,
        file: ScoresFile | None,
        history: CommitHistory,
        benchmark: Benchmark | None,
    ) -> None:
        self.path, self.file, self.history, self.benchmark = path, file, history, benchmark
        self.now = lines_of(file)
        self._proofs: dict[str, Proof | None] = {}
        """None of a cell whose line CI took away."""
        self.missed: list[Signed] = []
        """Statements of lines that no commit has, the newest first."""
        self.landed: list[Signed] = []
        """Statements of lines that a commit has."""

    def prove(self, signed: Sequence[Signed]) -> Iterator[tuple[str, Proof]]:
        state = dict(self.now)
        for one in signed:
            cells = one.cells(self.path, state)
            if digest_of(state, cells) == one.digests[self.path]:
                for cell in cells:
                    self._attest(cell, one)
            elif version := self._landed(one):
                state = dict(version.lines)
                for cell in one.cells(self.path, state):
                    if self.now.get(cell) == state.get(cell):
                        self._attest(cell, one)
                    else:
                        self._proofs.setdefault(cell, self._altered(cell, version))
            else:
                self.missed.append(one)
                continue
            if cells:  # of no line, a commit tells nothing
                self.landed.append(one)
            covered = one.predicate.cells.get(self.path)
            if covered is None:
                break  # all of the file: what was before says nothing more
            for cell in covered:
                state.pop(cell, None)
            before = one.predicate.replaces.get(self.path, {})
            state |= before
            for cell in before.keys() - set(covered) - self._proofs.keys():
                self._proofs[cell] = self._withdrawn(cell)
        for cell in self.now:
            if cell not in self._proofs:
                self._proofs[cell] = self._unsigned(cell)
        yield from ((cell, proof) for cell, proof in self._proofs.items() if proof)

    def _attest(self, cell: str, one: Signed) -> None:
        if cell not in self._proofs:
            base = one.predicate.base[:12]
            self._proofs[cell] = Proof("attested", f"by {one.by} on {base}", by=one.by)

    def _landed(self, one: Signed) -> CommittedScores | None:
        """The newest version of the file that a statement is of, if its cells matter."""
        cells = one.predicate.cells.get(self.path)
        if cells is not None and all(cell in self._proofs for cell in cells):
            return None
        return next(
            (
                version
                for version in self.history.versions(self.path)
                if digest_of(version.lines, one.cells(self.path, version.lines))
                == one.digests[self.path]
            ),
            None,
        )

    def _altered(self, cell: str, version: CommittedScores) -> Proof:
        digest = self.now.get(cell)
        since = self.history.since(self.path, cell, digest)
        if digest is None:
            # A submission that is taken off takes its scores along, until it comes back.
            folder = self.path.partition("/scores/")[0]
            if self.history.has(self.history.commit, f"{folder}/{FILE_NAME}"):
                return Proof("altered", "its line was taken away", since)
            submission = folder.removeprefix("submissions/")
            return Proof("removed", f"{submission} was taken off in {since[:12]}", since)
        before, now = _facts(version.file, cell), _facts(self.file, cell)
        shown = self._shown(cell)
        changes = [
            f"{key} was {before.get(key)!r}, is {now.get(key)!r}"
            if key in shown
            else f"{key} differs"
            for key in dict.fromkeys([*before, *now])
            if before.get(key) != now.get(key)
        ]
        more = f" and {len(changes) - _SHOWN} more" if len(changes) > _SHOWN else ""
        return Proof("altered", f"{'; '.join(changes[:_SHOWN])}{more}", since)

    def _shown(self, cell: str) -> set[str]:
        """The keys of facts whose values the board shows."""
        records = records_of(self.file) if self.file and self.benchmark else ()
        for record in records:
            if record.cell.file_stem == cell and self.benchmark:
                return {f"scores.{key}" for key in disclose(record, self.benchmark).scores or {}}
        return set()

    def _withdrawn(self, cell: str) -> Proof | None:
        digest = self.now.get(cell)
        if digest is None:
            return None
        since = self.history.since(self.path, cell, digest)
        return Proof("altered", "CI took this line away, and it is back", since)

    def _unsigned(self, cell: str) -> Proof:
        first = next(iter(self.history.first_trust), None)
        if first is None:
            return Proof("unattested", "[tool.pullbench.attest] lists no key and no identity")
        if self._before_keys.get(cell) == self.now[cell]:
            return Proof("unattested", f"older than the first key, which came with {first[:12]}")
        since = self.history.since(self.path, cell, self.now[cell])
        return Proof("forged", f"nobody signed it, and keys are listed since {first[:12]}", since)

    @cached_property
    def _before_keys(self) -> Lines:
        return self.history.lines_before_keys(self.path)


def _facts(file: ScoresFile | None, cell: str) -> dict[str, object]:
    """What a line and its run say, by key, the scores first."""
    for record in records_of(file) if file else ():
        if record.cell.file_stem == cell:
            facts: dict[str, object] = msgspec.to_builtins(record)
            scores = {f"scores.{key}": value for key, value in record.scores.items()}
            return {**scores, **facts, "scores": None}
    return {}


def _re_derived(proof: Proof, name: str, digest: str | None, checks: Sequence[Signed]) -> Proof:
    """What somebody says who evaluated this very line again, the last one first.

    No agreement makes good what CI did not sign: whoever forged a line may know what comes out.
    """
    last = next((one for one in checks if one.digests[name] == digest), None)
    if last is None:
        return proof
    by, verdict = last.predicate.by, last.predicate.verdicts.get(name, "")
    if verdict in _AGREES and proof.state not in ("altered", "forged"):
        detail = f"{verdict}, by {by} ({last.by}) on {last.predicate.at:%Y-%m-%d}"
        attested = f"; attested {proof.detail}" if proof.state == "attested" else ""
        return Proof("re-derived", f"{detail}{attested}", by=by)
    return proof._replace(detail=f"{proof.detail}; {verdict} when {by} checked")
