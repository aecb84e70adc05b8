"""Notes that the steps write into the ledger."""

import datetime as dt
from collections.abc import Mapping

from evaluator.git.commands import Repo
from evaluator.planning.arrivals import Received, head_path, received_path
from evaluator.planning.ledger_notes import Approval, note_json
from evaluator.planning.versions import work_of
from evaluator.pull_requests.merge_preview import Proposal, Source
from evaluator.scores import ledger_records


def add_notes(repo: Repo, branch: str, remote: str | None, files: Mapping[str, bytes]) -> None:
    """Add notes to the ledger; the first of a name stays."""
    ledger_records.add_notes(repo, files, "Note {} files\n", branch=branch, remote=remote)


def received_notes(proposal: Proposal, source: Source, now: dt.datetime) -> dict[str, bytes]:
    """Note when the head came, what it brought and as what; what is withdrawn enters nothing.

    What is noted already stays.
    """
    note = note_json(Received(at=now, head=proposal.head, pull_request=source.pull_request))
    notes = {head_path(proposal.head): note}
    for item in proposal.after.submissions:
        if item.id in proposal.submissions:
            work = work_of(proposal.after.tree, item)
            work = work._replace(kind="withdrawn") if item.cancelled else work
            notes[received_path(item.id, work, proposal.head)] = note
    return notes


def make_approval(proposal: Proposal, source: Source, approver: str) -> Approval:
    """Return the note that a tree was approved; what it enters is noted beside it."""
    return Approval(
        tree=proposal.tree, head=proposal.head, base=proposal.base, approver=approver,
        at=proposal.now, pull_request=source.pull_request,
        changed=proposal.changed,
    )  # fmt: skip
