"""The only git writer: objects, branches by compare-and-swap, and what goes to a remote."""

from evaluator.ci.git.branch import Accept, Committed, add_files, push_branch, tip_of, write_commit
from evaluator.ci.git.following import Files, follow
from evaluator.ci.git.inbox import empty_inbox, hand_in, quarantined, read_inbox, read_quarantine
from evaluator.ci.git.merge_changes import merge_commit
from evaluator.ci.git.remote import (
    boundary,
    complete,
    fetch_commit,
    join,
    owner_at,
    reach,
    remember_tip,
    seen_tip,
)

__all__ = [
    "Accept",
    "Committed",
    "Files",
    "add_files",
    "boundary",
    "complete",
    "empty_inbox",
    "fetch_commit",
    "follow",
    "hand_in",
    "join",
    "merge_commit",
    "owner_at",
    "push_branch",
    "quarantined",
    "reach",
    "read_inbox",
    "read_quarantine",
    "remember_tip",
    "seen_tip",
    "tip_of",
    "write_commit",
]  # fmt: skip
