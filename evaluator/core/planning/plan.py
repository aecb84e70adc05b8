"""Snapshot and clock -> the cells that are missing or stale, each with its reason."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import MAX_TRIES, Record
from evaluator.core.formats.submission import Submission
from evaluator.core.planning.cells import Cell, cells, open_cells
from evaluator.core.planning.digests import Explainer, PartDigests
from evaluator.core.planning.entries import entries
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.plugins import Contract


@dataclass(frozen=True, kw_only=True)
class PlannedCell:
    """A cell that has no valid record."""

    cell: Cell
    state: Literal["new", "stale", "retry", "asked", "refused"]
    """``asked`` is a cell with a valid record that somebody wants evaluated afresh; ``refused`` one
    that somebody wants to try although its submission came too late, or beyond a quota."""
    reason: str
    unseen: bool = False
    """Whether this content of the submission has no record yet: an attempt, for quotas."""


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A submission that is not evaluated, and why."""

    submission: Submission
    reason: str
    hint: str


Admission = Callable[[Snapshot, Sequence[Submission], dt.datetime], Mapping[str, Refusal]]
"""Judges submissions whose work has no record yet; returns the refused ones, by id."""

POLICIES = Contract[Callable[[Snapshot], Admission]]("policies")


def accept_all(_: Snapshot, __: Sequence[Submission], ___: dt.datetime) -> Mapping[str, Refusal]:
    """Refuse nobody: somebody else has judged, or there is nothing to judge by."""
    return {}


def local_admission(snapshot: Snapshot) -> Admission:
    policies = [make(snapshot) for make in POLICIES.values()]

    def judge(
        snapshot: Snapshot, candidates: Sequence[Submission], now: dt.datetime
    ) -> Mapping[str, Refusal]:
        refused: dict[str, Refusal] = {}
        for admit in policies:
            refused |= admit(snapshot, candidates, now)
        return refused

    return judge


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be evaluated."""

    missing: tuple[PlannedCell, ...]
    """By cell."""
    total: int
    """Cells of all phases that have started."""
    waiting: int
    """Cells of phases that have not started."""
    refused: tuple[Refusal, ...] = ()
    """Submissions beyond a quota or outside their phase's window."""

    @property
    def refusals(self) -> Mapping[str, Refusal]:
        return {item.submission.id: item for item in self.refused}


def make_plan(
    snapshot: Snapshot, now: dt.datetime, admit: Admission, all_cells: Iterable[Cell] | None = None
) -> Plan:
    """Compare the keys of all cells, which callers may have already, with those of records."""
    unsettled: list[Cell] = []
    total = waiting = 0
    files = snapshot.record_files
    if all_cells is None:
        digests = PartDigests(snapshot.tree)
        all_cells, total = open_cells(snapshot, list(entries(snapshot, now)), digests, now)
    all_cells = list(all_cells)
    files.read_keys(cell.id.place for cell in all_cells)
    for cell in all_cells:
        if cell.task.retired:
            continue  # its record stays as it is
        if not cell.phase.has_started(now):
            waiting += 1
            continue
        total += 1
        if not files.is_settled(cell.id, cell.keys.score):
            unsettled.append(cell)
    explain = Explainer(snapshot.tree)
    missing = [
        planned for cell in unsettled if (planned := _compare(cell, snapshot, explain)) is not None
    ]
    refused = admit(snapshot, unseen(snapshot, missing), now)
    accepted = [item for item in missing if item.cell.submission.id not in refused]
    accepted.sort(key=lambda planned: _order(planned.cell.id))
    return Plan(
        missing=tuple(accepted), total=total, waiting=waiting, refused=tuple(refused.values())
    )


def make_local_plan(snapshot: Snapshot, now: dt.datetime, *, assigned: bool = False) -> Plan:
    """Plan by what this clone knows; cells ``assigned`` to this machine were judged before."""
    return make_plan(snapshot, now, accept_all if assigned else local_admission(snapshot))


def unseen(snapshot: Snapshot, missing: Iterable[PlannedCell]) -> list[Submission]:
    """Submissions never evaluated: new tasks and parts of workflows make no attempts."""
    unseen_submissions = {
        item.cell.submission.id: (item.cell.submission, item.cell.keys.parts["submission"])
        for item in missing
        if item.unseen and not item.cell.migrated and item.cell.is_whole
    }
    return [
        item
        for item, content in unseen_submissions.values()
        if not snapshot.record_files.has_content(item.place, content)
    ]


def _compare(cell: Cell, snapshot: Snapshot, explain: Explainer) -> PlannedCell | None:
    record = snapshot.record_files.get(cell.id)
    if record is None and snapshot.record_files.is_damaged(cell.id.place):
        return PlannedCell(cell=cell, state="stale", reason="its record cannot be read")
    if record is None:
        return PlannedCell(cell=cell, state="new", reason="no record yet", unseen=True)
    if record.keys.score != cell.keys.score:
        unseen = record.keys.parts.get("submission") != cell.keys.parts["submission"]
        reason = explain(cell, record.keys.parts)
        return PlannedCell(cell=cell, state="stale", reason=reason, unseen=unseen)
    if record.is_platform_fault:
        if record.tries >= MAX_TRIES:
            return None  # until somebody asks for it by name
        # Its message may repeat what is hidden; those who may show it read the record.
        return PlannedCell(cell=cell, state="retry", reason="platform fault")
    return None


def cells_by_name(
    plan: Plan, snapshot: Snapshot, wanted: Iterable[str], now: dt.datetime
) -> tuple[list[PlannedCell], list[str]]:
    """Cells by their name or its leading part, planned or not, and the names that fit none."""
    names = list(dict.fromkeys(name.strip("/") for name in wanted))
    planned = {item.cell.id: item for item in plan.missing}
    refusals = plan.refusals
    chosen: list[PlannedCell] = []
    used: set[str] = set()
    for cell in cells(snapshot, now):
        fits = [n for n in names if str(cell.id) == n or str(cell.id).startswith(f"{n}/")]
        if not fits or cell.task.retired or not cell.phase.has_started(now):
            continue
        used.update(fits)
        if refusal := refusals.get(cell.submission.id):
            chosen.append(PlannedCell(cell=cell, state="refused", reason=refusal.reason))
        else:
            asked = PlannedCell(cell=cell, state="asked", reason="asked for by name")
            chosen.append(planned.get(cell.id, asked))
    chosen.sort(key=lambda item: _order(item.cell.id))
    return chosen, [name for name in names if name not in used]


def cells_of_new_tasks(
    snapshot: Snapshot, records: Mapping[CellId, Record], now: dt.datetime, admit: Admission
) -> tuple[Snapshot, list[PlannedCell]]:
    """Cells that exist only since new records accept data sets, and the snapshot with them."""
    later = snapshot.with_records(records)
    if later.datasets == snapshot.datasets:
        return later, []
    present = {cell.id for cell in cells(snapshot, now)}
    missing = make_plan(later, now, admit).missing
    return later, [item for item in missing if item.cell.id not in present]


def _order(cell: CellId) -> tuple[str, str, str, str, str, int]:
    return (
        cell.benchmark, cell.participant, cell.submission, cell.phase, cell.task, cell.repeat or 0,
    )  # fmt: skip
