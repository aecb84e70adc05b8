"""Verbs that move submissions of ended phases out of a repository, and bring them back."""

from pathlib import Path

import click

from evaluator.core.cli.group import cli
from evaluator.core.clock import utc_now
from evaluator.core.errors import counted
from evaluator.core.log import say


@cli.command()
@click.argument("name", metavar="BENCHMARK/PHASE")
@click.option("--to", required=True, metavar="WHERE",
              help="A remote, its address, or a file that ends in .bundle.")  # fmt: skip
@click.option("--url", default="", help="Where others find the .bundle; --to writes it here.")
@click.pass_obj
def archive(start: Path, name: str, to: str, url: str) -> None:
    """Move the submissions of an ended phase to another repository, or into a git bundle.

    Their scores and their submission.yaml stay, and a pointer in archives/ that names each file
    by its digest: boards, records and plans are what they were. `run` and `reproduce` fetch what
    they evaluate from there. What is carried into a phase that has not ended stays.
    """
    from evaluator.plugins.archive.archiving import archive

    done = archive(start, utc_now(), name, to, url=url)
    for line in done.staying:
        say(f"stays: {line}")
    _report(len(done.submissions), "archived", done.committed.commit)


@cli.command()
@click.argument("names", nargs=-1, required=True)
@click.pass_obj
def restore(start: Path, names: tuple[str, ...]) -> None:
    """Bring archived submissions back: NAMES are ids, or what they begin with."""
    from evaluator.plugins.archive.archiving import restore

    done = restore(start, names)
    _report(len(done.submissions), "restored", done.committed.commit)


def _report(count: int, what: str, commit: str | None) -> None:
    say(
        f"{counted(count, 'submissions')} {what} in {commit[:12]}"
        if commit
        else f"nothing is to be {what}"
    )
