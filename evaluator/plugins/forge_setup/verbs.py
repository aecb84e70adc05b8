"""Verbs about the forge of a repository: what the workflows count on there."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluator.core.cli.group import cli
from evaluator.core.errors import GUIDES
from evaluator.core.log import complain, emit, say

if TYPE_CHECKING:
    from evaluator.plugins.forge_setup.inspection import SetupCheck


@cli.group()
def github() -> None:
    """Set up the repository's forge: GitHub, or Gitea and Forgejo as far as they have the like."""


@github.command()
@click.option("--check", is_flag=True, help="Say what is missing, and change nothing.")
@click.option("--dry-run", is_flag=True, help="Print the calls that would be made.")
@click.option(
    "--app", metavar="NAME", default="",
    help="GitHub App that may push records to main; with it nothing is merged without the status.",
)  # fmt: skip
@click.option("--account", metavar="LOGIN", default="", help="Machine account, in place of --app.")
@click.pass_obj
def setup(start: Path, check: bool, dry_run: bool, app: str, account: str) -> None:
    """Set label, environments, Pages, rulesets and the rights of workflows, as they are missing.

    The token in PULLBENCH_TOKEN is yours; without one the address is printed that makes it. What
    you set besides stays. Exit code 1 where something is missing and was not set.
    """
    if (check and dry_run) or (app and account):
        both = "--check and --dry-run" if check and dry_run else "--app and --account"
        raise click.UsageError(f"{both} exclude each other")
    from evaluator.plugins.forge_setup.inspection import inspect_forge

    send = not check and not dry_run
    left = 0
    for part in inspect_forge(start, app=app, account=account, send=send):
        if dry_run:
            _calls(part)
        else:
            left += _report(part, done=send)
        if part.error is not None:
            complain(f"error: {part.error}")
            left += 1
    if not app and not account:
        say("Without --app or --account whoever may write to the repository can merge past the "
            f"status: see *Protect main* in {GUIDES}/organisers/github.md.")  # fmt: skip
    if left:
        raise click.exceptions.Exit(1)


def _report(part: "SetupCheck", *, done: bool) -> int:
    left = 0
    for one in part.missing:
        is_set = done and one.request is not None and part.error is None
        left += not is_set
        say(f"{'set' if is_set else 'missing'}: {one.what}")
        if one.by_hand:
            say(f"  {one.by_hand}")
    if not part.missing and part.error is None:
        say(f"ok: {part.part}")
    return left


def _calls(part: "SetupCheck") -> None:
    for one in part.missing:
        if (request := one.request) is not None:
            emit(f"{request.method} {request.path or '.'} {json.dumps(request.body)}\n")
        if one.by_hand:
            say(f"# by hand: {one.what}. {one.by_hand}")
