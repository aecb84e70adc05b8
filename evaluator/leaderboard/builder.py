"""What each entry reached, and which of its cells are open: found by all cores, or kept.

This is where records become rows. Half a gigabyte of 200,000 records is never in memory at once,
and neither are their outlines: each process makes rows of the records that it reads, and hands
over what boards need of them.
"""

import contextlib
import datetime as dt
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from evaluator.errors import Actor
from evaluator.formats.approvals import Decision
from evaluator.formats.bulk import without_collection
from evaluator.formats.bundle import Benchmark
from evaluator.formats.cell import CellId, Place, digest
from evaluator.formats.file_digests import digest_of_programs
from evaluator.formats.outline import Outline
from evaluator.formats.phases import Phase, Task
from evaluator.formats.submission import Submission
from evaluator.git.cache import Kept
from evaluator.leaderboard.board import Board, make_board, make_row, rank_rows
from evaluator.leaderboard.packing import PackedRow, pack_row, unpack_row
from evaluator.leaderboard.published import Publisher
from evaluator.leaderboard.rows import Row
from evaluator.planning.approvals import decisions
from evaluator.planning.digests import PartDigests
from evaluator.planning.entries import board_entry, entries
from evaluator.planning.plan import Cell, cells_of
from evaluator.planning.snapshot import Snapshot

FEW = 300
"""Entries that one process looks at sooner than two."""

PART = 60
"""Entries that are kept together."""


class _Found(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What was found of one entry."""

    row: PackedRow | None
    """None where it is none, or cannot be packed."""
    settled: bool
    """Whether every cell has a valid record that is no fault of the platform."""
    stale: list[tuple[str, int | None]]
    """Task and repeat of cells whose record is of other content than the commit's."""
    unpacked: bool = False
    """Whether the row is made anew by who reads this."""


@dataclass(frozen=True, kw_only=True)
class Survey:
    """What there is of all entries, or of those to one phase."""

    rows: Mapping[tuple[str, str], Sequence[Row]]
    """By names of benchmark and phase, without ranks."""
    open: Sequence[Cell]
    """Cells without a valid record, with a platform's fault, or of phases that have not begun."""
    stale: frozenset[CellId]
    """Cells whose record is of other content than the commit's."""
    commit: str | None
    decisions: Mapping[str, tuple[Decision, ...]]
    """By benchmark."""

    def board(self, benchmark: Benchmark, phase: Phase) -> Board:
        """Rank the entries of a phase."""
        return rank_rows(
            benchmark, phase, phase.tasks, self.rows.get((benchmark.name, phase.slug), ()),
            commit=self.commit, decisions=self.decisions[benchmark.name],
        )  # fmt: skip

    def task_board(self, board: Board, task: Task) -> Board:
        """Rank the same entries on one task alone."""
        rows = (*board.rows, *board.unlisted)
        records = {record.cell: record for row in rows for record in row.tasks[task.slug].records}
        return make_board(
            board.benchmark, board.phase, [row.submission for row in rows], records,
            stale=self.stale, task=task, commit=board.commit, decisions=board.decisions,
        )  # fmt: skip


@without_collection()
def survey(
    taken: Snapshot,
    now: dt.datetime,
    *,
    only: tuple[str, str] | None = None,
    kept: Path | None = None,
) -> Survey:
    """Look at all entries, or at those to one phase: ``only`` names a benchmark and a phase.

    ``kept`` is a folder where an earlier survey left what it found.
    """
    entered = [
        item for item in entries(taken, now) if only is None or (item.benchmark, item.phase) == only
    ]
    surveyor = _Surveyor(taken, entered)
    found = Kept[_Found](
        folder=kept,
        make=surveyor.look,
        kind=_Found,
        few=FEW,
        part=PART,
        common=f"{sys.byteorder} {digest_of_programs()}",
    ).read(
        [f"{item.benchmark}/{item.participant}" for item in entered],
        list(surveyor.told()) if kept else [""] * len(entered),
    )
    rows: dict[tuple[str, str], list[Row]] = defaultdict(list)
    stale: list[CellId] = []
    unsettled: list[Submission] = []
    for item, one in zip(entered, found, strict=True):
        if row := surveyor.row(item, one):
            rows[item.benchmark, item.phase].append(row)
        stale += [item.cell(task, repeat) for task, repeat in one.stale]
        if not one.settled or not surveyor.has_begun(item, now):
            unsettled.append(item)
    return Survey(
        rows=rows,
        open=surveyor.open(unsettled, now),
        stale=frozenset(stale),
        commit=taken.tree.commit,
        decisions=surveyor.decisions,
    )


class _Surveyor:
    """Looks at the entries of a snapshot."""

    def __init__(self, taken: Snapshot, entered: Sequence[Submission]) -> None:
        self._taken = taken
        self._entered = entered
        self._digests = PartDigests(taken.tree)
        named = {item.benchmark for item in entered}
        self._benchmarks = {
            name: benchmark for name, benchmark in taken.benchmarks.items() if name in named
        }
        self.decisions = {
            name: decisions(taken, benchmark) for name, benchmark in taken.benchmarks.items()
        }
        self._publishers = {
            name: Publisher(benchmark) for name, benchmark in self._benchmarks.items()
        }
        self._slugs = {
            (name, phase.slug): (slugs, frozenset(slugs))
            for name, benchmark in self._benchmarks.items()
            for phase in benchmark.phases
            for slugs in [tuple(task.slug for task in phase.tasks)]
        }

    def told(self) -> Iterator[str]:
        """Tell of each entry all that is found of it, but for this package's programs."""
        taken = self._taken
        settings = taken.tree.digest("pyproject.toml")
        bundles = {}
        for name, benchmark in self._benchmarks.items():
            bundles[name] = digest([settings, taken.tree.digest(benchmark.path)])
            if benchmark.datasets is not None:  # what is accepted decides what the others solve
                bundles[name] = digest([bundles[name], *sorted(taken.sources[name].values())])
        for item in self._entered:
            shown = board_entry(taken, item)
            state = "none" if shown is None else f"row {shown.retired}"
            files = taken.sources[item.benchmark][item.id]
            yield "\0".join((bundles[item.benchmark], item.id, files, item.phase, state))

    def look(self, places: Sequence[int]) -> list[_Found]:
        """Read the records of some entries, and make their rows."""
        return [self._looked_at(self._entered[place]) for place in places]

    def _records(self, item: Submission, cells: Collection[CellId]) -> dict[CellId, Outline]:
        """Return what an entry reached.

        A data set that is retired keeps the records of its time, although it has no cells.
        """
        place = Place(item.benchmark, item.participant, item.name, item.phase)
        every = self._taken.record_files.outlines(place)
        if item.id in self._taken.datasets:
            return every
        return {cell: record for cell, record in every.items() if cell in cells}

    def _looked_at(self, item: Submission) -> _Found:
        keys = {cell.id: cell.keys.score for cell in cells_of(self._taken, [item], self._digests)}
        records = self._records(item, keys)
        stale: list[CellId] = []
        settled = True
        for cell, key in keys.items():
            record = records.get(cell)
            settled = settled and record is not None and _settles(record, key)
            if record is not None and record.keys.score != key:
                stale.append(cell)
        row = self._made(item, records, stale)
        packed = None
        if row is not None:
            with contextlib.suppress(UnicodeEncodeError):
                packed = pack_row(row, self._publishers[item.benchmark])
        return _Found(
            row=packed,
            settled=settled,
            stale=[(cell.task, cell.repeat) for cell in stale],
            unpacked=packed is None and row is not None,
        )

    def _made(
        self, item: Submission, records: Mapping[CellId, Outline], stale: Sequence[CellId]
    ) -> Row | None:
        benchmark = self._benchmarks[item.benchmark]
        phase = benchmark.phase(item.phase)
        shown = board_entry(self._taken, item)
        if phase is None or shown is None:
            return None
        decided = self.decisions[item.benchmark]
        return make_row(shown, benchmark, phase, phase.tasks, records, stale, decided)

    def row(self, item: Submission, found: _Found) -> Row | None:
        """Return the row of an entry, with results that are unpacked when they are asked for."""
        shown = board_entry(self._taken, item)
        if found.row is not None and shown is not None:
            return unpack_row(found.row, shown, *self._slugs[item.benchmark, item.phase])
        if not found.unpacked:
            return None
        cells = cells_of(self._taken, [item], self._digests)
        records = self._records(item, {cell.id for cell in cells})
        stale = [item.cell(task, repeat) for task, repeat in found.stale]
        return self._made(item, records, stale)

    def has_begun(self, item: Submission, now: dt.datetime) -> bool:
        """Whether the phase of an entry has."""
        phase = self._benchmarks[item.benchmark].phase(item.phase)
        return phase is not None and phase.has_started(now)

    def open(self, items: Iterable[Submission], now: dt.datetime) -> list[Cell]:
        """Return those cells of some entries that nothing settles, or whose phase is to come."""
        files = self._taken.record_files
        cells = list(cells_of(self._taken, items, self._digests))
        files.look(cell.id for cell in cells)
        return [
            cell
            for cell in cells
            if not cell.phase.has_started(now) or not files.is_settled(cell.id, cell.keys.score)
        ]


def _settles(record: Outline, key: str) -> bool:
    faulty = record.error is not None and record.error.actor == Actor.PLATFORM
    return record.keys.score == key and not faulty
