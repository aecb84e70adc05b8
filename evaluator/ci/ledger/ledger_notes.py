"""Notes of the ledger on pull requests, and the files in which they stand."""

import hashlib

from pydantic import AwareDatetime, BaseModel, ConfigDict

RECEIVED, APPROVED, ATTEMPTS = "received", "approved", "attempts"
HEADS, FINISHED, HANDED_OUT, WITHDRAWN = "heads", "finished", "handed-out", "withdrawn"
PULLS, EVALUATED, COMMENTS = "pulls", "evaluated", "comments"
COMPARED, LANDED = "compared", "landed"
"""Folders of the ledger. PULLS has again what came and was approved, by pull request; EVALUATED the
records by the content of their submission; COMPARED the tips of the branch up to which it was
compared, by time, and LANDED what differed."""


def shard(folder: str, name: str) -> str:
    """Return the folder in which a note stands whose name begins with a digest.

    So no folder grows so large that writing one note costs what all have cost.
    """
    return f"{folder}/{name[:2]}"


class Note(BaseModel):
    """One fact, in its own file."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Approval(Note):
    """That an organiser approved one tree."""

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

    @property
    def id(self) -> str:
        """Digest of all that it says; a tree may be approved again."""
        return hashlib.sha256(note_json(self)).hexdigest()[:16]


class Outcome(Note):
    """The outcome of an approval."""

    approval: str
    """Its id."""
    at: AwareDatetime
    void: bool = False
    """Whether the head had moved, so that the approval counted for nothing."""


def approval_files(approval: Approval) -> dict[str, bytes]:
    """Return path and content of an approval, by its tree and by its pull request."""
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
    content = note_json(outcome)
    digest = hashlib.sha256(content).hexdigest()[:16]
    return f"{shard(FINISHED, outcome.approval)}/{outcome.approval}-{digest}.json", content


def note_json(note: BaseModel) -> bytes:
    return (note.model_dump_json(indent=2) + "\n").encode()
