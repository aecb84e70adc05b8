"""The verb that opens a pull request, and its steps as workflows call them."""

import functools
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evaluator.ci.cli.collection import base_branch, records_option
from evaluator.core.cli import actions
from evaluator.core.cli.group import Verbs, cli
from evaluator.core.cli.options import (
    actor_option,
    head_option,
    json_option,
    pull_request_option,
    remote_option,
)
from evaluator.core.clock import moment_text, utc_now
from evaluator.core.log import emit, emit_json, say
from evaluator.core.plugins import Contract


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--benchmark", required=True, help="Benchmark to enter.")
@click.option("--participant", help="Your login or team; git's user.name by default.")
@click.option("--name", help="Name of the submission; the folder's by default.")
@click.option("--remote", default="origin", show_default=True, help="Remote to push to.")
@click.option("--seal", is_flag=True, help="Encrypt it to the organisers, until the phase's date.")
@json_option
@click.pass_obj
def submit(
    start: Path, folder: Path, benchmark: str, participant: str | None, name: str | None,
    remote: str, seal: bool, as_json: bool,
) -> None:  # fmt: skip
    """Push FOLDER as a submission on a branch of its own and open the pull request.

    The forge's token is read from PULLBENCH_TOKEN, GITHUB_TOKEN or GH_TOKEN; without one the
    address to open is printed. Your working tree is not touched.
    """
    from evaluator.ci.steps.submit import submit

    done = submit(
        start, folder, benchmark=benchmark, participant=participant, name=name, remote=remote,
        seal=seal,
    )  # fmt: skip
    if as_json:
        emit_json(json.dumps(asdict(done), indent=2))
        return
    say(f"pushed {done.commit[:12]} to {done.branch} at {remote}")
    if done.opened:
        say(f"opened {done.address}")
    elif done.address:
        say(f"open the pull request at {done.address}")
    else:
        say("open the pull request on your forge")


if TYPE_CHECKING:
    from evaluator.ci.opened.heads import PullRequestRef
    from evaluator.ci.opened.pull_request import PullRequest
    from evaluator.ci.steps.reports import StepResult


base_option = click.option(
    "--base", envvar="PULLBENCH_BASE", default="main", show_default=True,
    help="Branch that it goes to, or a commit of it.",
)  # fmt: skip

event_option = click.option(
    "--event", envvar="GITHUB_EVENT_PATH", required=True, metavar="FILE",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The forge's event of the comment or the issue, as JSON.",
)  # fmt: skip


def with_pull_request(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say which pull request, as its ``ref``."""

    def with_pull_request(
        start: Path,
        base: str,
        head: str | None,
        remote: str | None,
        pull_request: int | None,
        **options: Any,
    ) -> None:
        from evaluator.ci.opened.heads import PullRequestRef, ask_forge

        ref = PullRequestRef(base=base, head=head or "", remote=remote, number=pull_request)
        if not head:
            answer = ask_forge(start, ref)
            if answer is None:  # since the queue woke it
                say(f"pull request {pull_request} is closed: there is nothing to do")
                return
            ref, author = answer
            options |= {"actor": options["actor"] or author} if "actor" in options else {}
        command(start, ref, **options)

    functools.update_wrapper(with_pull_request, command)
    decorated: Callable[..., None] = click.pass_obj(with_pull_request)
    for option in (pull_request_option, remote_option, head_option, base_option):
        decorated = option(decorated)
    return decorated


class _Steps(Verbs):
    contract = Contract[click.Command]("pr_verbs")


@cli.group(cls=_Steps)
def pr() -> None:
    """Take the next step of a pull request, or answer a comment on it.

    Without --head, a step asks the forge for it; that needs a token and --pull-request.

    Each writes the sticky comment, the commit status, the job's summary and its outputs. Without
    a forge's token they print the comment and keep the ledger, so that they work on any
    repository.
    """


@pr.command()
@with_pull_request
@actor_option
def receive(start: Path, ref: "PullRequestRef", actor: str) -> None:
    """Note that content came, judge it, and void what was approved before it moved.

    Outputs: `head`; and `next`, the step that CI takes next: `approve`, `screen` or none.
    """
    from evaluator.ci.steps.receive import receive

    step = receive(_open(start, ref, drop_label=True), actor)
    _report(start, ref, step, drop_label=not step.is_first)
    actions.set_outputs({"next": step.next, "head": step.report.head})


@pr.command()
@with_pull_request
@actor_option
@click.option(
    "--approver",
    envvar="PULLBENCH_APPROVER",
    help="Login that set the label; by default, that of the comment, or else the policy approves.",
)
@click.option("--verdicts", type=click.Path(path_type=Path, file_okay=False),
              help="Folder of `pr screen --output`, if there is one.")  # fmt: skip
def approve(
    start: Path, ref: "PullRequestRef", actor: str, approver: str | None, verdicts: Path | None
) -> None:
    """Bind an approval to the head's tree, and plan its cells.

    Outputs: `matrix` and `count`, `score` (cells that are scored with encrypted data), `predicted`
    (those whose programs run before, by job), `base` (the commit that it was planned on), `head`
    and `tree`.
    """
    from evaluator.ci.ledger.queues import job_outputs
    from evaluator.ci.steps.approve import approve

    pull = _open(start, ref, drop_label=bool(approver))
    step = approve(pull, actor, approver, verdicts=verdicts)
    _report(start, ref, step, drop_label=bool(approver))
    if step.pull is not None:  # after the comment: jobs begin where these are set
        actions.set_outputs(
            {
                **job_outputs(step.planned, step.pull.before.settings),
                "base": step.pull.base,
                "head": step.pull.head,
                "tree": step.pull.tree,
            }
        )


@pr.command()
@event_option
@base_option
@remote_option
@click.pass_obj
def comment(start: Path, event: Path, base: str, remote: str | None) -> None:
    """Do what a comment on a pull request asks for, and answer it.

    Its first line has to be /evaluate, /retry, /withdraw or /log CELL; nothing else is answered.
    """
    from evaluator.ci.opened.heads import PullRequestRef
    from evaluator.ci.steps.commands import answer_comment

    ref = PullRequestRef(base=base, head="", remote=remote)
    say(answer_comment(start, ref, event.read_bytes(), utc_now()))


@pr.command()
@with_pull_request
@records_option
def finish(start: Path, ref: "PullRequestRef", source: Path | None) -> None:
    """Check records against the plan, keep them, and show the board as it would be.

    If a policy asks for it, this merges the pull request, with PULLBENCH_MERGE_TOKEN.
    """
    from evaluator.ci.steps.finish import finish
    from evaluator.ci.steps.merge import merge

    folder = source if source and source.is_dir() else None
    step = finish(_open(start, ref), folder)
    _report(start, ref, step)
    ended = merge(step, utc_now())
    if ended is not None and ended.report != step.report:
        _report(start, ref, ended)


@pr.command()
@remote_option
@click.option("--most", type=click.IntRange(1, 256), default=20, show_default=True,
              help="Most pull requests of this call.")  # fmt: skip
@click.pass_obj
def queue(start: Path, remote: str | None, most: int) -> None:
    """Start the pull requests that waited and can go on now, the oldest first.

    Each starts the workflow evaluate.yml. Without a forge's token it only prints them.
    """
    from evaluator.ci.policy.queue import read_queue
    from evaluator.ci.steps.reports import APPROVAL_LABEL, RUN_NAME, WORKFLOW

    branch = base_branch(start)
    waiting, forge = read_queue(start, utc_now(), branch=branch, remote=remote)
    running = forge.running(WORKFLOW, RUN_NAME) if forge and waiting.approved else None
    for number in waiting.ready(running)[:most]:
        if forge is not None:
            if forge.pull_request(number).has_label(APPROVAL_LABEL):
                continue  # its run waits; a start would take its place
            inputs = {"pull_request": str(number)}
            forge.dispatch(WORKFLOW, branch, inputs, f"{RUN_NAME}{number}")
        say(f"#{number} goes on")


@pr.command(name="list")
@remote_option
@json_option
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write the JSON to FILE, for `pullbench site --queue FILE`.")  # fmt: skip
@click.pass_obj
def list_waiting(start: Path, remote: str | None, as_json: bool, output: Path | None) -> None:
    """List what waits for a person and why, what is spent, and what policies did in 24 hours."""
    import msgspec

    from evaluator.ci.policy.queue import read_queue

    waiting, _ = read_queue(start, utc_now(), branch=base_branch(start), remote=remote)
    report = waiting.report()
    if report.stopped:
        say(f"stopped: {report.stopped}")
    for one in report.people:
        say(f"#{one.pull_request} waits since {moment_text(one.since)}: {one.reason}")
    for spent in report.budgets:
        say(f"{spent.benchmark}: {spent.minutes:,.1f} of {spent.minutes_limit or 'any'} minutes")
    for shown in report.shown:
        precision = "with all digits" if shown.bits is None else f"{shown.bits:,.0f} bits at most"
        say(
            f"{shown.benchmark}, {shown.phase}: {shown.scores:,} scores of hidden labels were "
            f"shown ({precision}), {shown.most:,} of them to one participant"
            f"{'' if shown.gain is None else f', whom a vote gains {100 * shown.gain:.1f} points'}"
        )
    say(
        f"in 24 hours: {report.approved} approved and {report.merged} merged by policy; "
        f"{report.refused} wait for their participants, {report.waiting} go on by themselves"
    )
    text = msgspec.json.format(msgspec.json.encode(report), indent=2).decode()
    if as_json:
        emit_json(text)
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")


def _open(start: Path, ref: "PullRequestRef", *, drop_label: bool = False) -> "PullRequest":
    """Open a pull request for a step; where that cannot be, report why and exit with 1."""
    from evaluator.ci.steps.reports import StepResult, open_for_step

    opened = open_for_step(start, ref, utc_now())
    if isinstance(opened, StepResult):
        _report(start, ref, opened, drop_label=drop_label)
        raise click.exceptions.Exit(1)
    return opened


def _report(
    start: Path, ref: "PullRequestRef", step: "StepResult", *, drop_label: bool = False
) -> None:
    """Print the same to log, summary and pull request; the comment, if there is no forge."""
    from evaluator.ci.steps.comment import to_markdown
    from evaluator.ci.steps.reports import announce

    report, markdown = step.report, to_markdown(step.report)
    actions.show(report.problems)
    actions.summarise(markdown)
    say(f"{report.state}: {report.reason or report.next_step}")
    if not announce(start, ref, step, markdown, drop_label=drop_label):
        emit(f"\n{markdown}\n")
    if not step.ok:
        raise click.exceptions.Exit(1)
