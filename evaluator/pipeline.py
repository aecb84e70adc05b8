"""The flow, one direction; every command is a walk along a part of it.

git tree -> snapshot -> plan -> run in containers -> record -> commit -> leaderboard -> site
"""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

from evaluator.collecting import commit
from evaluator.errors import Problem, UsageError
from evaluator.planning.plan import Plan, PlannedCell, ask_again, make_plan
from evaluator.planning.rules import check_tree
from evaluator.planning.snapshot import Snapshot, take_snapshot
from evaluator.planning.tree import open_repository, read_tree
from evaluator.running import EngineName, RunSummary, run

__all__ = ["EngineName", "RunSummary", "choose", "commit", "plan", "run", "snapshot", "validate"]


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
