"""The ledger: what came, was approved and was entered, and every record ever made.

An append-only branch of small files, each named by what it is about, so that two writers never
write the same file differently. It is read to plan and to judge, never to rank: the board is a
function of the base branch alone.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TypeVar

from pydantic import ValidationError

from evaluator.ci.git.history import last_of
from evaluator.ci.git.raw_trees import FilesByPath
from evaluator.ci.ledger.ledger_notes import (
    APPROVED,
    COMMENTS,
    FINISHED,
    PULLS,
    Approval,
    Note,
    Outcome,
    RecordKey,
    folder_of,
    key_of,
    page_file,
    record_files,
    shard,
)
from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import from_json
from evaluator.core.git.commands import Repo, read_blobs
from evaluator.core.log import complain

_MAX_BYTES = 16 * 2**20


_T = TypeVar("_T", bound=Note)


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """The ledger at one commit; files are read when they are needed."""

    repo: Repo | None = None
    commit: str | None = None
    entries: FilesByPath = field(default_factory=FilesByPath)

    @cached_property
    def approvals(self) -> Sequence[Approval]:
        return self._read_approvals(self.below(APPROVED))

    def _read_approvals(self, paths: Iterable[str]) -> list[Approval]:
        return sorted(self.notes(paths, Approval), key=lambda note: note.at)

    def approvals_of(self, pull_request: int | None) -> Sequence[Approval]:
        if pull_request is None:
            return ()
        return self._read_approvals(self.below(f"{PULLS}/{pull_request}/{APPROVED}"))

    def comment_of(self, pull_request: int | None) -> int | None:
        names = self.entries.names(f"{PULLS}/{pull_request}/{COMMENTS}")
        return int(names[-1].removesuffix(".json")) if names else None

    def outcome(self, approval: Approval) -> Outcome | None:
        notes = sorted(self.notes(self._finished(approval), Outcome), key=lambda note: note.at)
        return notes[-1] if notes else None

    def _finished(self, approval: Approval) -> list[str]:
        folder = shard(FINISHED, approval.id)
        return [
            f"{folder}/{name}"
            for name in self.entries.names(folder)
            if name.startswith(f"{approval.id}-")
        ]

    def approved_changes(self, pull_request: int) -> frozenset[str] | None:
        """Digests of the changed paths that are approved of a pull request.

        None where there never was an approval; empty where a push voided all of them.
        """
        approvals = self.approvals_of(pull_request)
        if not approvals:
            return None
        return frozenset(one.changed for one in approvals if not self._is_void(one))

    def approval_of(self, tree: str, changed: str) -> Approval | None:
        """Return the last approval of a tree and its changed paths that was not voided."""
        folder = shard(APPROVED, tree)
        names = self.entries.names(folder)
        paths = [f"{folder}/{name}" for name in names if name.startswith(f"{tree}-")]
        approvals = [
            approval
            for approval in self._read_approvals(paths)
            if approval.tree == tree and approval.changed == changed and not self._is_void(approval)
        ]
        return approvals[-1] if approvals else None

    def _is_void(self, approval: Approval) -> bool:
        outcome = self.outcome(approval)
        if outcome is None:  # it may have been voided by what cannot be read
            return bool(self._finished(approval))
        return outcome.void

    def records(self, keys: Iterable[RecordKey]) -> dict[str, list[Record]]:
        """Kept records by score key, the last added first.

        The order is that in which they were added: a record's times are its maker's claim.
        """
        wanted = set(keys)
        self.entries.read_folders(f"{folder_of(key)}/" for key in wanted)
        paths = [path for key in wanted for path in self._paths_of(key) if path.endswith(".json")]
        paths.sort(key=lambda path: path.split("-")[-2], reverse=True)  # the time of adding
        records: dict[str, list[Record]] = defaultdict(list)
        for content in self._read(paths):
            try:
                record = from_json(content)
            except ValueError:
                continue  # of a version that this pullbench does not read
            records[record.keys.score].append(record)
        return records

    def _paths_of(self, key: RecordKey) -> list[str]:
        folder = folder_of(key)
        names = self.entries.names(folder)
        return [f"{folder}/{name}" for name in names if name.startswith(key.score)]

    def page(self, record: Record) -> bytes | None:
        """Detailed results that were stored beside a record."""
        path = page_file(record)
        return next(self._read([path] if path in self.entries else []), None)

    def new_record_files(
        self, record: Record, page: bytes | None, at: dt.datetime
    ) -> dict[str, bytes]:
        files = record_files(record, page, at)
        suffix = next(iter(files)).rpartition("-")[2]
        there = any(path.endswith(f"-{suffix}") for path in self._paths_of(key_of(record.keys)))
        return {
            path: content for path, content in files.items()
            if path not in self.entries and not (there and path.endswith(".json"))
        }  # fmt: skip

    def below(self, folder: str) -> list[str]:
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


def read_ledger(repo: Repo, commit: str | None) -> Ledger:
    """Read the ledger at a commit; without one it is empty."""
    if commit is None:
        return Ledger()
    return Ledger(repo=repo, commit=commit, entries=FilesByPath(repo, commit))


def local_ledger(repo: Repo, branch: str) -> Ledger:
    """Read what this clone knows of what was entered; nothing is fetched."""
    places = [f"refs/{place}/{branch}" for place in ("heads", "remotes/upstream", "remotes/origin")]
    return read_ledger(repo, last_of(repo, *places, "refs/pullbench/ledger-seen/"))
