"""Benchmark + records -> the board: which submissions, in which order, with which rank.

A pure function: neither clock nor disk. Ranks come from unrounded values; equal rows share one.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

from evaluator.formats.approvals import Decision
from evaluator.formats.bulk import without_collection
from evaluator.formats.bundle import Benchmark
from evaluator.formats.cell import CellId
from evaluator.formats.columns import Column, Leaderboard
from evaluator.formats.outline import AnyRecord
from evaluator.formats.phases import Phase, Task
from evaluator.formats.submission import Submission
from evaluator.formats.sums import mean
from evaluator.formats.withheld import withheld
from evaluator.leaderboard.cells import TaskResult, task_result, with_computed
from evaluator.leaderboard.order import Places, listed, place_before_ranks, ranked
from evaluator.leaderboard.rows import Row as Row
from evaluator.leaderboard.rows import standing_of
from evaluator.leaderboard.task_ranks import with_ranks


@dataclass(frozen=True, kw_only=True)
class Board:
    """The ranking of one phase, over all its tasks or one of them."""

    benchmark: Benchmark
    phase: Phase
    tasks: tuple[Task, ...]
    rows: tuple[Row, ...]
    """Best first; then those without a result, and last those that nobody approved."""
    unlisted: tuple[Row, ...]
    """Submissions that the submission rule leaves out."""
    commit: str | None
    """Commit that the board is a function of."""
    decisions: tuple[Decision, ...] = ()
    """Of an organiser's, where the benchmark ranks what is approved alone."""
    public: bool = False
    """Whether ``published`` has left out what is hidden."""

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Columns that are shown; none where the phase shows only whether a submission ran."""
        if self.phase.shows == "status":
            return ()
        return tuple(c for c in self.benchmark.leaderboard.columns if not c.hidden)

    @cached_property
    def task_columns(self) -> tuple[Column, ...]:
        """Those of ``columns`` that say something of one task."""
        return tuple(column for column in self.columns if not column.over_tasks)

    @property
    def groups(self) -> tuple[tuple[str, int], ...]:
        """Names over neighbouring columns, with how many they span; empty without any name."""
        if not any(column.group for column in self.columns):
            return ()
        neighbours = groupby(self.columns, key=lambda column: column.group)
        return tuple((name, len(list(columns))) for name, columns in neighbours)

    @property
    def leaders(self) -> tuple[Row, ...]:
        """Rows of rank 1; more than one where they tie."""
        return tuple(row for row in self.rows if row.rank == 1)

    @property
    def ranked(self) -> tuple[Row, ...]:
        """Rows that have a rank, in the order of the board."""
        return tuple(row for row in self.rows if row.rank is not None)


@without_collection()
def make_board(
    benchmark: Benchmark,
    phase: Phase,
    submissions: Iterable[Submission],
    records: Mapping[CellId, AnyRecord],
    *,
    stale: Collection[CellId] = frozenset(),
    task: Task | None = None,
    commit: str | None = None,
    decisions: tuple[Decision, ...] = (),
) -> Board:
    """Rank the submissions to a phase. ``stale`` are cells whose records are of other content."""
    tasks = (task,) if task else phase.tasks
    if task is not None:
        benchmark = replace(benchmark, leaderboard=benchmark.leaderboard.of_one_task)
    rows = [
        row
        for submission in submissions
        if (row := make_row(submission, benchmark, phase, tasks, records, stale, decisions))
    ]
    return rank_rows(benchmark, phase, tasks, rows, commit=commit, decisions=decisions)


def rank_rows(
    benchmark: Benchmark,
    phase: Phase,
    tasks: tuple[Task, ...],
    rows: Sequence[Row],
    *,
    commit: str | None = None,
    decisions: tuple[Decision, ...] = (),
) -> Board:
    """Rank rows that have no rank yet."""
    board = benchmark.leaderboard
    has_values = phase.shows != "status"  # of the others nothing gets as far as the ranks
    counting = [row for row in rows if row.counts]
    if board.ranking.among == "all" and has_values:
        counting = with_ranks(counting, board)
    places = Places(board)
    chosen = listed(sorted(counting, key=lambda row: place_before_ranks(row, board, places)), board)
    if board.ranking.among == "listed" and has_values:
        chosen = with_ranks(chosen, board)
    chosen.sort(key=places)
    others = [row for row in rows if not row.counts]
    aside = sorted(others, key=lambda row: place_before_ranks(row, board, places))
    shown = (*ranked(chosen, board, places), *listed(aside, board))
    ids = {row.submission.id for row in shown}
    unlisted = [row for row in (*counting, *aside) if row.submission.id not in ids]
    return Board(
        benchmark=benchmark,
        phase=phase,
        tasks=tasks,
        rows=shown,
        unlisted=tuple(sorted(unlisted, key=places)),
        commit=commit,
        decisions=decisions,
    )


def make_row(
    submission: Submission,
    benchmark: Benchmark,
    phase: Phase,
    tasks: Sequence[Task],
    records: Mapping[CellId, AnyRecord],
    stale: Collection[CellId],
    decisions: tuple[Decision, ...],
) -> Row | None:
    """Join what a submission reached in a phase; None where it is no row of its board."""
    if (
        submission.benchmark != benchmark.name
        or submission.phase != phase.slug
        or not submission.kind.is_row(benchmark)
    ):
        return None
    board = benchmark.leaderboard
    if phase.shows == "status":
        records = _Withheld(records)
    results = {
        task.slug: task_result(
            submission, phase, task, benchmark.repeats_of(task), board, records, stale
        )
        for task in tasks
    }
    counted = frozenset(task.slug for task in tasks if _counts(task, submission, benchmark))
    if submission.retired:
        counted = frozenset()
    times = [
        record.provenance.submitted for result in results.values() for record in result.records
    ]
    return Row(
        rank=None,
        submission=submission,
        submitted=min(times, default=""),
        tasks=results,
        overall=_overall([results[task.slug] for task in tasks if task.slug in counted], board),
        counted=counted,
        standing=standing_of(submission, results, decisions) if benchmark.needs_approval else None,
        variants={
            variant.slug: task_result(
                submission, phase, variant, benchmark.repeats, board, records, stale
            )
            for task in (tasks if submission.stages else ())
            for variant in task.variants(submission.stages)
        },
    )


class _Withheld(Mapping[CellId, AnyRecord]):
    """Records of a phase that shows only whether submissions ran."""

    def __init__(self, records: Mapping[CellId, AnyRecord]) -> None:
        self._records = records

    def __getitem__(self, cell: CellId) -> AnyRecord:
        return withheld(self._records[cell])

    def __iter__(self) -> Iterator[CellId]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)


def _counts(task: Task, submission: Submission, benchmark: Benchmark) -> bool:
    """Whether a task counts for a submission: whoever brings data cannot win by them."""
    if task.origin is None:
        return True
    rules = benchmark.datasets
    own = task.origin.participant == submission.participant
    return not task.retired and not (own and rules is not None and rules.own == "exclude")


def _overall(results: Sequence[TaskResult], board: Leaderboard) -> dict[str, float]:
    if not results or any(result.state != "finished" for result in results):
        return {}
    if board.rule.of_first_task:
        return dict(results[0].values)
    values = [result.values for result in results]
    means: dict[str, float] = {}
    for key in board.score_keys:
        numbers = [own[key] for own in values if key in own]
        if len(numbers) == len(values):  # what is reported may leave out columns
            means[key] = mean(numbers)
    return with_computed(means, board.computed)
