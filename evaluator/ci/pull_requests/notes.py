"""Notes that the steps write into the ledger."""

import datetime as dt
from collections.abc import Mapping

from evaluator.ci.ledger.arrivals import Received, head_path, pull_request_path, received_path
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_growth import grown_ledger
from evaluator.ci.ledger.ledger_notes import (
    APPROVED,
    ATTEMPTS,
    COMMENTS,
    HEADS,
    PULLS,
    RECEIVED,
    Approval,
    note_json,
    shard,
)
from evaluator.ci.ledger.versions import work_of
from evaluator.ci.pull_requests.heads import Source
from evaluator.ci.pull_requests.merge_preview import Proposal
from evaluator.ci.scores.ledger_records import add_to_ledger
from evaluator.core.git.commands import Repo


def add_notes(repo: Repo, branch: str, remote: str | None, files: Mapping[str, bytes]) -> None:
    """Add notes to the ledger; the first of a name stays."""
    add_to_ledger(repo, files, "Note {} files\n", branch=branch, remote=remote)


def ledger_of(proposal: Proposal, source: Source) -> Ledger:
    """Read the ledger, as far as it is about a pull request, in few exchanges with its remote."""
    before = proposal.before
    ledger = grown_ledger(proposal.repo, before.settings.ledger, source.remote, before.tree)
    participants = {tuple(name.split("/")[:2]) for name in proposal.submissions}
    ledger.entries.look(
        [
            head_path(proposal.head),
            f"{shard(APPROVED, proposal.tree)}/",
            *(f"{PULLS}/{source.pull_request}/{part}/" for part in (HEADS, APPROVED, COMMENTS)),
            *(f"{RECEIVED}/{name}/" for name in proposal.submissions),
            *(f"{ATTEMPTS}/{name}/{participant.casefold()}/" for name, participant in participants),
        ]
    )
    return ledger


def received_notes(proposal: Proposal, source: Source, now: dt.datetime) -> dict[str, bytes]:
    """Note when the head came, what it brought and as what; what is withdrawn enters nothing.

    What is noted already stays.
    """
    note = note_json(Received(at=now, head=proposal.head, pull_request=source.pull_request))
    notes = {head_path(proposal.head): note}
    if source.pull_request is not None:
        notes[pull_request_path(source.pull_request, proposal.head)] = note
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
