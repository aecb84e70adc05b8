"""Cells to evaluate: those that are missing, or by name, or all afresh."""

import datetime as dt
from collections.abc import Sequence

from evaluator.planning.places import is_at
from evaluator.planning.plan import Plan, PlannedCell
from evaluator.planning.quotas import Refusal
from evaluator.planning.snapshot import Snapshot
from evaluator.scores.collecting import named_cells


def choose(
    snapshot: Snapshot,
    now: dt.datetime,
    names: Sequence[str],
    plan: Plan,
    *,
    fresh: bool,
    failed_only: bool = False,
) -> list[PlannedCell]:
    """Return the plan's cells, or those that are named, or with ``fresh`` all of them.

    ``failed_only`` leaves out cells that have a record of success. What the plan refuses is tried
    only where somebody names it.
    """
    if not names and not fresh:
        return list(plan.missing)
    chosen_names = names or sorted(snapshot.benchmarks)
    chosen = named_cells(snapshot, now, chosen_names, failed_only=failed_only, plan=plan)
    if fresh:
        return [item for item in chosen if names or item.state != "refused"]
    # A cell that is named exactly is run again; of what a leading part names, the missing.
    again = ("asked", "refused")
    return [item for item in chosen if item.state not in again or str(item.cell.id) in set(names)]


def refusals(plan: Plan, names: Sequence[str]) -> list[Refusal]:
    """Return what a plan refuses, of all or of what is named."""
    wanted = [name.strip("/") for name in names]
    return [
        refusal
        for refusal in plan.refused
        if not wanted
        or any(
            is_at(refusal.submission.id, name) or is_at(name, refusal.submission.id)
            for name in wanted
        )
    ]
