"""Publish a step at the forge: the sticky comment, the head's status, the label of approval."""

from pathlib import Path

from evaluator.forge import Forge, StatusState, find_forge
from evaluator.pull_requests.comment import to_markdown
from evaluator.pull_requests.judge import settings_of
from evaluator.pull_requests.merge_preview import Source
from evaluator.pull_requests.reports import APPROVAL_LABEL, Step

STATUS: dict[str, StatusState] = {
    "received": "pending", "queued": "pending", "running": "pending", "scored": "success",
    "refused": "failure", "failed": "failure", "void": "pending",
}  # fmt: skip
"""State of a pull request -> state of its head's commit status."""


def is_labelled(start: Path, source: Source) -> bool:
    """Whether the label is there now; without a forge the command is the approval."""
    forge = find_forge(settings_of(start, source).forge)
    if forge is None or source.pull_request is None:
        return True
    return APPROVAL_LABEL in forge.pull_request(source.pull_request).labels


def announce(start: Path, source: Source, step: Step, *, drop_label: bool) -> bool:
    """Write comment and status to the forge; returns False where there is none."""
    forge = find_forge(settings_of(start, source).forge)
    if forge is None or source.pull_request is None:
        return False
    _write(forge, source.pull_request, step)
    if drop_label:
        forge.remove_label(source.pull_request, APPROVAL_LABEL)
    return True


def _write(forge: Forge, number: int, step: Step) -> None:
    report = step.report
    forge.comment_sticky(number, to_markdown(report))
    # Where an approval is void, the head that took its place waits for one; a head that is gone
    # keeps the status that it had.
    if (report.state != "void" or step.proposal is not None) and not step.keeps_status:
        forge.set_status(report.head, STATUS[report.state], report.reason or report.next_step)
