"""The scores of a snapshot -> a table for each phase, which cells are open, and the boards."""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor, UsageError, nearest, printable, some_of
from evaluator.core.formats.approvals import ApprovalDecision
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cache import Cache
from evaluator.core.formats.cell import Place
from evaluator.core.formats.phases import Phase, Task
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import record_of
from evaluator.core.formats.scores_file import ScoresFile
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.board import Board, is_on_board, rank
from evaluator.core.leaderboard.previous_lines import Compared, LinesOfPhase
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.table import Table
from evaluator.core.leaderboard.table_builder import TableBuilder
from evaluator.core.planning.cells import Cell, open_cells, score_keys
from evaluator.core.planning.digests import PartDigests
from evaluator.core.planning.entries import board_entry, entries
from evaluator.core.planning.records import ScoreKeys
from evaluator.core.planning.snapshot import Snapshot, load_snapshot, read_decisions
from evaluator.core.scores.redaction import unhidden, withheld
from evaluator.core.scores.sealing import opened
from evaluator.core.scores.uploads import records_in

Names = tuple[str, str]
"""Of a benchmark and of a phase."""


@dataclass(frozen=True, kw_only=True)
class SnapshotTables:
    """What there is of all entries, or of those to one phase."""

    snapshot: Snapshot
    tables: Mapping[Names, Table]
    open: Sequence[Cell]
    """Cells without a valid record, with a platform's fault, or of phases that have not begun."""
    decisions: Mapping[str, tuple[ApprovalDecision, ...]]
    now: dt.datetime

    def board(self, benchmark: Benchmark, phase: Phase, *, without: Collection[str] = ()) -> Board:
        table = self.tables[benchmark.name, phase.slug]
        if without:
            submissions = enumerate(table.submissions)
            table = table.select([place for place, one in submissions if one.id not in without])
        return rank(
            benchmark, phase, phase.tasks, table,
            commit=self.snapshot.tree.commit, decisions=self.decisions[benchmark.name],
        )  # fmt: skip

    def task_board(self, board: Board, task: Task) -> Board:
        benchmark = board.benchmark
        table = self.tables[benchmark.name, board.phase.slug]
        places = range(len(table.submissions))
        one_task = table.select(places, [table.place_of_task[task.slug]])
        rules = replace(benchmark, leaderboard=benchmark.leaderboard.of_one_task)
        return rank(
            rules, board.phase, (task,), one_task, commit=board.commit, decisions=board.decisions
        )


def read_tables(
    snapshot: Snapshot, now: dt.datetime, *, only: Names | None = None, cache: Cache | None = None,
    hidden: bool = False,
) -> SnapshotTables:  # fmt: skip
    """Look at all entries, or at those to ``only`` one phase; ``cache`` holds an earlier call's.

    With ``hidden`` tables have what the organiser hides, too.
    """
    by_phase: dict[Names, list[Submission]] = {
        (name, phase.slug): []
        for name, benchmark in snapshot.benchmarks.items()
        for phase in benchmark.phases
        if only is None or (name, phase.slug) == only
    }
    for submission in entries(snapshot, now, only):
        names = (submission.benchmark, submission.phase)
        if names in by_phase:
            by_phase[names].append(submission)
    digests = PartDigests(snapshot.tree)
    tables: dict[Names, Table] = {}
    unsettled: list[Submission] = []
    for (name, slug), entered in by_phase.items():
        # The snapshot's own decides the keys, which depend on what records may hold.
        benchmark = snapshot.benchmarks[name]
        benchmark = unhidden(benchmark) if hidden else benchmark
        phase = next(phase for phase in benchmark.phases if phase.slug == slug)
        store = LinesOfPhase(cache, snapshot, benchmark, phase)
        previous = store.read()
        builder = TableBuilder(benchmark, phase, phase.tasks, previous)
        files = snapshot.record_files.files(
            one.place for one in entered if store.digest(one) not in previous.places
        )
        row_digests: list[str] = []
        compared: list[Compared] = []
        for submission in entered:
            digest = store.digest(submission)
            place = previous.places.get(digest)
            file: ScoresFile | None = None
            keys: ScoreKeys = {}
            if place is not None:
                other_content, is_settled = previous.compared[place]
            else:
                file, keys = next(files), score_keys(snapshot, submission, digests)
                digest = digest if file else ""
                other_content, is_settled = _compare(file, keys)
            if not is_settled or not phase.has_started(now):
                unsettled.append(submission)
            shown = board_entry(snapshot, submission)
            if shown is None or not is_on_board(shown, benchmark, phase):
                continue
            row_digests.append(digest)
            compared.append((other_content, is_settled))
            if place is not None:
                builder.add_previous(shown, place)
                continue
            builder.add_variants(shown.stages)
            # A data set that is retired keeps the scores of its time, and has no cells.
            cells = None if submission.id in snapshot.datasets else keys
            builder.add(shown, file, other_content, cells)
        if row_digests != previous.digests:
            store.write(builder.lines(row_digests, compared))
        tables[name, slug] = builder.table(
            partial(_load, snapshot, phase), snapshot.record_files.attachments
        )
    return SnapshotTables(
        snapshot=snapshot,
        tables=tables,
        open=open_cells(snapshot, unsettled, digests, now)[0],
        decisions={
            name: read_decisions(snapshot, benchmark)[0]
            for name, benchmark in snapshot.benchmarks.items()
        },
        now=now,
    )


def _compare(file: ScoresFile | None, keys: ScoreKeys) -> Compared:
    """Compare records with the plan: a cell is settled by one that is no platform's fault."""
    stale = []
    settled = 0
    for line in file.cells if file else []:
        key = keys.get((line.task, line.repeat))
        if key is None:
            continue
        if line.key != key:
            stale.append((line.task, line.repeat))
        elif line.error is None or line.error.actor != Actor.PLATFORM:
            settled += 1
    return stale, settled == len(keys)


def _load(snapshot: Snapshot, phase: Phase, submission: Submission, slug: str) -> list[Record]:
    place = Place(submission.benchmark, submission.participant, submission.name, phase.slug)
    file = snapshot.record_files.file(place)
    records = [record_of(file, line) for line in file.cells if line.task == slug] if file else []
    return [withheld(one) for one in records] if phase.shows == "status" else records


def leaderboard(
    snapshot: Snapshot, benchmark: str, *, phase: str | None, task: str | None, now: dt.datetime,
    hidden: bool = False,
) -> Board:  # fmt: skip
    """Rank one phase of a benchmark: the last one begun, where none is named."""
    bundle = snapshot.benchmark(benchmark)
    bundle = unhidden(bundle) if hidden else bundle
    chosen = bundle.phase(phase) if phase else current_phase(bundle, now)
    if chosen is None:
        raise _unknown("phase", phase or "", [item.slug for item in bundle.phases])
    wanted = next((t for t in chosen.tasks if task in (t.slug, t.name)), None)
    if task is not None and wanted is None:
        raise _unknown("task", task, [item.slug for item in chosen.tasks])
    tables = read_tables(snapshot, now, only=(benchmark, chosen.slug), hidden=hidden)
    board = tables.board(bundle, chosen)
    return board if wanted is None else tables.task_board(board, wanted)


def _unknown(kind: str, name: str, names: Sequence[str]) -> UsageError:
    hint = nearest(name, names, f"There are: {some_of(names)}.")
    return UsageError(f"there is no {kind} '{printable(name)}'", hint=hint)


def leaderboard_at(
    start: Path, benchmark: str, *,
    phase: str | None, task: str | None, at: str | None, hidden: bool = False,
    source: Path | None = None,
) -> PublicBoard:  # fmt: skip
    """Rank one phase of a benchmark in the working tree, or at a revision, as it is published.

    ``hidden`` returns what the organiser hides, too, for a terminal alone: of sealed records with
    the key in the environment. ``source`` is a folder to which a run wrote records, which are
    added.

    The board of a commit is the same for ever; so its clock is the commit's.
    """
    snapshot = load_snapshot(start, at, only=benchmark)
    snapshot.record_files.check_form()
    records = {} if source is None else records_in(source)
    if hidden:
        every = (*snapshot.record_files.sealed(), *records.values())
        records = {record.cell: opened(record) for record in every}
    snapshot = snapshot.with_records(records)
    now = (snapshot.tree.committed if at else None) or utc_now()
    return publish(leaderboard(snapshot, benchmark, phase=phase, task=task, now=now, hidden=hidden))


def current_phase(benchmark: Benchmark, now: dt.datetime) -> Phase:
    begun = [phase for phase in benchmark.phases if phase.has_started(now)]
    return begun[-1] if begun else benchmark.phases[0]
