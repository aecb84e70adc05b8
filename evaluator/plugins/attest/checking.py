"""What proves of each number, from a clone alone.

The statements of a file are read back from the newest. Each has the digest of lines as its commit
left them, and of the lines that they replaced, so that the lines of today give those of every
statement before. If a digest differs, the history says whether such lines were ever there: if not,
the statement is of a commit that lost a race, and if so, somebody changed them later.
"""

import datetime as dt
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
from evaluator.plugins.attest.history import History, Version
from evaluator.plugins.attest.reading import Signed, read_signed
from evaluator.plugins.attest.statements import ACCEPTED, Lines, digest_of, lines_of

State = Literal["re-derived", "attested", "reported", "unattested", "altered", "forged"]
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
class Report:
    """What proves the numbers of a commit."""

    commit: str
    proofs: Mapping[str, Proof]
    """By cell; what is reported by submission."""
    faults: Sequence[str]
    """What is wrong with the ledger and with statements."""
    checked: Mapping[str, dt.datetime]
    """Scores file -> when somebody last evaluated a cell of it again."""

    @property
    def bad(self) -> dict[str, Proof]:
        states = ("altered", "forged")
        return {cell: proof for cell, proof in self.proofs.items() if proof.state in states}


def verify(
    snapshot: Snapshot, chosen: str = "", *, keys: Sequence[str] = (), root: Path | None = None
) -> Report:
    """Check the numbers of a commit, or those whose names begin with ``chosen``.

    ``keys`` are the public keys that count instead of those that the commits list; ``root`` is a
    trusted root of sigstore. Raises UsageError.
    """
    if snapshot.tree.commit is None:
        raise UsageError("there is no commit whose scores could be checked")
    history = History(snapshot.tree.repository, snapshot.tree.commit)
    signed, faults = read_signed(snapshot, history, keys, root)
    accepted: dict[str, list[Signed]] = defaultdict(list)
    again: dict[str, list[Signed]] = defaultdict(list)
    checked: dict[str, dt.datetime] = {}
    for one in signed:
        by_name = accepted if one.statement.predicate_type == ACCEPTED else again
        for name in one.digests:
            by_name[name].append(one)
            if by_name is again:
                path, at = name.partition("#")[0], one.statement.predicate.at
                checked[path] = max(at, checked.get(path, at))
    files = snapshot.record_files
    # A file that is gone has no lines, and its submission is there all the same.
    gone = (place for path in accepted if (place := place_of(path)) and _is_gone(place, snapshot))
    places = [one for one in dict.fromkeys([*files.places, *gone]) if _is_near(one, chosen)]
    proofs: dict[str, Proof] = {}
    for place, file in zip(places, files.files(places), strict=True):
        path = place.scores_path
        scores = _Scores(path, file, history, snapshot.benchmarks.get(place.benchmark))
        for cell, proof in scores.prove(accepted.get(path, ())):
            checks = again.get(f"{path}#{cell}", ())
            proofs[f"{'/'.join(place)}/{cell}"] = _re_derived(
                proof, f"{path}#{cell}", scores.now.get(cell), checks
            )
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
    return Report(commit=history.commit, proofs=named, faults=faults, checked=checked)


def _is_near(place: Place, chosen: str) -> bool:
    name = "/".join(place)
    return not chosen or f"{name}/".startswith(f"{chosen}/") or chosen.startswith(f"{name}/")


def _is_gone(place: Place, snapshot: Snapshot) -> bool:
    entries, path = snapshot.tree.entries, place.scores_path
    return path not in entries and _entry_file(path) in entries


def _entry_file(scores: str) -> str:
    return f"{scores.partition('/scores/')[0]}/{FILE_NAME}"


class _Scores:
    """The lines of one scores file, and who vouches for each."""

    def __init__(
        self, path: str, file: ScoresFile | None, history: History, benchmark: Benchmark | None
    ) -> None:
        self.path, self.file, self.history, self.benchmark = path, file, history, benchmark
        self.now = lines_of(file)
        self._proofs: dict[str, Proof | None] = {}
        """None of a cell whose line CI took away."""

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
                continue
            predicate = one.statement.predicate
            if self.path not in predicate.cells:
                break  # all of the file: what was before says nothing more
            for cell in predicate.cells[self.path]:
                state.pop(cell, None)
            before = predicate.replaces.get(self.path, {})
            state |= before
            for cell in before.keys() - set(predicate.cells[self.path]) - self._proofs.keys():
                self._proofs[cell] = self._withdrawn(cell)
        for cell in self.now:
            if cell not in self._proofs:
                self._proofs[cell] = self._unsigned(cell)
        yield from ((cell, proof) for cell, proof in self._proofs.items() if proof)

    def _attest(self, cell: str, one: Signed) -> None:
        if cell not in self._proofs:
            base = one.statement.predicate.base[:12]
            self._proofs[cell] = Proof("attested", f"by {one.by} on {base}", by=one.by)

    def _landed(self, one: Signed) -> Version | None:
        """Return the newest version of the file that a statement is of, if its cells matter."""
        cells = one.statement.predicate.cells.get(self.path)
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

    def _altered(self, cell: str, version: Version) -> Proof | None:
        digest = self.now.get(cell)
        since = self.history.since(self.path, cell, digest)
        if digest is None:
            # A submission that is taken off takes its scores along.
            is_left = self.history.has(since, _entry_file(self.path))
            return Proof("altered", "its line was taken away", since) if is_left else None
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
        """Return the keys of facts whose values the board shows."""
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
        first = self.history.first_trust
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
    """Return what a line and its run say, by key, the scores first."""
    for record in records_of(file) if file else ():
        if record.cell.file_stem == cell:
            facts: dict[str, object] = msgspec.to_builtins(record)
            scores = {f"scores.{key}": value for key, value in record.scores.items()}
            return {**scores, **facts, "scores": None}
    return {}


def _re_derived(proof: Proof, name: str, digest: str | None, checks: Sequence[Signed]) -> Proof:
    """Return what somebody says who evaluated this very line again, the last one first."""
    for one in checks:
        predicate = one.statement.predicate
        verdict = predicate.verdicts.get(name, "")
        if one.digests[name] == digest and verdict in _AGREES:
            detail = f"{verdict}, by {predicate.by} ({one.by}) on {predicate.at:%Y-%m-%d}"
            attested = f"; attested {proof.detail}" if proof.state == "attested" else ""
            return Proof("re-derived", f"{detail}{attested}", by=predicate.by)
        if one.digests[name] == digest:
            return proof._replace(detail=f"{proof.detail}; {verdict} when {predicate.by} checked")
    return proof
