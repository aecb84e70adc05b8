"""Verbs for readers of results: boards, results as data, and what they say together."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluator.core.cli.group import cli
from evaluator.core.cli.options import at_option, json_option, phase_option, task_option
from evaluator.core.errors import UsageError, counted
from evaluator.core.log import complain, emit, emit_json, say

if TYPE_CHECKING:
    from evaluator.core.leaderboard.tables import Form


@cli.command()
@click.argument("benchmark")
@at_option
@phase_option
@task_option
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table",
)  # fmt: skip
@json_option
@click.option("--hidden", is_flag=True, help="Show what the organiser hides, too.")
@click.option(
    "--from", "source", is_flag=False, flag_value="", metavar="[DIR]",
    help="With the records that `run --output DIR` wrote; the last run's without DIR.",
)  # fmt: skip
@click.pass_obj
def leaderboard(
    start: Path,
    benchmark: str,
    at: str | None,
    phase: str | None,
    task: str | None,
    form: "Form",
    as_json: bool,
    hidden: bool,
    source: str | None,
) -> None:
    """Print the board of BENCHMARK, now or at any commit."""
    from evaluator.site.exports import board_json
    from evaluator.core.leaderboard import tables
    from evaluator.core.git.tree import open_repository
    from evaluator.core.leaderboard.select_board import leaderboard_at
    from evaluator.core.scores.opening import last_run

    folder = Path(source) if source else None
    if source == "":
        folder = last_run(Path(open_repository(start).working_tree_dir or start), benchmark)
    if source is not None and (folder is None or not folder.is_dir()):
        raise UsageError(
            f"there is no folder {folder}" if folder else f"no last run has records of {benchmark}",
            hint=f"`pullbench run {benchmark} --output build/try` writes some.",
        )
    board = leaderboard_at(
        start, benchmark, phase=phase, task=task, at=at, hidden=hidden, source=folder
    )
    if as_json or form == "json":
        emit_json(board_json.to_json(board))
    else:
        emit(tables.to_csv(board) if form == "csv" else tables.to_text(board))


@cli.command()
@click.argument("benchmark")
@json_option
@phase_option
@task_option
@click.option(
    "--format", "form", type=click.Choice(["table", "amlb"]), default="table",
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
@click.pass_obj
def results(
    start: Path,
    benchmark: str,
    as_json: bool,
    phase: str | None,
    task: str | None,
    form: str,
    folder: Path | None,
    reports: Path | None,
    at: str | None,
) -> None:
    """Print the results of BENCHMARK, as the site serves them below api/."""
    if form == "amlb":
        from evaluator.plugins.openml.exports.amlb_reports import report_tables
        from evaluator.plugins.openml.exports.amlb_results import (
            amlb_results,
            amlb_rows,
            stored_predictions,
        )
        from evaluator.plugins.openml.exchange.amlb_table import write_rows

        emit(write_rows(amlb_rows(start, benchmark, phase=phase, at=at)))
        if folder is not None:
            files = dict(stored_predictions(start, benchmark, phase=phase, at=at))
            for name, content in files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)
            complain(f"{folder}: {counted(len(files), 'files')} of predictions")
        if reports is not None:
            tables = report_tables(*amlb_results(start, benchmark, phase=phase, at=at))
            reports.mkdir(parents=True, exist_ok=True)
            for name, content in tables.items():
                (reports / name).write_bytes(content)
            complain(f"{reports}: {', '.join(tables)}")
        return
    if as_json:
        from evaluator.api import results

        data = results(start, benchmark, phase=phase, task=task, at=at)
        emit_json(json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False))
        return
    from evaluator.core.leaderboard.tables import to_text
    from evaluator.core.leaderboard.select_board import leaderboard_at

    emit(to_text(leaderboard_at(start, benchmark, phase=phase, task=task, at=at)))


@cli.command()
@click.argument("benchmark")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True,
    help="Folder for figures (SVG), their data (CSV), and all of it (analysis.json).",
)  # fmt: skip
@phase_option
@click.option(
    "--against", metavar="BENCHMARK[/PHASE]",
    help="Compare with this board, such as the same tasks with more time; other phases by default.",
)  # fmt: skip
@at_option
@json_option
@click.pass_obj
def analyze(
    start: Path,
    benchmark: str,
    out: Path,
    phase: str | None,
    against: str | None,
    at: str | None,
    as_json: bool,
) -> None:
    """Print which methods of BENCHMARK differ, over its tasks and repeats, and draw it.

    The same commit gives the same bytes.
    """
    from evaluator.plugins.insight.study_files import study_files
    from evaluator.plugins.insight.statistics.revision import analyse
    from evaluator.plugins.insight.statistics.sentences import findings

    study = analyse(start, benchmark, phase=phase, at=at, against=against)
    sentences, files = list(findings(study)), study_files(study)
    out.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (out / name).write_bytes(content)
    for sentence in sentences:
        say(sentence)
    say(f"{out}: {counted(len(files), 'files')}")
    if as_json:
        emit_json(files["analysis.json"].decode())
