"""snapshot -> plan -> run in containers -> scores."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.formats.bundle import Benchmark
    from evaluator.formats.record import Record
    from evaluator.formats.settings import Settings
    from evaluator.planning.plan import Cell, Plan, PlannedCell, Refusal
    from evaluator.planning.queues import Matrix
    from evaluator.planning.snapshot import Snapshot
    from evaluator.scores.opening import OpenedRecord
    from evaluator.scores.redaction import Disclosure
    from evaluator.scores.reproducing import Comparison
    from evaluator.scores.running import RunSummary


def plan(snapshot: "Snapshot", now: dt.datetime, *, handed_out: bool = False) -> "Plan":
    """Find the cells that are missing or stale. Needs no Docker engine and no network.

    Quotas are not judged of cells that were ``handed_out`` to this machine.
    """
    from evaluator.planning.plan import accept_all, local_policy, make_plan

    return make_plan(snapshot, now, accept_all if handed_out else local_policy(snapshot))


def cells(snapshot: "Snapshot", now: dt.datetime) -> Iterator["Cell"]:
    """Yield every cell, whether it has a record or not."""
    from evaluator.planning.plan import cells

    return iter(cells(snapshot, now))


def matrix(planned: Sequence["PlannedCell"], settings: "Settings") -> "Matrix":
    """Return the jobs of a CI matrix, grouped by queue."""
    from evaluator.planning.queues import to_matrix

    return to_matrix(planned, settings.queues)


def choose(
    snapshot: "Snapshot",
    now: dt.datetime,
    names: Sequence[str],
    *,
    fresh: bool,
    failed_only: bool = False,
    planned: "Plan | None" = None,
) -> list["PlannedCell"]:
    """Return the cells to evaluate: the plan's, or those named, or with ``fresh`` all of them.

    ``failed_only`` leaves out cells that have a record of success; ``planned`` is the plan, where
    the caller has it already.
    """
    from evaluator.scores.choosing import choose

    planned = planned or plan(snapshot, now)
    return choose(snapshot, now, names, planned, fresh=fresh, failed_only=failed_only)


def refusals(planned: "Plan", names: Sequence[str]) -> list["Refusal"]:
    """Return what a plan refuses, of all or of what is named."""
    from evaluator.scores.choosing import refusals

    return refusals(planned, names)


def runnable(
    snapshot: "Snapshot",
    planned: Sequence["PlannedCell"],
    engine: str,
    *,
    with_less: bool = False,
) -> tuple[list["PlannedCell"], list[str]]:
    """Return the cells that this machine can evaluate, and in words why not the others."""
    from evaluator.scores.runnable import runnable

    return runnable(snapshot, planned, engine, with_less=with_less)


def too_small(planned: "PlannedCell") -> str:
    """Return what this machine has less of than a cell asks for; empty where it has enough."""
    from evaluator.scores.capacity import too_small

    return too_small(planned)


def run(
    snapshot: "Snapshot",
    planned: Sequence["PlannedCell"],
    *,
    engine: str = "auto",
    executor: str = "local",
    lanes: int,
    output: Path | None = None,
    fresh: bool = False,
    for_others: bool = False,
    with_less: bool = False,
    show: Callable[["PlannedCell", "Record"], str] | None = None,
) -> "RunSummary":
    """Evaluate cells and write each one's record as it ends, whole or not at all."""
    from evaluator.scores.running import cell_name, run

    return run(
        snapshot, planned, engine=engine, executor=executor, lanes=lanes, output=output,
        fresh=fresh, for_others=for_others, with_less=with_less, show=show or cell_name,
    )  # fmt: skip


def clear_leftovers(snapshot: "Snapshot", engine: str = "auto") -> None:
    """Remove what killed runs left behind."""
    from evaluator.scores.running import clear_leftovers

    clear_leftovers(snapshot, engine)


def opened(
    snapshot: "Snapshot", summary: "RunSummary", now: dt.datetime
) -> tuple["Snapshot", list["PlannedCell"]]:
    """Return the cells of data sets that a run's records accept, and the snapshot with them."""
    from evaluator.planning.plan import local_policy, opened

    return opened(snapshot, summary.records, now, local_policy(snapshot))


def sample(
    snapshot: "Snapshot", planned: Sequence["PlannedCell"], size: int
) -> list["PlannedCell"]:
    """Choose some recorded cells that are soon evaluated."""
    from evaluator.scores.reproducing import committed, sample

    return sample(snapshot, planned, committed(snapshot), size)


def reproduce(
    snapshot: "Snapshot",
    planned: Sequence["PlannedCell"],
    *,
    engine: str,
    executor: str = "local",
    lanes: int,
    show: Callable[["PlannedCell", "Record"], str],
) -> tuple["RunSummary", list["Comparison"]]:
    """Evaluate cells afresh and compare with the committed records, which stay."""
    from evaluator.scores.reproducing import REPRODUCED, committed, compare

    output = snapshot.tree.root / REPRODUCED
    summary = run(
        snapshot, planned, engine=engine, executor=executor, lanes=lanes, output=output,
        fresh=True, show=show,
    )  # fmt: skip
    return summary, list(compare(committed(snapshot), summary.records, snapshot.benchmarks))


def records(snapshot: "Snapshot", name: str, source: Path | None) -> list["OpenedRecord"]:
    """Return the records of the cells below a name, or those that a run wrote below ``source``.

    Where the environment has the organisers' key, sealed ones are opened. Raises UsageError.
    """
    from evaluator.scores.opening import open_records

    return open_records(snapshot, name, source)


def detailed_page(snapshot: "Snapshot", record: "Record", benchmark: "Benchmark") -> bytes:
    """Return the detailed results of a cell, as far as they may be shown. Raises UsageError."""
    from evaluator.scores.opening import detailed_page

    return detailed_page(snapshot, record, benchmark)


def disclose(record: "Record", benchmark: "Benchmark") -> "Disclosure":
    """Return the public part of a record."""
    from evaluator.scores.redaction import disclose

    return disclose(record, benchmark)
