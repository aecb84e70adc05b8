"""The board that somebody asks for, by benchmark, phase, task and revision."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

from evaluator.core.clock import utc_now
from evaluator.core.errors import InvalidInputError, UsageError, nearest, printable, some_of
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Phase
from evaluator.core.leaderboard.board import Board
from evaluator.core.leaderboard.published import PublicBoard, publish, publish_with_hidden
from evaluator.core.leaderboard.snapshot_tables import read_tables
from evaluator.core.planning.snapshot import Snapshot, load_snapshot
from evaluator.core.scores.uploads import records_in


def leaderboard(
    snapshot: Snapshot, benchmark: str, *, phase: str | None, task: str | None, now: dt.datetime
) -> Board:
    """Rank one phase of a benchmark: the last one begun, where none is named."""
    bundle = snapshot.benchmarks.get(benchmark)
    if bundle is None:
        if snapshot.problems:
            raise InvalidInputError(p for p in snapshot.problems if p.severity == "error")
        raise snapshot.no_benchmark(benchmark)
    chosen = bundle.phase(phase) if phase else current_phase(bundle, now)
    if chosen is None:
        raise _unknown("phase", phase or "", [item.slug for item in bundle.phases])
    wanted = next((t for t in chosen.tasks if task in (t.slug, t.name)), None)
    if task is not None and wanted is None:
        raise _unknown("task", task, [item.slug for item in chosen.tasks])
    tables = read_tables(snapshot, now, only=(benchmark, chosen.slug))
    board = tables.board(bundle, chosen)
    return board if wanted is None else tables.task_board(board, wanted)


def _unknown(kind: str, name: str, names: Sequence[str]) -> UsageError:
    hint = nearest(name, names, f"There are: {some_of(names)}.")
    return UsageError(f"there is no {kind} '{printable(name)}'", hint=hint)


def leaderboard_at(
    start: Path,
    benchmark: str,
    *,
    phase: str | None,
    task: str | None,
    at: str | None,
    hidden: bool = False,
    source: Path | None = None,
) -> PublicBoard:
    """Rank one phase of a benchmark in the working tree, or at a revision, as it is published.

    ``hidden`` returns what the organiser hides, too; ``source`` is a folder to which a run wrote
    records, which are added.

    The board of a commit is the same for ever; so its clock is the commit's.
    """
    snapshot = load_snapshot(start, at, only=benchmark)
    snapshot.record_files.check_form()
    if source is not None:
        snapshot = snapshot.with_records(records_in(source))
    now = (snapshot.tree.committed if at else None) or utc_now()
    board = leaderboard(snapshot, benchmark, phase=phase, task=task, now=now)
    return publish_with_hidden(board) if hidden else publish(board)


def current_phase(benchmark: Benchmark, now: dt.datetime) -> Phase:
    """Return the last phase that has begun, or the first."""
    begun = [phase for phase in benchmark.phases if phase.has_started(now)]
    return begun[-1] if begun else benchmark.phases[0]
