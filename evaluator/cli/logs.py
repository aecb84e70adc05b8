"""``pullbench log``: why a cell ended as it did."""

import os
from collections.abc import Mapping
from pathlib import Path

import click

from evaluator import pipeline
from evaluator.cli import shown
from evaluator.cli.group import cli
from evaluator.cli.main import at_option
from evaluator.errors import UsageError, nearest, printable
from evaluator.formats.bundle import Benchmark
from evaluator.formats.cell import CellId
from evaluator.formats.envelopes import IDENTITY_VARIABLE
from evaluator.formats.record import Record
from evaluator.log import say
from evaluator.planning.snapshot import Snapshot
from evaluator.scores.redaction import disclose, unhidden
from evaluator.scores.sealing import opened, opened_page


@cli.command()
@click.argument("cell")
@at_option
@click.option(
    "--from", "source", type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Read the records that `run --output` wrote below this folder.",
)  # fmt: skip
@click.option(
    "--page", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Write the detailed results of the one cell to FILE.",
)  # fmt: skip
@click.pass_obj
def log(start: Path, cell: str, at: str | None, source: Path | None, page: Path | None) -> None:
    """Show how CELL ended, with the logs of its steps as far as the organiser lets them be shown.

    A cell is named as `pullbench run` prints it; a leading part names all below it. Where
    PULLBENCH_IDENTITY holds the organisers' secret key, what is sealed is shown, too.
    """
    if source is not None and page is not None:
        raise click.UsageError(
            "with --from detailed results lie beside the record, if there are any"
        )
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
    if page is not None and len(cells) > 1:
        raise UsageError(f"'{printable(cell)}' names {len(cells)} cells", hint="Name one of them.")
    for one in sorted(cells):
        benchmark = taken.benchmarks.get(one.benchmark)
        known: Mapping[CellId, Record] = taken.records(one.benchmark) if handed is None else handed
        record = known.get(one)
        if benchmark is None or record is None:
            raise UsageError(
                f"{one.record_path} cannot be read", hint="`pullbench validate` says why."
            )
        record, benchmark = _opened(record, benchmark)
        shown.log(one, record, benchmark)
        if page is not None:
            _write_page(taken, record, benchmark, page)


def _opened(record: Record, benchmark: Benchmark) -> tuple[Record, Benchmark]:
    """Open a sealed record and all that hides it, where the environment has the key."""
    key = os.environ.get(IDENTITY_VARIABLE, "")
    if record.sealed is None or not key:
        return record, benchmark
    say(f"opened with {IDENTITY_VARIABLE}: not for the public")
    return opened(record, key), unhidden(benchmark)


def _write_page(taken: Snapshot, record: Record, benchmark: Benchmark, target: Path) -> None:
    if not disclose(record, benchmark).detailed_results:
        raise UsageError(f"{record.cell.id} has no detailed results that may be shown")
    plain, sealed = record.cell.id.page_paths
    files = taken.tree.read([path for path in (plain, sealed) if path in taken.tree.entries])
    content = files[plain] if plain in files else opened_page(files.get(sealed, b""), record)
    if content is None:
        raise UsageError(f"{sealed} is not what the record names")
    target.write_bytes(content)
