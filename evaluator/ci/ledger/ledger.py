"""The ledger: what came, was approved and was entered, and every record ever made.

An append-only branch of small files, each named by what it is about, so that two writers never
write the same file differently. It is read to plan and to judge, never to rank: the board is a
function of the base branch alone.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from evaluator.ci.git.history import last_of
from evaluator.ci.git.partial_clone import fetch_missing
from evaluator.ci.git.raw_trees import FilesByPath
from evaluator.ci.ledger.ledger_notes import (
    APPROVED,
    COMMENTS,
    FINISHED,
    PULLS,
    SIGNED,
    Approval,
    Note,
    Outcome,
    RecordKey,
    Withdrawn,
    attachment_file,
    folder_of,
    identity,
    key_of,
    record_files,
    shard,
    withdrawn_path,
)
from evaluator.core.formats.attachments import ATTACHMENTS
from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import from_json
from evaluator.core.git.commands import Repo, read_blobs
from evaluator.core.log import complain

_MAX_BYTES = 16 * 2**20
_T = TypeVar("_T", bound=Note)
_Dated = TypeVar("_Dated", Approval, Outcome)


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """The ledger at one commit; files are read when they are needed."""

    repo: Repo | None = None
    commit: str | None = None
    entries: FilesByPath = field(default_factory=FilesByPath)

    def approvals(self, folder: str = APPROVED) -> list[Approval]:
        return self._by_time(self.entries.below(folder), Approval)

    def approvals_of(self, pull_request: int | None) -> list[Approval]:
        return self.approvals(f"{PULLS}/{pull_request}/{APPROVED}")

    def unfinished(self, pull_request: int | None) -> list[Approval]:
        """Approvals without an outcome: jobs evaluate their cells, or have died."""
        return [one for one in self.approvals_of(pull_request) if self.outcome(one) is None]

    def comment_of(self, pull_request: int | None) -> int | None:
        names = self.entries.names(f"{PULLS}/{pull_request}/{COMMENTS}")
        return int(names[-1].removesuffix(".json")) if names else None

    def outcome(self, approval: Approval) -> Outcome | None:
        notes = self._by_time(self._finished(approval), Outcome)
        return notes[-1] if notes else None

    def _finished(self, approval: Approval) -> list[str]:
        return self._beginning(shard(FINISHED, approval.id), f"{approval.id}-")

    def _beginning(self, folder: str, begin: str) -> list[str]:
        names = self.entries.names(folder)
        return [f"{folder}/{name}" for name in names if name.startswith(begin)]

    def _by_time(self, paths: Iterable[str], kind: type[_Dated]) -> list[_Dated]:
        return sorted((note for _, note in self.notes(paths, kind)), key=lambda note: note.at)

    def approved_changes(self, pull_request: int) -> frozenset[str] | None:
        """Digests of approved changes; None if there never was an approval, empty if all void."""
        approvals = self.approvals_of(pull_request)
        if not approvals:
            return None
        return frozenset(one.changed for one in approvals if not self._is_void(one))

    def approval_of(self, pull_request: int | None, tree: str, changed: str) -> Approval | None:
        """The last approval that counts for one pull request, not for another of its head.

        A twin would else get its cells evaluated beside it, and pay nothing.
        """
        paths = self._beginning(shard(APPROVED, tree), f"{tree}-")
        approvals = [
            approval
            for approval in self._by_time(paths, Approval)
            if (approval.pull_request, approval.tree, approval.changed)
            == (pull_request, tree, changed)
            and not self._is_void(approval)
        ]
        return approvals[-1] if approvals else None

    def read_about(self, approvals: Iterable[Approval]) -> None:
        """Fetch what says whether approvals count, in few exchanges with the remote."""
        pairs = [(shard(APPROVED, one.tree), shard(FINISHED, one.id)) for one in approvals]
        folders = {folder for pair in pairs for folder in pair}
        self.entries.read_folders(f"{folder}/" for folder in folders)
        if self.repo is not None:
            paths = [f"{name}/{part}" for name in folders for part in self.entries.names(name)]
            fetch_missing(self.repo, [self.entries[path].blob for path in paths])

    def times_approved(self, tree: str) -> int:
        """Count the approvals of a tree in all pull requests, void or not."""
        return len(self._beginning(shard(APPROVED, tree), f"{tree}-"))

    def _is_void(self, approval: Approval) -> bool:
        outcome = self.outcome(approval)
        if outcome is None:  # it may have been voided by what cannot be read
            return bool(self._finished(approval))
        return outcome.void

    def records(self, keys: Iterable[RecordKey]) -> dict[str, list[Record]]:
        """Kept records by score key, the last added first: their times are their makers' claim."""
        wanted = set(keys)
        self.entries.read_folders(f"{folder_of(key)}/" for key in wanted)
        paths = [path for key in wanted for path in self._paths_of(key) if path.endswith(".json")]
        paths.sort(key=lambda path: path.split("-")[-2], reverse=True)  # the time of adding
        records: dict[str, list[Record]] = defaultdict(list)
        for content in self.contents(paths):
            try:
                record = from_json(content)
            except ValueError:
                continue  # of a version that this pullbench does not read
            records[record.keys.score].append(record)
        return records

    def _paths_of(self, key: RecordKey) -> list[str]:
        return self._beginning(folder_of(key), key.score)

    def signatures(self, keys: Iterable[RecordKey]) -> Iterator[bytes]:
        """Yield the files that say who signed kept records, each once."""
        folders = {folder_of(key) for key in keys}
        paths = [path for folder in folders for path in self._beginning(folder, SIGNED)]
        return self.contents({self.entries[path].blob: path for path in paths}.values())

    def is_withdrawn(self, record: Record) -> bool:
        """Whether a record was withdrawn; no note is read for it."""
        return withdrawn_path(record.keys.score, identity(record)) in self.entries

    def withdrawal(self, record: Record) -> Withdrawn:
        """The note of a withdrawn record; one that cannot be read withdraws it as well."""
        key, name = record.keys.score, identity(record)
        return self.note(withdrawn_path(key, name), Withdrawn) or Withdrawn(
            cell=str(record.cell), score_key=key, record=name,
            reason="the note that says why cannot be read", by="an organiser",
            at=dt.datetime.fromtimestamp(0, dt.UTC),
        )  # fmt: skip

    def attachments(self, record: Record) -> dict[str, bytes]:
        paths = {suffix: attachment_file(record, suffix) for suffix in ATTACHMENTS}
        there = {suffix: path for suffix, path in paths.items() if path in self.entries}
        return dict(zip(there, self.contents(there.values()), strict=True))

    def new_record_files(
        self, record: Record, attachments: Mapping[str, bytes], at: dt.datetime
    ) -> dict[str, bytes]:
        files = record_files(record, attachments, at)
        suffix = next(iter(files)).rpartition("-")[2]
        there = any(path.endswith(f"-{suffix}") for path in self._paths_of(key_of(record.keys)))
        return {
            path: content for path, content in files.items()
            if path not in self.entries and not (there and path.endswith(".json"))
        }  # fmt: skip

    def notes(self, paths: Iterable[str], kind: type[_T]) -> Iterator[tuple[str, _T]]:
        """Yield paths and notes, in that order; one that cannot be read is named in the log."""
        names = list(paths)
        for path, content in zip(names, self.contents(names), strict=True):
            try:
                yield path, kind.model_validate(read_json(content, max_bytes=_MAX_BYTES))
            except ValueError:
                _pass_over(path)

    def note(self, path: str, kind: type[_T]) -> _T | None:
        """None where there is no such note, or none that can be read."""
        notes = self.notes([path] if path in self.entries else [], kind)
        return next((note for _, note in notes), None)

    def contents(self, paths: Iterable[str]) -> Iterator[bytes]:
        """Yield files in order; one that git cannot read is empty."""
        names = list(paths)
        if self.repo is None or not names:
            return iter(())
        return read_blobs(self.repo, [self.entries[name].blob for name in names], broken=b"")


@cache
def _pass_over(path: str) -> None:
    complain(
        f"passed over: {path} of the ledger cannot be read\n"
        "  It was written by hand or by a newer pullbench, or its object is damaged (`git fsck`); "
        "mend it by a commit."
    )


def read_ledger(repo: Repo, commit: str | None) -> Ledger:
    if commit is None:
        return Ledger()
    return Ledger(repo=repo, commit=commit, entries=FilesByPath(repo, commit))


def local_ledger(repo: Repo, branch: str) -> Ledger:
    """Read what this clone knows of what was entered; nothing is fetched."""
    refs = [f"refs/{where}/{branch}" for where in ("heads", "remotes/upstream", "remotes/origin")]
    return read_ledger(repo, last_of(repo, *refs, "refs/pullbench/ledger-seen/"))
