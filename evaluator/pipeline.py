"""The flow, one direction; every command is a walk along a part of it.

git tree -> snapshot -> plan -> run in containers -> record -> commit -> leaderboard -> site
"""

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from evaluator.errors import Problem
from evaluator.exports import tables
from evaluator.exports.amlb_results import amlb_rows, stored_predictions
from evaluator.exports.study_files import study_files
from evaluator.exports.tables import Form
from evaluator.formats.cell import CellId, is_score
from evaluator.formats.record import Record
from evaluator.formats.record_json import to_json
from evaluator.git.tree import open_repository, read_tree
from evaluator.importers.exchange.amlb_table import write_rows
from evaluator.leaderboard.board import Board
from evaluator.leaderboard.ranking import current_phase, leaderboard, leaderboard_at
from evaluator.planning.ledger import known_ledger
from evaluator.planning.ledger_history import author_name as git_author
from evaluator.planning.places import is_at
from evaluator.planning.plan import Plan, PlannedCell, make_plan
from evaluator.planning.plan import opened as newly_opened
from evaluator.planning.rules import check_tree
from evaluator.planning.snapshot import Snapshot, take_snapshot
from evaluator.pull_requests import (
    approve,
    finish,
    judge,
    judge_unopened,
    proposed,
    receive,
    settings_of,
    verdict,
)
from evaluator.pull_requests.alarm import find_overdue, overdue_markdown
from evaluator.scores.collecting import collect, commit, hand_in_folder, named_cells
from evaluator.scores.reproducing import Comparison, compare
from evaluator.scores.reproducing import sample as sample_cells
from evaluator.scores.runnable import EngineName, runnable, too_small
from evaluator.scores.running import BUILD, RunSummary, run
from evaluator.scores.validation import records_in
from evaluator.scores.withdraw import withdraw
from evaluator.statistics.revision import analyse as analyse_board
from evaluator.statistics.sentences import findings

__all__ = [
    "REPRODUCED",
    "EngineName", "Form", "RunSummary", "amlb_table", "analyse", "approve", "as_text",
    "author_name", "choose", "collect", "commit", "current_phase", "find_overdue", "finish",
    "hand_in_folder", "judge",
    "leaderboard", "leaderboard_at", "opened", "overdue_markdown", "plan", "proposed", "receive",
    "records_in", "reproduced", "run", "runnable", "sample", "settings_of", "snapshot",
    "stored_predictions",
    "too_small", "validate", "validate_here", "verdict", "withdraw",
]  # fmt: skip

REPRODUCED = f"{BUILD}/reproduced"
"""Where records of a reproduction go."""


def snapshot(
    start: Path, revision: str | None = None, *, only: str | None = None, kept: Path | None = None
) -> Snapshot:
    """Read the working tree, or a commit. Raises UsageError.

    ``kept`` is a folder where an earlier reading left what it read, and this one does.
    """
    return take_snapshot(read_tree(open_repository(start), revision), only=only, kept=kept)


def validate(taken: Snapshot, places: Collection[str] = ()) -> list[Problem]:
    """Everything that is wrong, or wrong at and below some paths, by file and line."""
    problems = [*taken.problems, *check_tree(taken)]
    return _sorted(
        problem
        for problem in problems
        if not places or any(is_at(problem.file, place) for place in places)
    )


def validate_here(
    taken: Snapshot, places: Sequence[str], actor: str | None, now: dt.datetime
) -> tuple[list[Problem], str]:
    """Validate, and judge as a pull request what this clone would propose.

    Returns the branch with which it is compared, too; empty where there is none.
    """
    unopened = judge_unopened(taken, places, actor, now)
    refused = {problem.file for problem in unopened.problems}
    # Of a record it is said that it has no place there; of other files, what is wrong with them.
    problems = [
        item
        for item in validate(taken, places)
        if not (is_score(item.file) and item.file in refused)
    ]
    known = {item.file for item in problems if item.severity == "error"}
    problems += [item for item in unopened.problems if item.file not in known]
    return _sorted(problems), unopened.base


def _sorted(problems: Iterable[Problem]) -> list[Problem]:
    return sorted(
        dict.fromkeys(problems),
        key=lambda problem: (problem.file, problem.line or 0, problem.key),
    )


def plan(taken: Snapshot, now: dt.datetime) -> Plan:
    """Find the cells that are missing or stale. Needs no Docker engine and no network."""
    repo = open_repository(taken.tree.root)
    return make_plan(taken, now, known_ledger(repo, taken.settings.ledger))


def choose(
    taken: Snapshot,
    now: dt.datetime,
    wanted: Sequence[str],
    *,
    fresh: bool,
    failed_only: bool = False,
    made: Plan | None = None,
) -> list[PlannedCell]:
    """Cells to evaluate: the plan's, or those asked for by name, or with ``fresh`` all of them.

    ``failed_only`` leaves out cells that have a record of success; ``made`` is the plan, where the
    caller has it already. What the plan refuses is tried only where somebody names it.
    """
    made = made or plan(taken, now)
    if not wanted and not fresh:
        return list(made.missing)
    names = wanted or sorted(taken.benchmarks)
    chosen = named_cells(taken, now, names, failed_only=failed_only, made=made)
    if fresh:
        return [item for item in chosen if wanted or item.state != "refused"]
    # A cell that is named exactly is run again; of what a leading part names, the missing.
    again = ("asked", "refused")
    return [item for item in chosen if item.state not in again or str(item.cell.id) in set(wanted)]


def author_name(start: Path) -> str:
    """Return who makes commits in this clone; empty where git does not know."""
    return git_author(open_repository(start))


def opened(
    taken: Snapshot, summary: RunSummary, now: dt.datetime
) -> tuple[Snapshot, list[PlannedCell]]:
    """Return the cells of data sets that a run's records accept."""
    files = {cell: to_json(record) for cell, record in summary.records.items()}
    return newly_opened(taken, files, now)


def as_text(board: Board, form: Form) -> str:
    """Print a board as a table, CSV or JSON."""
    return {"table": tables.to_text, "csv": tables.to_csv, "json": tables.to_json}[form](board)


def analyse(
    start: Path, benchmark: str, *, phase: str | None, at: str | None, against: str | None
) -> tuple[list[str], dict[str, bytes]]:
    """Return what a board's results say, in sentences and in files. Raises UsageError."""
    study = analyse_board(start, benchmark, phase=phase, at=at, against=against)
    return list(findings(study)), study_files(study)


def amlb_table(start: Path, benchmark: str, *, phase: str | None, at: str | None) -> str:
    """Return a board as results.csv of the AutoML Benchmark. Raises UsageError."""
    return write_rows(amlb_rows(start, benchmark, phase=phase, at=at))


def sample(taken: Snapshot, chosen: Sequence[PlannedCell], size: int) -> list[PlannedCell]:
    """Choose some recorded cells that are soon evaluated."""
    return sample_cells(taken, chosen, _committed(taken), size)


def reproduced(taken: Snapshot, summary: RunSummary) -> list[Comparison]:
    """Compare what a fresh run gave with the committed records."""
    return list(compare(_committed(taken), summary.records, taken.benchmarks))


def _committed(taken: Snapshot) -> dict[CellId, Record]:
    return {
        cell: record for name in taken.benchmarks for cell, record in taken.records(name).items()
    }
