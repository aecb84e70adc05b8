"""Publish a step at the forge: the sticky comment, the head's status, the label of approval."""

from pathlib import Path

from evaluator.ci.forge import Forge, StatusState, find_forge
from evaluator.ci.ledger.ledger_notes import comment_file
from evaluator.ci.pull_requests.comment import to_markdown
from evaluator.ci.pull_requests.heads import Source
from evaluator.ci.pull_requests.judge import settings_of
from evaluator.ci.pull_requests.notes import add_notes
from evaluator.ci.pull_requests.reports import APPROVAL_LABEL, Step
from evaluator.core.formats.settings import Settings
from evaluator.core.git.tree import open_repository

STATUS: dict[str, StatusState] = {
    "received": "pending", "queued": "pending", "running": "pending", "scored": "success",
    "refused": "failure", "failed": "failure", "void": "pending",
}  # fmt: skip
"""State of a pull request -> state of its head's commit status."""


def take_label(settings: Settings, source: Source) -> bool:
    """Take the label off; returns whether it was there. Without a forge the command approves."""
    forge = find_forge(settings.forge)
    if forge is None or source.pull_request is None:
        return True
    return forge.remove_label(source.pull_request, APPROVAL_LABEL)


def announce(start: Path, source: Source, step: Step, *, drop_label: bool) -> bool:
    """Write comment and status to the forge; returns False where there is none."""
    known = step.proposal.before.settings if step.proposal is not None else None
    settings = known or settings_of(start, source)
    forge = find_forge(settings.forge)
    if forge is None or source.pull_request is None:
        return False
    comment = _write(forge, source.pull_request, step)
    if drop_label:
        forge.remove_label(source.pull_request, APPROVAL_LABEL)
    if comment != step.comment and known is not None:
        add_notes(
            open_repository(start), settings.ledger, source.remote,
            dict([comment_file(source.pull_request, comment)]),
        )  # fmt: skip
    return True


def _write(forge: Forge, number: int, step: Step) -> int:
    report = step.report
    comment = forge.comment_sticky(
        number, to_markdown(report), known=step.comment, is_first=step.is_first
    )
    # Where an approval is void, the head that took its place waits for one; a head that is gone
    # keeps the status that it had. What is queued waits on, as it did when it was received.
    if (
        (report.state != "queued" or step.comment is None)
        and (report.state != "void" or step.proposal is not None)
        and not step.keeps_status
    ):
        forge.set_status(report.head, STATUS[report.state], report.reason or report.next_step)
    return comment.id
