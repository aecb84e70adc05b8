"""Results of a board, also in the forms of the AutoML Benchmark."""

import json
from pathlib import Path

import click

from evaluator.core.cli.group import cli
from evaluator.core.cli.options import (
    at_option,
    hidden_option,
    json_option,
    phase_option,
    task_option,
)
from evaluator.core.errors import UsageError, counted
from evaluator.core.log import complain, emit, emit_json


@cli.command()
@click.argument("benchmark")
@json_option
@phase_option
@task_option
@click.option(
    "--format", "table_format", type=click.Choice(["table", "amlb"]), default="table",
    help="amlb: results.csv of the AutoML Benchmark, a row for each fold.",
)  # fmt: skip
@click.option(
    "--predictions", "folder", type=click.Path(path_type=Path, file_okay=False),
    help="With --format amlb: write the predictions that this machine has stored there, too.",
)  # fmt: skip
@click.option(
    "--reports", type=click.Path(path_type=Path, file_okay=False),
    help="With --format amlb: write the tables of AMLB's reports there, such as folds_leaderboard.",
)  # fmt: skip
@at_option
@hidden_option
@click.pass_obj
def results(
    start: Path,
    benchmark: str,
    as_json: bool,
    phase: str | None,
    task: str | None,
    table_format: str,
    folder: Path | None,
    reports: Path | None,
    at: str | None,
    hidden: bool,
) -> None:
    """Print the results of BENCHMARK, as the site serves them below api/."""
    if table_format == "amlb":
        if hidden:
            raise UsageError("--format amlb has public results alone, and no --hidden")
        from evaluator.importing.files import write_contents
        from evaluator.plugins.openml.exchange.amlb_table import write_rows
        from evaluator.plugins.openml.exports.amlb_reports import report_tables
        from evaluator.plugins.openml.exports.amlb_results import amlb_results, stored_predictions

        rows, ends = amlb_results(start, benchmark, phase=phase, at=at)
        emit(write_rows(rows))
        if folder is not None:
            files = dict(stored_predictions(start, benchmark, phase=phase, at=at))
            write_contents(folder, files)
            complain(f"{folder}: {counted(len(files), 'files')} of predictions")
        if reports is not None:
            tables = report_tables(rows, ends)
            write_contents(reports, tables)
            complain(f"{reports}: {', '.join(tables)}")
        return
    if as_json:
        from evaluator.api import results

        data = results(start, benchmark, phase=phase, task=task, at=at, hidden=hidden)
        emit_json(json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False))
        return
    from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
    from evaluator.core.leaderboard.tables import to_text

    board = leaderboard_at(start, benchmark, phase=phase, task=task, at=at, hidden=hidden)
    emit(to_text(board))
