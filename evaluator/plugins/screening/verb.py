"""``pullbench pr screen``: runs the screens of benchmarks, in a job without rights."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluator.ci.cli.pulls import with_pull_request
from evaluator.core.clock import utc_now
from evaluator.core.log import say

if TYPE_CHECKING:
    from evaluator.ci.opened.heads import PullRequestRef


@click.command()
@with_pull_request
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the verdicts, for `pr approve --verdicts`.",
)
def screen(start: Path, ref: "PullRequestRef", output: Path) -> None:
    """Let the benchmark's screen read the entry as data, in a container of its own."""
    from evaluator.ci.opened.pull_request import open_pull_request
    from evaluator.core.git.tree import open_repository
    from evaluator.plugins.screening.screening import screen

    for note in screen(open_pull_request(open_repository(start), ref, utc_now()), output):
        say(f"{note.submission}: {note.verdict} {note.reason}".rstrip())
