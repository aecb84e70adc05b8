"""Verbs of forms: one for organisers, and two that a workflow calls for each issue."""

from pathlib import Path

import click

from evaluator.ci.cli.pulls import base_option, event_option
from evaluator.core.cli.group import cli
from evaluator.core.cli.options import remote_option
from evaluator.core.clock import utc_now
from evaluator.core.log import say

_file = click.Path(path_type=Path, dir_okay=False)


@cli.command()
@click.pass_obj
def forms(start: Path) -> None:
    """Write the issue forms of benchmarks that have `form`, as their bundles ask now.

    With such a form people enter on GitHub without git. `pullbench validate` says when a form has
    to be written again.
    """
    from evaluator.plugins.forms.issue_form import write_forms

    written = write_forms(start)
    for path in written:
        say(path)
    say("Commit them." if written else "nothing to write")


@click.command()
@event_option
@base_option
@remote_option
@click.option("--output", required=True, type=_file, help="What is in it, for `pr enter --from`.")
@click.pass_obj
def download(start: Path, event: Path, base: str, remote: str | None, output: Path) -> None:
    """Fetch the file that somebody dropped into an issue form, and unpack it.

    It needs no token, and nothing that may be written.
    """
    import msgspec

    from evaluator.ci.opened.heads import PullRequestRef
    from evaluator.plugins.forms.entering import drop

    ref = PullRequestRef(base=base, head="", remote=remote)
    dropped = drop(start, ref, event.read_bytes())
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_bytes(msgspec.json.encode(dropped))
    say(f"{len(dropped.files)} files, SHA-256 {dropped.sha256 or 'of none'}")


@click.command()
@event_option
@base_option
@remote_option
@click.option("--from", "source", required=True, help="What `pr download` wrote.",
              type=click.Path(path_type=Path, exists=True, dir_okay=False))  # fmt: skip
@click.pass_obj
def enter(start: Path, event: Path, base: str, remote: str | None, source: Path) -> None:
    """Open the pull request that an issue form asks for, or answer on the issue why not.

    Whose entry it is says the account that wrote the issue, and no text of it.
    """
    from evaluator.ci.opened.heads import PullRequestRef
    from evaluator.plugins.forms import entering

    ref = PullRequestRef(base=base, head="", remote=remote)
    dropped = entering.read_dropped(source.read_bytes())
    say(entering.enter(start, ref, event.read_bytes(), dropped, utc_now()))
