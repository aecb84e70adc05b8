"""Verbs about the forge of a repository: what the workflows count on there."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluator.core.cli.group import cli
from evaluator.core.errors import GUIDES
from evaluator.core.log import complain, say

if TYPE_CHECKING:
    from evaluator.plugins.forge_setup.inspection import SetupCheck


@cli.group()
def github() -> None:
    """Set up the repository's forge: GitHub, or Gitea and Forgejo as far as they have the like."""


@github.command()
@click.option("--check", is_flag=True, help="Say what is missing, and change nothing.")
@click.option(
    "--app", metavar="NAME", default="",
    help="GitHub App that may push records to main; with it nothing is merged without the status.",
)  # fmt: skip
@click.option("--account", metavar="LOGIN", default="", help="Machine account, in place of --app.")
@click.pass_obj
def setup(start: Path, check: bool, app: str, account: str) -> None:
    """Set label, environments, Pages, rulesets and the rights of workflows, as they are missing.

    The token in PULLBENCH_TOKEN is yours; without one the address is printed that makes it. What
    you set besides stays. Exit code 1 where something is missing and was not set.
    """
    if app and account:
        raise click.UsageError("--app and --account exclude each other")
    from evaluator.plugins.forge_setup.inspection import inspect_forge

    left = 0
    for part in inspect_forge(start, app=app, account=account, send=not check):
        left += _report(part, done=not check)
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
