"""Notes and records of the ledger, and the files in which they are."""

import datetime as dt
import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from pydantic import AwareDatetime, BaseModel, ConfigDict

from evaluator.core.formats.cell import SEALED, CellId, Keys
from evaluator.core.formats.record import PAGE, Record, RecordKeys
from evaluator.core.formats.record_lines import to_json, without_logs

RECEIVED, APPROVED, ATTEMPTS = "received", "approved", "attempts"
HEADS, FINISHED, HANDED_OUT, WITHDRAWN = "heads", "finished", "handed-out", "withdrawn"
PULLS, EVALUATED, COMMENTS = "pulls", "evaluated", "comments"
COMPARED, LANDED = "compared", "landed"
SIGNED = "signed-"
"""Folders of the ledger. PULLS has again what came and was approved, by pull request; EVALUATED the
records by the content of their submission; COMPARED the tips of the branch up to which it was
compared, by time, and LANDED what differed. SIGNED begins the names of files beside the records
that say who signed these."""

POLICY = "pullbench: policy"
"""Approver of what a benchmark's policy approves; no login has a colon or a blank."""


def shard(folder: str, name: str) -> str:
    """A folder of few: in a large one, each note would cost what all have cost."""
    return f"{folder}/{name[:2]}"


class Note(BaseModel):
    """One fact, in its own file."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    @property
    def id(self) -> str:
        """Digest of all that it says."""
        return hashlib.sha256(note_json(self)).hexdigest()[:16]


class Approval(Note):
    """That an organiser, or POLICY, approved one tree, which may be approved again."""

    tree: str
    """git's id of all that the head commit holds."""
    head: str
    base: str
    """Tip of the base branch at that time."""
    approver: str
    at: AwareDatetime
    pull_request: int | None = None
    changed: str
    """Digest of the paths that the merge changes."""


class Outcome(Note):
    """The outcome of an approval."""

    approval: str
    at: AwareDatetime
    void: bool = False
    """Whether the head had moved, so that the approval counted for nothing."""


def approval_files(approval: Approval) -> dict[str, bytes]:
    name, content = f"{approval.tree}-{approval.id}.json", note_json(approval)
    paths = [f"{shard(APPROVED, approval.tree)}/{name}"]
    if approval.pull_request is not None:
        paths.append(f"{PULLS}/{approval.pull_request}/{APPROVED}/{name}")
    return dict.fromkeys(paths, content)


def comment_file(pull_request: int, comment: int) -> tuple[str, bytes]:
    """Path and content of the note which comment of a pull request is replaced; the last counts."""
    return f"{PULLS}/{pull_request}/{COMMENTS}/{comment:012}.json", b"{}\n"


def outcome_file(outcome: Outcome) -> tuple[str, bytes]:
    """Path and content of an outcome; an approval may have several, one per try."""
    folder, name = shard(FINISHED, outcome.approval), f"{outcome.approval}-{outcome.id}.json"
    return f"{folder}/{name}", note_json(outcome)


def note_json(note: BaseModel) -> bytes:
    return (note.model_dump_json(indent=2) + "\n").encode()


def identity(record: Record) -> str:
    """The identity of one evaluation, which its record keeps when it is sealed or renamed.

    The same content has the same record under any name, so that the cell does not count; nor do
    earlier scores, a count of tries and the time of the submission, which collecting adds, nor
    logs, which stand elsewhere. What was sealed stays the same evaluation once it is opened.
    """
    if record.id is not None:
        return record.id
    if record.sealed is not None:
        return hashlib.sha256(record.sealed.encode()).hexdigest()
    bare = without_logs(record).replace(
        cell=_NO_CELL, earlier=[], tries=1, provenance=record.provenance.replace(submitted="")
    )
    fields = msgspec.to_builtins(bare)
    # The page had its own key before there were others, and identities stay.
    for suffix, attachment in fields.pop("attachments", {}).items():
        fields["detailed_results" if suffix == PAGE else suffix] = attachment
    text = json.dumps(fields, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


_NO_CELL = CellId(benchmark="", participant="", submission="", phase="", task="")


class Withdrawn(Note):
    """A note that an evaluation counts for nobody, under whatever name it is stored."""

    cell: str
    """Whose record it was where it was withdrawn; the same content may stand under other names."""
    score_key: str
    record: str
    """See ``identity``."""
    reason: str
    """Public, in one sentence."""
    by: str
    at: AwareDatetime


def withdrawn_path(score_key: str, record: str) -> str:
    return f"{WITHDRAWN}/{score_key}/{record}.json"


def withdrawn_file(note: Withdrawn) -> tuple[str, bytes]:
    """Path and content of a note; who comes second changes nothing."""
    return withdrawn_path(note.score_key, note.record), note_json(note)


class RecordKey(NamedTuple):
    """Where records of a cell stand, under whatever name."""

    submission: str
    """Digest of the submission's content."""
    score: str


def key_of(keys: Keys | RecordKeys) -> RecordKey:
    return RecordKey(keys.parts.get("submission", ""), keys.score)


def record_files(
    record: Record, attachments: Mapping[str, bytes], at: dt.datetime
) -> dict[str, bytes]:
    """What keeps a record: named by its key, the time and its own content.

    So it is never overwritten, and the last that came is told from the others. All records of a
    submission stand in one folder, by its content: the same under another name adopts them.
    """
    content, digest = to_json(record), record_digest(record)
    folder = folder_of(key_of(record.keys))
    stamp = at.astimezone(dt.UTC).strftime("%Y%m%dT%H%M%S%f")
    files = {f"{folder}/{record.keys.score}-{stamp}-{digest}.json": content}
    return files | {attachment_file(record, name): one for name, one in attachments.items()}


def record_digest(record: Record) -> str:
    return hashlib.sha256(to_json(record)).hexdigest()


def attachment_file(record: Record, suffix: str) -> str:
    """Path of an attachment: named by what it is, or if that is sealed by whose it is."""
    named = record.attachments.get(suffix)
    name = f"{identity(record)}.{suffix}{SEALED}" if named is None else f"{named.sha256}.{suffix}"
    return f"{folder_of(key_of(record.keys))}/{record.keys.score}-{name}"


def folder_of(key: RecordKey) -> str:
    return f"{shard(EVALUATED, key.submission)}/{key.submission}"
