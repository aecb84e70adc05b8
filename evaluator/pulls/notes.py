"""What the steps write into the ledger."""

import datetime as dt
from collections.abc import Mapping

from evaluator.commit import Files, add_files
from evaluator.planning.attempts import content_of
from evaluator.planning.ledger import (
    Approval,
    ApprovedSubmission,
    Ledger,
    Received,
    head_path,
    note_json,
    read_ledger,
    received_path,
)
from evaluator.planning.repository import Repo
from evaluator.planning.shared_quotas import answer_of
from evaluator.proposing import Proposal, Source


def add_notes(repo: Repo, branch: str, remote: str | None, files: Mapping[str, bytes]) -> None:
    """Add notes to the ledger; the first of a name stays."""

    def accept(tip: str | None) -> Files:
        known = read_ledger(repo, tip).entries
        return {path: content for path, content in files.items() if path not in known}

    if files:
        add_files(
            repo, accept, lambda new: f"Note {len(new)} files\n",
            branch=branch, remote=remote, create=True,
        )  # fmt: skip


def received_notes(
    proposal: Proposal, source: Source, now: dt.datetime, ledger: Ledger | None = None
) -> dict[str, bytes]:
    """Note when the head and the content of each submission came; what is noted already stays."""
    note = note_json(Received(at=now, head=proposal.head, pull_request=source.pull_request))
    paths = [
        head_path(proposal.head),
        *(
            received_path(item.id, content_of(proposal.after.tree, item))
            for item in proposal.after.submissions
            if item.id in proposal.submissions
        ),
    ]
    return {path: note for path in paths if ledger is None or path not in ledger.entries}


def make_approval(proposal: Proposal, source: Source, approver: str, ledger: Ledger) -> Approval:
    """Say which content was approved, and when each submission's came."""
    submissions = []
    for item in proposal.after.submissions:
        if item.id in proposal.submissions:
            content = content_of(proposal.after.tree, item)
            came = ledger.received(item.id, content) or proposal.now
            submissions.append(
                ApprovedSubmission(
                    id=item.id,
                    phase=item.phase,
                    content=content,
                    received=came,
                    shared=answer_of(proposal.after, item),
                )
            )
    return Approval(
        tree=proposal.tree, head=proposal.head, base=proposal.base, approver=approver,
        at=proposal.now, pull_request=source.pull_request, submissions=submissions,
        changed=proposal.changed,
    )  # fmt: skip
