"""``pullbench log``: why a cell ended as it did."""

from pathlib import Path

import click

from evaluator import pipeline
from evaluator.cli import shown
from evaluator.cli.group import cli
from evaluator.cli.main import at_option
from evaluator.errors import UsageError, nearest, printable


@cli.command()
@click.argument("cell")
@at_option
@click.pass_obj
def log(start: Path, cell: str, at: str | None) -> None:
    """Show how CELL ended, with the logs of its steps as far as the organiser lets them be shown.

    A cell is named as `pullbench run` prints it; a leading part names all below it.
    """
    taken = pipeline.snapshot(start, at)
    name = cell.strip("/").removeprefix("submissions/")
    cells = [one for one in taken.record_files if f"{one}/".startswith(f"{name}/")]
    if not cells:
        names = [str(one) for one in taken.record_files]
        raise UsageError(
            f"there is no record of '{printable(cell)}'",
            hint=nearest(name, names, "`pullbench run` makes records."),
        )
    for one in sorted(cells):
        benchmark = taken.benchmarks.get(one.benchmark)
        record = taken.records(one.benchmark).get(one)
        if benchmark is None or record is None:
            raise UsageError(
                f"{one.record_path} cannot be read", hint="`pullbench validate` says why."
            )
        shown.log(one, record, benchmark)
