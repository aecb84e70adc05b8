"""scores -> leaderboard, and what its results say."""

import datetime as dt
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.exports.board_json_form import BoardData
    from evaluator.exports.tables import Form
    from evaluator.formats.cell import Place
    from evaluator.leaderboard.board import Board
    from evaluator.planning.snapshot import Snapshot


def leaderboard(
    snapshot: "Snapshot", benchmark: str, *, phase: str | None, task: str | None, now: dt.datetime
) -> "Board":
    """Rank one phase of a benchmark, with all that the organiser hides. Raises UsageError."""
    from evaluator.leaderboard.select_board import leaderboard

    return leaderboard(snapshot, benchmark, phase=phase, task=task, now=now)


def leaderboard_at(
    start: Path,
    benchmark: str,
    *,
    phase: str | None,
    task: str | None,
    at: str | None,
    hidden: bool = False,
    source: Path | None = None,
) -> "Board":
    """Rank one phase in the working tree, or at a revision, as it is published.

    ``hidden`` returns what the organiser hides, too; ``source`` is a folder with more records.
    """
    from evaluator.leaderboard.select_board import leaderboard_at

    return leaderboard_at(
        start, benchmark, phase=phase, task=task, at=at, hidden=hidden, source=source
    )


def standings(start: Path, places: Iterable["Place"], source: Path | None = None) -> list[str]:
    """Say which rank submissions have in the working tree; nothing of hidden boards.

    With the records below ``source`` it is the rank that they would have.
    """
    from evaluator.leaderboard.labels import scored

    submissions = {
        (place.benchmark, place.phase, place.participant, place.submission) for place in places
    }
    said = []
    for benchmark, phase in sorted({one[:2] for one in submissions}):
        board = leaderboard_at(start, benchmark, phase=phase, task=None, at=None, source=source)
        ranked = [] if board.benchmark.leaderboard.hidden else board.ranked
        said += [
            f"{row.submission.id}: {'would be ' if source else ''}rank {row.rank} of {len(ranked)} "
            f"on the board of {board.phase.name}"
            + (f", {value}" if (value := scored(row, board)) else "")
            for row in ranked
            if (benchmark, phase, row.submission.participant, row.submission.name) in submissions
        ]
    return said


def as_text(board: "Board", form: "Form") -> str:
    """Print a board as a table, CSV or JSON."""
    from evaluator.exports import tables

    return {"table": tables.to_text, "csv": tables.to_csv, "json": tables.to_json}[form](board)


def results(
    start: Path, benchmark: str, *, phase: str | None, task: str | None, at: str | None
) -> "BoardData":
    """Return a published board as the site serves it below ``api/``. Raises UsageError."""
    from evaluator.exports.board_json import to_data

    return to_data(leaderboard_at(start, benchmark, phase=phase, task=task, at=at))


def analyse(
    start: Path, benchmark: str, *, phase: str | None, at: str | None, against: str | None
) -> tuple[list[str], dict[str, bytes]]:
    """Return what a board's results say, in sentences and in files. Raises UsageError."""
    from evaluator.exports.study_files import study_files
    from evaluator.statistics.revision import analyse
    from evaluator.statistics.sentences import findings

    study = analyse(start, benchmark, phase=phase, at=at, against=against)
    return list(findings(study)), study_files(study)


def amlb_table(start: Path, benchmark: str, *, phase: str | None, at: str | None) -> str:
    """Return a board as results.csv of the AutoML Benchmark. Raises UsageError."""
    from evaluator.exports.amlb_results import amlb_rows
    from evaluator.importers.exchange.amlb_table import write_rows

    return write_rows(amlb_rows(start, benchmark, phase=phase, at=at))


def amlb_reports(
    start: Path, benchmark: str, *, phase: str | None, at: str | None
) -> Mapping[str, bytes]:
    """Return a board as the tables of AMLB's reports, by name. Raises UsageError."""
    from evaluator.exports.amlb_reports import report_tables
    from evaluator.exports.amlb_results import amlb_results

    return report_tables(*amlb_results(start, benchmark, phase=phase, at=at))


def stored_predictions(
    start: Path, benchmark: str, *, phase: str | None, at: str | None
) -> Mapping[str, bytes]:
    """Return the predictions that this machine has stored, by path. Raises UsageError."""
    from evaluator.exports.amlb_results import stored_predictions

    return dict(stored_predictions(start, benchmark, phase=phase, at=at))
