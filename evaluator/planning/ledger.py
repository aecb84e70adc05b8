"""The ledger: what came, was approved and was entered, and every record ever made.

An append-only branch of small files, each named by what it is about, so that two writers never
write the same file differently. It is read to plan and to judge, never to rank: the board is a
function of the base branch alone.
"""

import datetime as dt
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TypeVar

from pydantic import (
    ValidationError,
)

from evaluator.formats.cell import SEALED
from evaluator.formats.json_reader import read_json
from evaluator.formats.record import Record
from evaluator.formats.record_identity import identity
from evaluator.formats.record_lines import from_json
from evaluator.formats.record_lines import to_json as record_to_json
from evaluator.git.commands import Repo, list_entries, read_blobs
from evaluator.git.history import last_of
from evaluator.git.listing import Listing
from evaluator.log import complain
from evaluator.planning.ledger_history import order_of_additions
from evaluator.planning.ledger_notes import (
    APPROVED,
    ATTEMPTS,
    FINISHED,
    HANDED_OUT,
    HEADS,
    RECEIVED,
    RECORDS,
    WITHDRAWN,
    Approval,
    ApprovedSubmission,
    Note,
    Outcome,
)

_MAX_BYTES = 16 * 2**20


_T = TypeVar("_T", bound=Note)


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """The ledger at one commit; files are read when they are needed."""

    repo: Repo | None = None
    commit: str | None = None
    entries: Listing = field(default_factory=Listing)

    @cached_property
    def approvals(self) -> Sequence[Approval]:
        """All approvals, the oldest first."""
        return sorted(self.notes(self.below(APPROVED), Approval), key=lambda note: note.at)

    @cached_property
    def outcomes(self) -> Mapping[str, Outcome]:
        """The last outcome by approval."""
        notes = sorted(self.notes(self._finished, Outcome), key=lambda note: note.at)
        return {note.approval: note for note in notes}

    @cached_property
    def _finished(self) -> Sequence[str]:
        return self.below(FINISHED)

    @property
    def valid_approvals(self) -> Sequence[Approval]:
        """All approvals that were not voided, the oldest first."""
        return [approval for approval in self.approvals if not self._is_void(approval)]

    @cached_property
    def approved_changes(self) -> Mapping[int, frozenset[str]]:
        """Digests of the changed paths that are approved, of each pull request that ever was.

        None of one whose approvals were all voided by a push.
        """
        changed: dict[int, set[str]] = defaultdict(set)
        for approval in self.approvals:
            if approval.pull_request and approval.changed:
                valid = set() if self._is_void(approval) else {approval.changed}
                changed[approval.pull_request] |= valid
        return {number: frozenset(digests) for number, digests in changed.items()}

    def approval_of(self, tree: str, changed: str) -> Approval | None:
        """Return the last approval of a tree and its changed paths that was not voided."""
        approvals = [
            approval
            for approval in self.valid_approvals
            if approval.tree == tree and approval.changed in ("", changed)
        ]
        return approvals[-1] if approvals else None

    @cached_property
    def approved_before(self) -> Mapping[tuple[str, str, str], dt.datetime]:
        """When submission, phase and content came, of ``entered_before``."""
        return {
            (entry.id, entry.phase, entry.content): entry.received for entry in self.entered_before
        }

    @cached_property
    def entered_before(self) -> Sequence[ApprovedSubmission]:
        """Attempts of the time before they had notes: approvals, but for what did not count."""
        return [
            item
            for approval in self.approvals
            if not self._is_void(approval)
            for item in approval.submissions
            if approval.id not in self.outcomes or item.id not in self.outcomes[approval.id].spoiled
        ]

    def _is_void(self, approval: Approval) -> bool:
        outcome = self.outcomes.get(approval.id)
        if outcome is None:  # it may have been voided by what cannot be read
            return any(path.startswith(f"{FINISHED}/{approval.id}-") for path in self._finished)
        return outcome.void

    def records(self, score_keys: Iterable[str]) -> dict[str, list[Record]]:
        """Kept records by score key, the last added first.

        The order is that of the ledger's commits: a record's times are its maker's claim.
        """
        by_key = {key: self._by_key[key] for key in set(score_keys) if key in self._by_key}
        several = [_record_folder(key) for key, paths in by_key.items() if len(paths) > 1]
        added = (
            order_of_additions(self.repo, self.commit, several)
            if several and self.repo is not None and self.commit is not None
            else {}
        )
        paths = [path for paths_of_key in by_key.values() for path in paths_of_key]
        paths.sort(key=lambda path: added.get(path, 0), reverse=True)
        records: dict[str, list[Record]] = defaultdict(list)
        for content in self._read(paths):
            try:
                record = from_json(content)
            except ValueError:
                continue  # of a version that this pullbench does not read
            records[record.keys.score].append(record)
        return records

    def page(self, record: Record) -> bytes | None:
        """Detailed results that were stored beside a record."""
        path = _page_file(record)
        return next(self._read([path]), None) if path in self.entries else None

    @cached_property
    def _by_key(self) -> Mapping[str, list[str]]:
        paths: dict[str, list[str]] = defaultdict(list)
        for path in self.below(RECORDS):
            parts = path.split("/")
            if len(parts) == 4 and path.endswith(".json"):
                paths[parts[2]].append(path)
        return paths

    def below(self, folder: str) -> list[str]:
        """Paths of the notes below a folder, sorted."""
        return self.entries.below(folder)

    def notes(self, paths: Iterable[str], kind: type[_T]) -> Iterator[_T]:
        """Yield notes in the order of their paths, but for those that cannot be read."""
        for _, note in self.named_notes(paths, kind):
            yield note

    def named_notes(self, paths: Iterable[str], kind: type[_T]) -> Iterator[tuple[str, _T]]:
        """Yield paths and notes; one that cannot be read is named in the log."""
        names = list(paths)
        for path, content in zip(names, self._read(names), strict=True):
            try:
                yield path, kind.model_validate(read_json(content, max_bytes=_MAX_BYTES))
            except (ValueError, ValidationError):
                _pass_over(path)

    def _read(self, paths: Iterable[str]) -> Iterator[bytes]:
        names = list(paths)
        if self.repo is None or not names:
            return iter(())
        return read_blobs(self.repo, [self.entries[name].blob for name in names], broken=b"")


@cache
def _pass_over(path: str) -> None:
    """Name a note once."""
    complain(
        f"passed over: {path} of the ledger cannot be read\n"
        "  It was written by hand or by a newer pullbench, or its object is damaged (`git fsck`); "
        "mend it by a commit."
    )


_ENTERED = (RECEIVED, HEADS, APPROVED, ATTEMPTS, FINISHED)
"""What quotas and windows are judged by."""


def read_ledger(repo: Repo, commit: str | None) -> Ledger:
    """Read the ledger at a commit; without one it is empty."""
    return _read_ledger(repo, commit, *_ENTERED, RECORDS, HANDED_OUT, WITHDRAWN)


def local_ledger(repo: Repo, branch: str) -> Ledger:
    """Read what this clone knows of what was entered; nothing is fetched."""
    places = [f"refs/{place}/{branch}" for place in ("heads", "remotes/upstream", "remotes/origin")]
    return _read_ledger(repo, last_of(repo, *places, "refs/pullbench/ledger-seen/"), *_ENTERED)


def _read_ledger(repo: Repo, commit: str | None, *folders: str) -> Ledger:
    if commit is None:
        return Ledger()
    return Ledger(repo=repo, commit=commit, entries=list_entries(repo, commit, *folders))


def record_files(record: Record, page: bytes | None) -> dict[str, bytes]:
    """Return what keeps a record: named by its key and its own content, so never overwritten."""
    folder = _record_folder(record.keys.score)
    content = record_to_json(record)
    files = {f"{folder}/{hashlib.sha256(content).hexdigest()}.json": content}
    if page is not None:
        files[_page_file(record)] = page
    return files


def _page_file(record: Record) -> str:
    """Name detailed results by what they are, or where that is sealed by whose they are."""
    folder, page = _record_folder(record.keys.score), record.detailed_results
    return (
        f"{folder}/{identity(record)}.html{SEALED}"
        if page is None
        else (f"{folder}/{page.sha256}.html")
    )


def _record_folder(score_key: str) -> str:
    return f"{RECORDS}/{score_key[:2]}/{score_key}"
