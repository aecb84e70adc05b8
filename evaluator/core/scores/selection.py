"""Cells to evaluate: those that are missing, or by name, or all afresh."""

import datetime as dt
from collections.abc import Sequence

from evaluator.core.errors import InvalidInputError, UsageError, errors_in, nearest
from evaluator.core.planning.cells import cells
from evaluator.core.planning.plan import Plan, PlannedCell, Refusal, cells_by_name, make_local_plan
from evaluator.core.planning.rules import validate
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.planning.typed_names import is_within


def choose(
    snapshot: Snapshot,
    now: dt.datetime,
    names: Sequence[str],
    plan: Plan | None = None,
    *,
    fresh: bool,
    failed_only: bool = False,
) -> list[PlannedCell]:
    """The plan's cells, those named, or with ``fresh`` all; refused ones if named."""
    plan = plan or make_local_plan(snapshot, now)
    if not names and not fresh:
        return list(plan.missing)
    chosen_names = names or sorted(snapshot.benchmarks)
    chosen = named_cells(snapshot, now, chosen_names, plan, failed_only=failed_only)
    if fresh:
        return [item for item in chosen if names or item.state != "refused"]
    # A cell that is named exactly is run again; of what a leading part names, the missing.
    by_name_alone = ("asked", "refused")
    return [
        item
        for item in chosen
        if item.state not in by_name_alone or str(item.cell.id) in set(names)
    ]


def refusals(plan: Plan, names: Sequence[str]) -> list[Refusal]:
    wanted = [name.strip("/") for name in names]
    return [
        refusal
        for refusal in plan.refused
        if not wanted
        or any(
            is_within(refusal.submission.id, name) or is_within(name, refusal.submission.id)
            for name in wanted
        )
    ]


def named_cells(
    snapshot: Snapshot,
    now: dt.datetime,
    names: Sequence[str],
    plan: Plan,
    *,
    failed_only: bool = False,
) -> list[PlannedCell]:
    """Cells that somebody names, planned or not. Raises UsageError for unknown names."""
    chosen, unknown = cells_by_name(plan, snapshot, names, now)
    unknown = [name for name in unknown if name not in snapshot.benchmarks]
    if unknown:
        places = [f"{root}/{name}" for root in ("benchmarks", "submissions") for name in unknown]
        problems = errors_in(validate(snapshot, places))
        if problems:  # as `validate` says: it is there, and cannot be evaluated
            raise InvalidInputError(problems)
        raise UsageError(
            f"there is no cell called {', '.join(map(repr, unknown))}",
            hint=nearest(
                unknown[0], _leading_parts(snapshot, now, unknown[0]),
                "`pullbench plan --all` lists them; a leading part names all below it.",
            ),
        )  # fmt: skip
    if not failed_only:
        return chosen
    records = ((item, snapshot.record_files.get(item.cell.id)) for item in chosen)
    return [
        item
        for item, record in records
        if item.state != "asked" or (record is not None and record.status == "failed")
    ]


def _leading_parts(snapshot: Snapshot, now: dt.datetime, name: str) -> set[str]:
    submissions = snapshot.by_id
    there = "/".join(name.split("/")[:3])
    if there not in submissions:
        return {*submissions, *snapshot.benchmarks}
    return {str(cell.id) for cell in cells(snapshot, now) if cell.submission.id == there}
