"""The ledger: when content came, who approved it, what came of it, and every record ever made.

An append-only branch of small files, each named by what it is about, so that two writers never
write the same file differently. It is read to plan and to judge, never to rank: the board is a
function of the base branch alone.
"""

import datetime as dt
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
)

from evaluator.errors import PlatformError
from evaluator.formats.record import Record
from evaluator.formats.record_json import from_json
from evaluator.formats.record_json import to_json as record_to_json
from evaluator.formats.schema import read_json
from evaluator.planning.listing import Entry
from evaluator.planning.repository import Repo, list_entries, read_blobs

RECEIVED, APPROVED, FINISHED, RECORDS = "received", "approved", "finished", "records"
HEADS = "heads"
_MAX_BYTES = 16 * 2**20


class _Note(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Received(_Note):
    """That CI saw a submission's content, and when: the time of the submission."""

    at: AwareDatetime
    head: str
    """Commit in which it came."""
    pull_request: int | None = None


class ApprovedSubmission(_Note):
    """One submission of an approved tree: an attempt, for quotas."""

    id: str
    """``benchmark/participant/name``."""
    phase: str
    content: str
    """Digest of its files, without scores and submission.yaml."""
    received: AwareDatetime
    shared: str = ""
    """Answer by which its benchmark lets participants share quotas; empty for none."""

    @model_serializer(mode="wrap")
    def _without_empty(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # Older notes lack it, and an approval's id is a digest of all that it says.
        data: dict[str, Any] = handler(self)
        return data if self.shared else {k: v for k, v in data.items() if k != "shared"}


class Approval(_Note):
    """That an organiser approved one tree."""

    tree: str
    """git's id of all that the head commit holds."""
    head: str
    base: str
    """Tip of the base branch at that time."""
    approver: str
    at: AwareDatetime
    pull_request: int | None = None
    submissions: list[ApprovedSubmission] = []
    changed: str = ""
    """Digest of the paths that the merge changes; empty in notes from before it was compared."""

    @model_serializer(mode="wrap")
    def _without_empty(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data: dict[str, Any] = handler(self)
        return data if self.changed else {k: v for k, v in data.items() if k != "changed"}

    @property
    def id(self) -> str:
        """Digest of all that it says; a tree may be approved again."""
        return hashlib.sha256(note_json(self)).hexdigest()[:16]


class Outcome(_Note):
    """What came of an approval."""

    approval: str
    """Its id."""
    at: AwareDatetime
    void: bool = False
    """Whether the head had moved, so that the approval counted for nothing."""
    spoiled: list[str] = []
    """Submissions that failed by no fault of their participant; they use up no quota."""


_T = TypeVar("_T", bound=_Note)


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """The ledger at one commit, read as far as it is asked."""

    repo: Repo | None = None
    entries: Mapping[str, Entry] = field(default_factory=dict)

    def received(self, submission: str, content: str) -> dt.datetime | None:
        """When a submission's content first came, in UTC."""
        path = received_path(submission, content)
        found = self._notes([path] if path in self.entries else [], Received)
        return next((note.at for note in found), None)

    def brought_by(self, head: str) -> int | None:
        """Return the pull request that had a commit as its head first, and was not refused."""
        path = head_path(head)
        found = self._notes([path] if path in self.entries else [], Received)
        return next((note.pull_request for note in found), None)

    def arrivals(self) -> dict[int, dt.datetime]:
        """Pull request -> when content of it last came."""
        found: dict[int, dt.datetime] = {}
        for note in self._notes(self._below(RECEIVED), Received):
            if note.pull_request is not None:
                found[note.pull_request] = max(note.at, found.get(note.pull_request, note.at))
        return found

    @cached_property
    def approvals(self) -> Sequence[Approval]:
        """All approvals, the oldest first."""
        return sorted(self._notes(self._below(APPROVED), Approval), key=lambda note: note.at)

    @cached_property
    def outcomes(self) -> Mapping[str, Outcome]:
        """The last outcome by approval."""
        notes = sorted(self._notes(self._below(FINISHED), Outcome), key=lambda note: note.at)
        return {note.approval: note for note in notes}

    def approval_of(self, tree: str, changed: str) -> Approval | None:
        """Return the last approval of a tree and its changed paths that was not voided."""
        found = [
            one
            for one in self.approvals
            if one.tree == tree and one.changed in ("", changed) and not self._is_void(one)
        ]
        return found[-1] if found else None

    def attempts(self, benchmark: str, participant: str) -> list[tuple[ApprovedSubmission, bool]]:
        """Return a participant's approved content, and whether it uses up a quota."""
        found: dict[tuple[str, str], tuple[ApprovedSubmission, bool]] = {}
        for approval in self.approvals:
            outcome = self.outcomes.get(approval.id)
            for item in approval.submissions:
                if not item.id.startswith(f"{benchmark}/{participant}/"):
                    continue
                spent = outcome is None or not (outcome.void or item.id in outcome.spoiled)
                first, before = found.get((item.id, item.content), (item, False))
                found[item.id, item.content] = (first, before or spent)
        return list(found.values())

    def is_approved(self, submission: str, content: str) -> bool:
        """Whether this content was approved, and the approval still holds."""
        return any(
            item.id == submission and item.content == content
            for approval in self.approvals
            if not self._is_void(approval)
            for item in approval.submissions
        )

    def _is_void(self, approval: Approval) -> bool:
        outcome = self.outcomes.get(approval.id)
        return outcome is not None and outcome.void

    def records(self, score_keys: Iterable[str]) -> dict[str, list[Record]]:
        """Kept records by score key, the last made first."""
        wanted = set(score_keys)
        paths = [path for key in wanted for path in self._by_key.get(key, ())]
        found: dict[str, list[Record]] = defaultdict(list)
        for content in self._read(paths):
            try:
                record = from_json(content)
            except ValueError:
                continue  # of a version that this pullbench does not read
            found[record.keys.score].append(record)
        for records in found.values():
            records.sort(key=lambda record: record.provenance.finished, reverse=True)
        return found

    def page(self, score_key: str, sha256: str) -> bytes | None:
        """Detailed results that were kept beside a record."""
        path = f"{_record_folder(score_key)}/{sha256}.html"
        return next(self._read([path]), None) if path in self.entries else None

    @cached_property
    def _by_key(self) -> Mapping[str, list[str]]:
        paths: dict[str, list[str]] = defaultdict(list)
        for path in self._below(RECORDS):
            parts = path.split("/")
            if len(parts) == 4 and path.endswith(".json"):
                paths[parts[2]].append(path)
        return paths

    def _below(self, folder: str) -> list[str]:
        return [path for path in self.entries if path.startswith(f"{folder}/")]

    def _notes(self, paths: Iterable[str], kind: type[_T]) -> Iterator[_T]:
        names = list(paths)
        for path, content in zip(names, self._read(names), strict=True):
            try:
                yield kind.model_validate(read_json(content, max_bytes=_MAX_BYTES))
            except (ValueError, ValidationError):
                raise PlatformError(
                    f"{path} of the ledger cannot be read",
                    hint="It was written by hand or by a newer pullbench; mend it by a commit.",
                ) from None

    def _read(self, paths: Iterable[str]) -> Iterator[bytes]:
        names = list(paths)
        if self.repo is None or not names:
            return iter(())
        return read_blobs(self.repo, [self.entries[name].blob for name in names])


def read_ledger(repo: Repo, commit: str | None) -> Ledger:
    """Read the ledger at a commit; without one it is empty."""
    if commit is None:
        return Ledger()
    folders = (RECEIVED, HEADS, APPROVED, FINISHED, RECORDS)
    return Ledger(repo=repo, entries=list_entries(repo, commit, *folders))


def received_path(submission: str, content: str) -> str:
    """Where it stands when a submission's content came."""
    return f"{RECEIVED}/{submission}/{content}.json"


def head_path(head: str) -> str:
    """Where it stands which pull request first had a commit as its head."""
    return f"{HEADS}/{head}.json"


def approval_file(approval: Approval) -> tuple[str, bytes]:
    """Path and content of an approval."""
    return f"{APPROVED}/{approval.tree}-{approval.id}.json", note_json(approval)


def outcome_file(outcome: Outcome) -> tuple[str, bytes]:
    """Path and content of an outcome; an approval may have several, one per try."""
    content = note_json(outcome)
    digest = hashlib.sha256(content).hexdigest()[:16]
    return f"{FINISHED}/{outcome.approval}-{digest}.json", content


def record_files(record: Record, page: bytes | None) -> dict[str, bytes]:
    """Return what keeps a record: named by its key and its own content, so never overwritten."""
    folder = _record_folder(record.keys.score)
    content = record_to_json(record)
    files = {f"{folder}/{hashlib.sha256(content).hexdigest()}.json": content}
    if page is not None:
        files[f"{folder}/{hashlib.sha256(page).hexdigest()}.html"] = page
    return files


def note_json(note: BaseModel) -> bytes:
    """Canonical JSON of a note."""
    return (note.model_dump_json(indent=2) + "\n").encode()


def _record_folder(score_key: str) -> str:
    return f"{RECORDS}/{score_key[:2]}/{score_key}"
