"""``pullbench log``: why a cell ended as it did."""

from collections.abc import Mapping
from pathlib import Path

import click

from evaluator import pipeline
from evaluator.cli import shown
from evaluator.cli.group import cli
from evaluator.cli.main import at_option
from evaluator.errors import UsageError, nearest, printable
from evaluator.formats.cell import CellId
from evaluator.formats.record import Record


@cli.command()
@click.argument("cell")
@at_option
@click.option(
    "--from", "source", type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Read the records that `run --output` wrote below this folder.",
)  # fmt: skip
@click.pass_obj
def log(start: Path, cell: str, at: str | None, source: Path | None) -> None:
    """Show how CELL ended, with the logs of its steps as far as the organiser lets them be shown.

    A cell is named as `pullbench run` prints it; a leading part names all below it.
    """
    taken = pipeline.snapshot(start, at)
    handed = pipeline.records_in(source) if source else None
    every = list(taken.record_files if handed is None else handed)
    name = cell.strip("/").removeprefix("submissions/")
    cells = [one for one in every if f"{one}/".startswith(f"{name}/")]
    if not cells:
        way = "`pullbench run` makes records; those that it wrote with --output are read with "
        close = nearest(name, map(str, every), "")
        raise UsageError(
            f"there is no record of '{printable(cell)}'",
            hint=f"{close}{close and ' '}{way}--from.",
        )
    for one in sorted(cells):
        benchmark = taken.benchmarks.get(one.benchmark)
        known: Mapping[CellId, Record] = taken.records(one.benchmark) if handed is None else handed
        record = known.get(one)
        if benchmark is None or record is None:
            raise UsageError(
                f"{one.record_path} cannot be read", hint="`pullbench validate` says why."
            )
        shown.log(one, record, benchmark)
