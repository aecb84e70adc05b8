"""The steps of a pull request, as workflows call them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from evaluator import pipeline
from evaluator.cli import actions
from evaluator.cli.group import cli
from evaluator.cli.main import actor_option, head_option, pull_request_option, remote_option
from evaluator.cli.records import records_option
from evaluator.clock import utc_now
from evaluator.forge import Forge, StatusState, find_forge
from evaluator.log import emit, say
from evaluator.planning.queues import to_matrix
from evaluator.pull_requests import APPROVAL_LABEL, Step
from evaluator.pull_requests.comment import to_markdown
from evaluator.pull_requests.merge_preview import Source

STATUS: dict[str, StatusState] = {
    "received": "pending", "queued": "pending", "running": "pending", "scored": "success",
    "refused": "failure", "failed": "failure", "void": "pending",
}  # fmt: skip
"""State of a pull request -> state of its head's commit status."""


def _pull_request(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say which pull request."""
    for option in (
        pull_request_option,
        remote_option,
        head_option,
        click.option("--base", envvar="PULLBENCH_BASE", default="main", show_default=True,
                     help="Branch that it goes to, or a commit of it."),
    ):  # fmt: skip
        command = option(command)
    return command


@cli.group()
def pr() -> None:
    """Take a pull request on its way: receive, approve, finish.

    Each writes the sticky comment, the commit status, the job's summary and its outputs. Without
    a forge's token they print the comment and keep the ledger, so that they work on any
    repository.
    """


@pr.command()
@_pull_request
@actor_option
@click.pass_obj
def receive(
    start: Path, base: str, head: str, remote: str, pull_request: int | None, actor: str
) -> None:
    """Note that content came, judge it, and void what was approved before it moved."""
    source = Source(base=base, head=head, remote=remote or None, pull_request=pull_request)
    step = pipeline.receive(start, source, actor, utc_now())
    _tell(start, source, step, drop_label=True)


@pr.command()
@_pull_request
@actor_option
@click.option("--approver", envvar="PULLBENCH_APPROVER", help="Login of who set the label.")
@click.pass_obj
def approve(
    start: Path,
    base: str,
    head: str,
    remote: str,
    pull_request: int | None,
    actor: str,
    approver: str,
) -> None:
    """Bind an organiser's approval to the head's tree, and plan its cells.

    Outputs: `matrix`, `count`, `base` (the commit that it was planned on) and `tree`.
    """
    source = Source(base=base, head=head, remote=remote or None, pull_request=pull_request)
    step = pipeline.approve(
        start, source, actor, approver, utc_now(), labelled=_is_labelled(start, source)
    )
    if step.ok and step.proposal is not None:
        settings = step.proposal.before.settings
        actions.set_outputs(
            {
                "matrix": to_matrix(step.planned, settings.queues),
                "count": len(step.planned),
                "base": step.proposal.base,
                "tree": step.proposal.tree,
            }
        )
    _tell(start, source, step, drop_label=not step.ok)


@pr.command()
@_pull_request
@records_option
@click.pass_obj
def finish(
    start: Path,
    base: str,
    head: str,
    remote: str,
    pull_request: int | None,
    source: Path | None,
) -> None:
    """Check records against the plan, keep them, and show the board as it would be."""
    where = Source(base=base, head=head, remote=remote or None, pull_request=pull_request)
    folder = source if source and source.is_dir() else None
    step = pipeline.finish(start, where, folder, utc_now())
    _tell(start, where, step, drop_label=True)


def _is_labelled(start: Path, source: Source) -> bool:
    """Whether the label is there now; without a forge the command is the approval."""
    forge = find_forge(pipeline.settings_of(start, source).forge)
    if forge is None or source.pull_request is None:
        return True
    return APPROVAL_LABEL in forge.pull_request(source.pull_request).labels


def _tell(start: Path, source: Source, step: Step, *, drop_label: bool) -> None:
    """Say the same to the log, the job's summary and the pull request.

    Where nobody can write the comment, it is printed, for whoever takes it there.
    """
    report = step.report
    markdown = to_markdown(report)
    settings = pipeline.settings_of(start, source)
    forge = find_forge(settings.forge)
    actions.show(report.problems)
    actions.summarise(markdown)
    if forge is None or source.pull_request is None:
        emit(f"\n{markdown}\n")
    say(f"{report.state}: {report.reason or report.next_step}")
    if forge is not None and source.pull_request is not None:
        _tell_forge(forge, source.pull_request, step, markdown)
        if drop_label:
            forge.remove_label(source.pull_request, APPROVAL_LABEL)
    if not step.ok:
        raise click.exceptions.Exit(1)


def _tell_forge(forge: Forge, number: int, step: Step, markdown: str) -> None:
    report = step.report
    forge.comment_sticky(number, markdown)
    # Where an approval is void, the head that took its place waits for one; a head that is gone
    # keeps the status that it had.
    if (report.state != "void" or step.proposal is not None) and not step.keeps_status:
        forge.set_status(report.head, STATUS[report.state], report.reason or report.next_step)
