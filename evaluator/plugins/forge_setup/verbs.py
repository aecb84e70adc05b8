"""Verbs about the forge of a repository: what the workflows count on there."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluator.core.cli.group import cli
from evaluator.core.errors import GUIDES, UsageError
from evaluator.core.log import complain, emit, say

if TYPE_CHECKING:
    from evaluator.plugins.forge_setup.inspection import Checked
    from evaluator.plugins.forge_setup.wanted import Request


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


def inspect_forge(start: Path, *, app: str, account: str, send: bool) -> Iterator["Checked"]:
    """Check what the workflows need of the forge, and with ``send`` set what is missing.

    Raises UsageError without a token or an address, ForgeError, PlatformError.
    """
    from evaluator.ci.forge.repository import STATUS_CONTEXT, TOKEN_VARIABLES, find_forge
    from evaluator.ci.pull_requests.reports import APPROVAL_LABEL
    from evaluator.core.git.tree import open_repository, read_tree
    from evaluator.core.planning.snapshot import read_settings
    from evaluator.plugins.forge_setup.inspection import inspect
    from evaluator.plugins.forge_setup.token import token_address
    from evaluator.plugins.forge_setup.wanted import Wanted

    settings = read_settings(read_tree(open_repository(start), None))
    forge = find_forge(settings.forge)
    if forge is None:
        raise UsageError(
            f"there is no token to ask the forge with, in {' or '.join(TOKEN_VARIABLES)}",
            hint=f"Make one, for a day, at {token_address(settings.forge)}",
        )
    wanted = Wanted(
        branch=settings.branch, ledger=settings.ledger, label=APPROVAL_LABEL,
        status=STATUS_CONTEXT, organisers=tuple(settings.organisers),
        is_sealed=bool(settings.seal), app=app, account=account,
    )  # fmt: skip
    return inspect(forge, wanted, send=send)


def _report(part: "Checked", *, done: bool) -> int:
    """Print what became of one part; returns how many things of it are left."""
    left = 0
    for one in part.missing:
        is_set = done and bool(one.requests) and part.error is None
        left += not is_set
        say(f"{'set' if is_set else 'missing'}: {one.what}")
        if one.by_hand:
            say(f"  {one.by_hand}")
    if not part.missing and part.error is None:
        say(f"ok: {part.part}")
    return left


def _calls(part: "Checked") -> None:
    for one in part.missing:
        for request in one.requests:
            emit(f"{_call(request)}\n")
        if one.by_hand:
            say(f"# by hand: {one.what}. {one.by_hand}")


def _call(request: "Request") -> str:
    return f"{request.method} {request.path or '.'} {json.dumps(request.body)}"
