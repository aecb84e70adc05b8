"""The scores of a snapshot -> a table for each phase, and which cells are open."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evaluator.core.errors import Actor
from evaluator.core.formats.approvals import Decision
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId, Place
from evaluator.core.formats.phases import Phase, Task
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import record_of
from evaluator.core.formats.scores_form import ScoresFile
from evaluator.core.formats.submission import Submission
from evaluator.core.formats.withheld import withheld
from evaluator.core.leaderboard.board import Board, is_on_board, rank
from evaluator.core.leaderboard.table import Table
from evaluator.core.leaderboard.table_builder import TableBuilder
from evaluator.core.planning.approvals import decisions
from evaluator.core.planning.digests import PartDigests
from evaluator.core.planning.entries import board_entry, entries
from evaluator.core.planning.plan import Cell, ScoreKeys, cells_of, score_keys
from evaluator.core.planning.snapshot import Snapshot

Names = tuple[str, str]
"""Of a benchmark and of a phase."""


@dataclass(frozen=True, kw_only=True)
class SnapshotTables:
    """What there is of all entries, or of those to one phase."""

    tables: Mapping[Names, Table]
    open: Sequence[Cell]
    """Cells without a valid record, with a platform's fault, or of phases that have not begun."""
    stale: frozenset[CellId]
    """Cells whose record is of other content than the commit's."""
    commit: str | None
    decisions: Mapping[str, tuple[Decision, ...]]
    """By benchmark."""

    def board(self, benchmark: Benchmark, phase: Phase) -> Board:
        """Rank the entries of a phase."""
        return rank(
            benchmark, phase, phase.tasks, self.tables[benchmark.name, phase.slug],
            commit=self.commit, decisions=self.decisions[benchmark.name],
        )  # fmt: skip

    def board_without(
        self, benchmark: Benchmark, phase: Phase, names: Collection[str]
    ) -> Board | None:
        """Rank the entries of a phase but for some submissions; None where none are left."""
        table = self.tables[benchmark.name, phase.slug]
        places = [place for place, one in enumerate(table.submissions) if one.id not in names]
        if not places:
            return None
        return rank(
            benchmark, phase, phase.tasks, table.select(places),
            commit=self.commit, decisions=self.decisions[benchmark.name],
        )  # fmt: skip

    def task_board(self, board: Board, task: Task) -> Board:
        """Rank the same entries on one task alone."""
        benchmark = board.benchmark
        table = self.tables[benchmark.name, board.phase.slug]
        places = range(len(table.submissions))
        one_task = table.select(places, [table.place_of_task[task.slug]])
        rules = replace(benchmark, leaderboard=benchmark.leaderboard.of_one_task)
        return rank(
            rules, board.phase, (task,), one_task, commit=self.commit, decisions=board.decisions
        )


def read_tables(
    snapshot: Snapshot, now: dt.datetime, *, only: Names | None = None
) -> SnapshotTables:
    """Look at all entries, or at those to one phase: ``only`` names a benchmark and a phase."""
    by_phase: dict[Names, list[Submission]] = {
        (name, phase.slug): []
        for name, benchmark in snapshot.benchmarks.items()
        for phase in benchmark.phases
        if only is None or (name, phase.slug) == only
    }
    for submission in entries(snapshot, now):
        names = (submission.benchmark, submission.phase)
        if names in by_phase:
            by_phase[names].append(submission)
    digests = PartDigests(snapshot.tree)
    tables: dict[Names, Table] = {}
    stale: list[CellId] = []
    unsettled: list[Submission] = []
    for (name, slug), entered in by_phase.items():
        benchmark = snapshot.benchmarks[name]
        phase = next(phase for phase in benchmark.phases if phase.slug == slug)
        reader = _PhaseReader(snapshot, benchmark, phase, digests)
        tables[name, slug] = reader.read(entered)
        stale += reader.stale
        unsettled += reader.unsettled if phase.has_started(now) else entered
    return SnapshotTables(
        tables=tables,
        open=_open(snapshot, unsettled, digests, now),
        stale=frozenset(stale),
        commit=snapshot.tree.commit,
        decisions={
            name: decisions(snapshot, benchmark) for name, benchmark in snapshot.benchmarks.items()
        },
    )


class _PhaseReader:
    """Reads the scores files of one phase, and compares their keys with those of the content."""

    def __init__(
        self, snapshot: Snapshot, benchmark: Benchmark, phase: Phase, digests: PartDigests
    ) -> None:
        self._snapshot = snapshot
        self._benchmark = benchmark
        self._phase = phase
        self._digests = digests
        self.stale: list[CellId] = []
        self.unsettled: list[Submission] = []
        """Submissions with a cell that has no valid record, or a platform's fault."""

    def read(self, entered: Sequence[Submission]) -> Table:
        """Return the table of those submissions that boards list."""
        builder = TableBuilder(self._benchmark, self._phase, self._phase.tasks)
        files = self._snapshot.record_files.files(map(self._place, entered))
        for submission, file in zip(entered, files, strict=True):
            keys = score_keys(self._snapshot, submission, self._digests)
            stale = self._compare(submission, file, keys)
            shown = board_entry(self._snapshot, submission)
            if shown is None or not is_on_board(shown, self._benchmark, self._phase):
                continue
            builder.add_variants(shown.stages)
            # A data set that is retired keeps the scores of its time, and has no cells.
            cells = None if submission.id in self._snapshot.datasets else keys
            builder.add(shown, file, stale, cells)
        return builder.table(self._load)

    def _compare(
        self,
        submission: Submission,
        file: ScoresFile | None,
        keys: ScoreKeys,
    ) -> list[tuple[str, int | None]]:
        """Return tasks and repeats whose score is of other content; note what is to be done."""
        lines = file.cells if file else []
        stale = []
        settled = 0
        for line in lines:
            key = keys.get((line.task, line.repeat))
            if key is None:
                continue
            if line.key != key:
                stale.append((line.task, line.repeat))
            elif line.error is None or line.error.actor != Actor.PLATFORM:
                settled += 1
        if settled < len(keys):
            self.unsettled.append(submission)
        self.stale += [submission.cell(task, repeat) for task, repeat in stale]
        return stale

    def _load(self, submission: Submission, slug: str) -> list[Record]:
        """Read the records of one submission on one task, by repeat."""
        file = self._snapshot.record_files.file(self._place(submission))
        lines = [line for line in file.cells if line.task == slug] if file else []
        records = [record_of(file, line) for line in lines] if file else []
        return [withheld(one) for one in records] if self._phase.shows == "status" else records

    def _place(self, submission: Submission) -> Place:
        return Place(
            submission.benchmark, submission.participant, submission.name, self._phase.slug
        )


def _open(
    snapshot: Snapshot, submissions: Iterable[Submission], digests: PartDigests, now: dt.datetime
) -> list[Cell]:
    """Return those cells of submissions that nothing settles, or whose phase is to come."""
    files = snapshot.record_files
    cells = list(cells_of(snapshot, submissions, digests))
    files.look(cell.id for cell in cells)
    return [
        cell
        for cell in cells
        if not cell.phase.has_started(now) or not files.is_settled(cell.id, cell.keys.score)
    ]
