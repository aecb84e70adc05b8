"""The verb that opens a pull request, and its steps as workflows call them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evaluator.core.cli import actions
from evaluator.core.cli.group import cli
from evaluator.core.cli.options import (
    actor_option,
    head_option,
    json_option,
    pull_request_option,
    records_option,
    remote_option,
)
from evaluator.core.clock import utc_now
from evaluator.core.log import emit, emit_json, say


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--benchmark", required=True, help="Benchmark to enter.")
@click.option("--participant", help="Your login or team; git's user.name by default.")
@click.option("--name", help="Name of the submission; the folder's by default.")
@click.option("--remote", default="origin", show_default=True, help="Remote to push to.")
@click.option("--base", default="main", show_default=True, help="Branch to enter.")
@json_option
@click.pass_obj
def submit(
    start: Path,
    folder: Path,
    benchmark: str,
    participant: str | None,
    name: str | None,
    remote: str,
    base: str,
    as_json: bool,
) -> None:
    """Push FOLDER as a submission on a branch of its own and open the pull request.

    The forge's token is read from PULLBENCH_TOKEN, GITHUB_TOKEN or GH_TOKEN; without one the
    address to open is printed. Your working tree is not touched.
    """
    from evaluator.ci.pull_requests.submit import submit

    done = submit(
        start, folder, benchmark=benchmark, participant=participant, name=name, remote=remote,
        base=base,
    )  # fmt: skip
    if as_json:
        data = {"branch": done.branch, "commit": done.commit, "opened": done.opened,
                "address": done.address}  # fmt: skip
        emit_json(json.dumps(data, indent=2))
        return
    say(f"pushed {done.commit[:12]} to {done.branch} at {remote}")
    if done.opened:
        say(f"opened {done.address}")
    elif done.address:
        say(f"open the pull request at {done.address}")
    else:
        say("open the pull request on your forge")


if TYPE_CHECKING:
    from evaluator.ci.pull_requests import Step
    from evaluator.ci.pull_requests.heads import Source


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
    from evaluator.ci.pull_requests import receive
    from evaluator.ci.pull_requests.heads import Source

    source = Source(base=base, head=head, remote=remote or None, pull_request=pull_request)
    step = receive(start, source, actor, utc_now())
    _report(start, source, step, drop_label=not step.is_first)


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
    from evaluator.ci.pull_requests import approve
    from evaluator.ci.pull_requests.heads import Source
    from evaluator.core.planning.queues import to_matrix

    source = Source(base=base, head=head, remote=remote or None, pull_request=pull_request)
    step = approve(start, source, actor, approver, utc_now(), labelled=None)
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
    _report(start, source, step, drop_label=False)


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
    from evaluator.ci.pull_requests import finish
    from evaluator.ci.pull_requests.heads import Source

    where = Source(base=base, head=head, remote=remote or None, pull_request=pull_request)
    folder = source if source and source.is_dir() else None
    step = finish(start, where, folder, utc_now())
    _report(start, where, step, drop_label=False)


def _report(start: Path, source: "Source", step: "Step", *, drop_label: bool) -> None:
    """Print the same to the log, the job's summary and the pull request.

    Without a forge to write it to, the comment is printed.
    """
    from evaluator.ci.pull_requests.announce import announce
    from evaluator.ci.pull_requests.comment import to_markdown

    report, markdown = step.report, to_markdown(step.report)
    actions.show(report.problems)
    actions.summarise(markdown)
    say(f"{report.state}: {report.reason or report.next_step}")
    if not announce(start, source, step, drop_label=drop_label):
        emit(f"\n{markdown}\n")
    if not step.ok:
        raise click.exceptions.Exit(1)
