"""The verb that writes the forms."""

from pathlib import Path

import click

from evaluator.core.cli.group import cli
from evaluator.core.log import say


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
