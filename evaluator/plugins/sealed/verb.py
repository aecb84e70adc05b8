"""``pullbench unseal``: opens the entries whose date has come."""

import tempfile
from pathlib import Path

import click

from evaluator.ci.cli.collection import base_branch
from evaluator.core.cli import actions
from evaluator.core.cli.group import cli
from evaluator.core.cli.options import remote_option
from evaluator.core.clock import utc_now
from evaluator.core.log import complain, say


@cli.command()
@click.option("--output", type=click.Path(path_type=Path, file_okay=False),
              help="Decrypt into this folder, and commit nothing.")  # fmt: skip
@click.option("--from", "source", type=click.Path(path_type=Path, file_okay=False),
              help="Commit what --output wrote on another machine; it needs no key.")  # fmt: skip
@remote_option
@click.pass_obj
def unseal(start: Path, output: Path | None, source: Path | None, remote: str | None) -> None:
    """Open the sealed entries whose date has come, as plain files in one commit.

    Scores stay as they are. Entries that were withdrawn or never scored stay closed. What cannot be
    opened is named, and then the exit code is 1.
    """
    from evaluator.core.planning.snapshot import load_snapshot
    from evaluator.plugins.sealed.opening import commit_due, decrypt_due

    closed: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        if source is None:
            closed = decrypt_due(load_snapshot(start, "HEAD"), utc_now(), output or Path(scratch))
        if output is None:
            branch = base_branch(start)
            done = commit_due(start, source or Path(scratch), utc_now(), branch, remote)
            say(f"opened in {done.commit[:12]}" if done.commit else "nothing to open")
    for reason in closed:
        complain(reason)
        actions.summarise(f"Stays closed: {reason}")
    if closed:
        raise click.exceptions.Exit(1)
