"""The only git writer: objects, branches by compare-and-swap, and what goes to a remote."""

from evaluator.git.write.archive import bring_archived, keep_as_bundle, keep_at
from evaluator.git.write.branch import (
    Accept,
    Committed,
    add_files,
    push_branch,
    tip_of,
    write_commit,
)
from evaluator.git.write.claims import RemoteClaims, remove_old_claims
from evaluator.git.write.deepening import boundary, complete, join, reach
from evaluator.git.write.following import Files, follow
from evaluator.git.write.inbox import empty_inbox, hand_in, read_inbox
from evaluator.git.write.proposal import merge_commit
from evaluator.git.write.remote import fetch_commit
from evaluator.git.write.seen import remember_tip, seen_tip

__all__ = [
    "Accept",
    "Committed",
    "Files",
    "RemoteClaims",
    "add_files",
    "boundary",
    "bring_archived",
    "complete",
    "empty_inbox",
    "fetch_commit",
    "follow",
    "hand_in",
    "join",
    "keep_as_bundle",
    "keep_at",
    "merge_commit",
    "push_branch",
    "reach",
    "read_inbox",
    "remember_tip",
    "remove_old_claims",
    "seen_tip",
    "tip_of",
    "write_commit",
]  # fmt: skip
