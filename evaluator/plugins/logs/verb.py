"""The verb that shows how a cell ended."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from evaluator.core.cli.group import cli
from evaluator.core.cli.options import at_option, json_option
from evaluator.core.cli.shown import failure, numbers
from evaluator.core.errors import UsageError, printable
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.record import Record
from evaluator.core.log import emit_json, say
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.core.planning.typed_names import cell_name
from evaluator.core.scores.redaction import disclose
from evaluator.core.scores.uploads import last_run


@cli.command()
@click.argument("cell")
@at_option
@click.option(
    "--from", "source", type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Read the records that `run --output` wrote below this folder.",
)  # fmt: skip
@click.option(
    "--files", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
    help="Write the detailed results of the one cell to FOLDER.",
)  # fmt: skip
@json_option
@click.pass_obj
def log(
    start: Path, cell: str, at: str | None, source: Path | None, files: Path | None, as_json: bool
) -> None:
    """Show how CELL ended, with the logs of its steps as far as the organiser lets them be shown.

    A cell is named as `pullbench run` prints it; a leading part names all below it. Records of the
    last `run --output` come before those of the working tree. Where PULLBENCH_IDENTITY holds the
    organisers' secret key, what is sealed is shown, too.
    """
    # Loaded here, since it needs packages of ci, and `--help` lists every verb.
    from evaluator.importing.files import write_contents
    from evaluator.plugins.logs.records import find_records, shown_attachments

    if source is not None and files is not None:
        raise click.UsageError(
            "with --from detailed results lie beside the record, if there are any"
        )
    snapshot = load_snapshot(start, at)
    cell = cell_name(cell, start, snapshot.tree)
    if source is None and at is None and files is None:
        source = last_run(snapshot.tree.root, cell)
        if source is not None:
            say(f"from {source}, where what was run last is")
    records = find_records(snapshot, cell, source)
    if files is not None and len(records) > 1:
        raise UsageError(f"'{printable(cell)}' names {len(records)} cells", hint="Name one.")
    for record, benchmark, is_decrypted in records:
        if is_decrypted:
            say("opened with PULLBENCH_IDENTITY: not for the public")
        if not as_json:
            _print(record, benchmark)
        if files is not None:
            write_contents(files, shown_attachments(snapshot, record, benchmark))
    if as_json:
        emit_json(_as_json([(record, benchmark) for record, benchmark, _ in records]))


def _print(result: Record, benchmark: Benchmark) -> None:
    """Print the public part of a record: its outcome, its steps and their logs."""
    disclosure, cell = disclose(result, benchmark), result.cell
    if disclosure.status == "failed":
        say(failure(cell, disclosure))
    else:
        scores = f", {numbers(disclosure.scores)}" if disclosure.scores else ""
        say(f"{cell}: {disclosure.status}{scores}")
    for step in result.steps:
        if disclosure.wall_seconds is not None:
            memory = "" if step.peak_memory is None else f", {step.peak_memory / 2**20:,.0f} MiB"
            say(f"{step.step}: exit code {step.exit_code}, {step.wall_seconds:.2f} s{memory}")
        text = disclosure.logs.get(step.step)
        if text:
            say("\n".join(f"    | {line}" for line in text.splitlines()))
        else:
            say(f"    no log of this step {'was kept' if not step.log else 'is shown'}")
    if disclosure.attachments:
        say("detailed results: --files FOLDER writes them")
    if result.sealed is not None:
        say("the rest is sealed for the organisers: PULLBENCH_IDENTITY, their secret key, opens it")
    say(f"scores: {cell.scores_path}")


def _as_json(results: Sequence[tuple[Record, Benchmark]]) -> str:
    return json.dumps(
        [
            {"cell": str(result.cell), **asdict(disclose(result, benchmark))}
            for result, benchmark in results
        ],
        indent=2,
    )
