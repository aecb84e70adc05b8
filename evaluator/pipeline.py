"""The flow, one direction; every command is a walk along a part of it.

git tree -> snapshot -> plan -> run in containers -> record -> commit -> leaderboard -> site
"""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

from evaluator.board import tables
from evaluator.board.leaderboard import Board, make_board
from evaluator.board.tables import Form
from evaluator.clock import utc_now
from evaluator.collecting import commit
from evaluator.errors import InvalidInputError, Problem, UsageError
from evaluator.formats.bundle import Benchmark, Phase
from evaluator.formats.cell import CellId
from evaluator.planning.entries import entries
from evaluator.planning.plan import Plan, PlannedCell, ask_again, cells, make_plan
from evaluator.planning.rules import check_tree
from evaluator.planning.snapshot import Snapshot, take_snapshot
from evaluator.planning.tree import open_repository, read_tree
from evaluator.reproducing import Comparison, compare
from evaluator.running import BUILD, EngineName, RunSummary, run

__all__ = [
    "REPRODUCED",
    "EngineName", "Form", "RunSummary", "as_text", "choose", "commit", "leaderboard",
    "leaderboard_at", "plan", "reproduced",
    "run", "snapshot", "validate",
]  # fmt: skip

REPRODUCED = f"{BUILD}/reproduced"
"""Where records of a reproduction go."""


def snapshot(start: Path, revision: str | None = None, *, only: str | None = None) -> Snapshot:
    """Read the working tree, or a commit. Raises UsageError."""
    return take_snapshot(read_tree(open_repository(start), revision), only=only)


def validate(taken: Snapshot, prefix: str = "") -> list[Problem]:
    """Everything that is wrong below a path, in the order of files and lines."""
    problems = [*taken.problems, *check_tree(taken)]
    wanted = prefix.strip("/")
    return sorted(
        (
            problem
            for problem in dict.fromkeys(problems)
            if not wanted or problem.file == wanted or problem.file.startswith(f"{wanted}/")
        ),
        key=lambda problem: (problem.file, problem.line or 0, problem.key),
    )


def plan(taken: Snapshot, now: dt.datetime) -> Plan:
    """Find the cells that are missing or stale. Needs no Docker engine."""
    return make_plan(taken, now)


def choose(
    taken: Snapshot, now: dt.datetime, wanted: Sequence[str], *, fresh: bool
) -> list[PlannedCell]:
    """Cells to evaluate: the plan's, or those asked for by name, or with ``fresh`` all of them."""
    made = make_plan(taken, now)
    if fresh and not wanted:
        wanted = sorted(taken.benchmarks)
    if not wanted:
        return list(made.missing)
    chosen, unknown = ask_again(made, taken, wanted, now)
    unknown = [name for name in unknown if name not in taken.benchmarks]
    if unknown:
        raise UsageError(
            f"there is no cell called {', '.join(map(repr, unknown))}",
            hint="`pullbench plan --all` lists them; a leading part names all below it.",
        )
    if fresh:
        return chosen
    # A cell that is named exactly is run again; of what a leading part names, the missing.
    return [item for item in chosen if item.state != "asked" or str(item.cell.id) in set(wanted)]


def leaderboard(
    taken: Snapshot, benchmark: str, *, phase: str | None, task: str | None, now: dt.datetime
) -> Board:
    """Rank one phase of a benchmark: the last one begun, where none is named."""
    found = taken.benchmarks.get(benchmark)
    if found is None:
        if taken.problems:
            raise InvalidInputError(p for p in taken.problems if p.severity == "error")
        raise UsageError(f"there is no benchmark '{benchmark}'", hint="See `pullbench validate`.")
    chosen = found.phase(phase) if phase else current_phase(found, now)
    if chosen is None:
        names = ", ".join(item.slug for item in found.phases)
        raise UsageError(f"there is no phase '{phase}'", hint=f"Phases are: {names}.")
    wanted = next((t for t in chosen.tasks if task in (t.slug, t.name)), None)
    if task is not None and wanted is None:
        names = ", ".join(item.slug for item in chosen.tasks)
        raise UsageError(f"there is no task '{task}'", hint=f"Tasks are: {names}.")
    return make_board(
        found, chosen, list(entries(taken, now)), taken.records(benchmark),
        stale=stale_cells(taken, now), task=wanted, commit=taken.tree.commit,
    )  # fmt: skip


def leaderboard_at(
    start: Path, benchmark: str, *, phase: str | None, task: str | None, at: str | None
) -> Board:
    """Rank one phase of a benchmark in the working tree, or at a revision.

    The board of a commit is the same for ever; so its clock is the commit's.
    """
    taken = snapshot(start, at, only=benchmark)
    now = (taken.tree.committed if at else None) or utc_now()
    return leaderboard(taken, benchmark, phase=phase, task=task, now=now)


def current_phase(benchmark: Benchmark, now: dt.datetime) -> Phase:
    """Return the last phase that has begun, or the first."""
    begun = [phase for phase in benchmark.phases if phase.has_started(now)]
    return begun[-1] if begun else benchmark.phases[0]


def stale_cells(taken: Snapshot, now: dt.datetime) -> frozenset[CellId]:
    """Cells whose committed record is of other content than the commit's."""
    return frozenset(
        cell.id
        for cell in cells(taken, now)
        if (head := taken.head(cell.id)) is not None
        and (head.get("keys") or {}).get("score") != cell.keys.score
    )


def as_text(board: Board, form: Form) -> str:
    """Print a board as a table, CSV or JSON."""
    return {"table": tables.to_text, "csv": tables.to_csv, "json": tables.to_json}[form](board)


def reproduced(taken: Snapshot, summary: RunSummary) -> list[Comparison]:
    """Compare what a fresh run gave with the committed records."""
    committed = {
        cell: record for name in taken.benchmarks for cell, record in taken.records(name).items()
    }
    timed = frozenset(b.name for b in taken.benchmarks.values() if b.exclusive)
    return list(compare(committed, summary.records, timed))
