"""Benchmark + records -> the board: which submissions, in which order, with which rank.

A pure function: neither clock nor disk. Ranks come from unrounded values; equal rows share one.
"""

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from evaluator.board.ranks import rank_values, with_missing, with_rank_columns
from evaluator.board.results import State, TaskResult, task_result, with_computed
from evaluator.board.win_rates import Contest, win_rates
from evaluator.formats.bundle import Benchmark, Phase, Task
from evaluator.formats.cell import CellId
from evaluator.formats.columns import COVERAGE, MEAN_RANK, WIN_RATE, Column, Leaderboard
from evaluator.formats.record import Record, withheld
from evaluator.formats.submission import Submission

MIN_COVERAGE = 0.5
"""With win rates, the share of its tasks on which a row must have run to have a rank: a lucky first
result is no lead."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One submission on a board."""

    rank: int | None
    """From 1; equal rows share one, and the next is left out (1, 1, 3) unless ranks are dense.
    None while any task is not finished; with mean ranks, while none is."""
    submission: Submission
    submitted: str
    """ISO time; empty before the first record."""
    tasks: Mapping[str, TaskResult]
    """By task slug."""
    overall: Mapping[str, float]
    """Column key -> value over all tasks of the board; empty while any is not finished."""
    counted: frozenset[str]
    """Slugs of the tasks that count for it: not its participant's own data, nor retired data. None
    where it is a data set that is retired itself."""

    @property
    def results(self) -> tuple[TaskResult, ...]:
        """What it reached on the tasks that count."""
        return tuple(result for slug, result in self.tasks.items() if slug in self.counted)

    @property
    def state(self) -> State:
        """The state that a reader must know of first."""
        states = {result.state for result in self.results}
        for state in ("failed", "stale", "missing"):
            if state in states:
                return state
        return "finished"


@dataclass(frozen=True, kw_only=True)
class Board:
    """The ranking of one phase, over all its tasks or one of them."""

    benchmark: Benchmark
    phase: Phase
    tasks: tuple[Task, ...]
    rows: tuple[Row, ...]
    """Best first; unranked ones last."""
    unlisted: tuple[Row, ...]
    """Submissions that the submission rule leaves out."""
    commit: str | None
    """Commit that the board is a function of."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """Columns that are shown; none where the phase shows only whether a submission ran."""
        if self.phase.shows == "status":
            return ()
        return tuple(c for c in self.benchmark.leaderboard.columns if not c.hidden)

    @property
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


def make_board(
    benchmark: Benchmark,
    phase: Phase,
    submissions: Iterable[Submission],
    records: Mapping[CellId, Record],
    *,
    stale: frozenset[CellId] = frozenset(),
    task: Task | None = None,
    commit: str | None = None,
) -> Board:
    """Rank the submissions to a phase. ``stale`` are cells whose records are of other content."""
    tasks = (task,) if task else phase.tasks
    if task is not None:
        benchmark = replace(benchmark, leaderboard=benchmark.leaderboard.of_one_task)
    board = benchmark.leaderboard
    status = phase.shows == "status"
    if status:  # nothing else gets as far as the ranks
        records = {
            cell: withheld(record) if cell.phase == phase.slug else record
            for cell, record in records.items()
        }
    rows = [
        _row(submission, benchmark, phase, tasks, records, stale)
        for submission in submissions
        if submission.benchmark == benchmark.name
        and submission.phase == phase.slug
        and benchmark.is_row(submission.kind)
    ]
    if board.ranked_by is not None and not status:
        ranked = _with_win_rates if board.aggregate == "win_rate" else _with_mean_ranks
        rows = ranked(rows, board, board.ranked_by)
    rows = _with_ranks_on_tasks(rows, board)
    overall = with_rank_columns([row.overall for row in rows], board.columns)
    rows = [replace(row, overall=values) for row, values in zip(rows, overall, strict=True)]
    ordered = sorted(rows, key=lambda row: _order(row, board))
    listed = _apply_rule(ordered, board.submission_rule)
    chosen = {row.submission.id for row in listed}
    return Board(
        benchmark=benchmark,
        phase=phase,
        tasks=tasks,
        rows=_ranked(listed, board),
        unlisted=tuple(row for row in ordered if row.submission.id not in chosen),
        commit=commit,
    )


def _row(
    submission: Submission,
    benchmark: Benchmark,
    phase: Phase,
    tasks: Sequence[Task],
    records: Mapping[CellId, Record],
    stale: frozenset[CellId],
) -> Row:
    board = benchmark.leaderboard
    results = {
        task.slug: task_result(submission, phase, task, benchmark.repeats, board, records, stale)
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
    )


def _counts(task: Task, submission: Submission, benchmark: Benchmark) -> bool:
    """Whether a task counts for a submission: whoever brings data cannot win by them."""
    if task.origin is None:
        return True
    rules = benchmark.datasets
    own = task.origin.participant == submission.participant
    return not task.retired and not (own and rules is not None and rules.own == "exclude")


def _with_win_rates(rows: Sequence[Row], board: Leaderboard, column: Column) -> list[Row]:
    """Compare all rows on each task on which they have run."""
    sign = 1 if column.sorting == "desc" else -1

    def contests(slug: str) -> Iterator[Contest]:
        for row in rows:
            result = row.tasks[slug]
            value = _rounded(result.values.get(column.key), board)
            if slug not in row.counted or result.state not in ("finished", "failed"):
                continue
            failed = result.state == "failed" or value is None
            yield Contest(
                row=row.submission.id, participant=row.submission.participant,
                value=float("-inf") if failed or value is None else sign * value,
            )  # fmt: skip

    slugs = dict.fromkeys(slug for row in rows for slug in row.tasks)
    rates = win_rates(list(contests(slug)) for slug in slugs)
    result: list[Row] = []
    for row in rows:
        ran = sum(one.state in ("finished", "failed") for one in row.results)
        coverage = {COVERAGE: ran / len(row.results)} if row.results else {}
        found = rates.get(row.submission.id)
        rate = {WIN_RATE: found.rate} if found else {}
        result.append(replace(row, overall={**row.overall, **coverage, **rate} if ran else {}))
    return result


def _with_mean_ranks(rows: Sequence[Row], board: Leaderboard, column: Column) -> list[Row]:
    """Rank all rows on each task, and each row by the mean of its ranks.

    What failed on one task has the rank there that ``missing`` gives; what has no result at all
    has none.
    """
    tasks = dict.fromkeys(slug for row in rows for slug in row.tasks)
    by_task: dict[str, list[float]] = {}
    for slug in tasks:
        values = [
            _rounded(row.tasks[slug].values.get(column.key), board)
            if row.tasks[slug].state == "finished" and slug in row.counted
            else None
            for row in rows
        ]
        ranks = rank_values(values, column.sorting, board.ranking.ties)
        by_task[slug] = with_missing(ranks, board.ranking.missing)
    result: list[Row] = []
    for position, row in enumerate(rows):
        if not any(one.state == "finished" for one in row.results):
            result.append(row)
            continue
        own = {slug: by_task[slug][position] for slug in row.counted}
        placed = {
            slug: replace(one, values={**one.values, MEAN_RANK: own[slug]})
            if one.state == "finished" and slug in own
            else one
            for slug, one in row.tasks.items()
        }
        overall = {**row.overall, MEAN_RANK: statistics.fmean(own.values())}
        result.append(replace(row, tasks=placed, overall=overall))
    return result


def _with_ranks_on_tasks(rows: Sequence[Row], board: Leaderboard) -> list[Row]:
    """Add the columns that are made from ranks on each task, and their means over the tasks."""
    keys = [c.key for c in board.columns if c.ranks is not None and c.ranks.over == "tasks"]
    if not keys:
        return list(rows)
    values = {
        slug: with_rank_columns(
            [row.tasks[slug].values if row.tasks[slug].state == "finished" else {} for row in rows],
            board.columns,
            over="tasks",
        )
        for slug in dict.fromkeys(slug for row in rows for slug in row.tasks)
    }
    result: list[Row] = []
    for position, row in enumerate(rows):
        tasks = {
            slug: replace(one, values={**one.values, **values[slug][position]})
            for slug, one in row.tasks.items()
        }
        means = {
            key: statistics.fmean(one.values[key] for one in tasks.values())
            for key in keys
            if all(key in one.values for one in tasks.values())
        }
        overall = {**row.overall, **means} if row.overall else row.overall
        result.append(replace(row, tasks=tasks, overall=overall))
    return result


def _rounded(value: float | None, board: Leaderboard) -> float | None:
    """Round as OGB's boards do: scaled, so that the half of a decimal is the half of a whole."""
    decimals = board.ranking.decimals
    if value is None or decimals is None:
        return value
    scale = float(10**decimals)
    return round(value * scale) / scale


def _overall(results: Sequence[TaskResult], board: Leaderboard) -> dict[str, float]:
    if not results or any(result.state != "finished" for result in results):
        return {}
    if board.aggregate == "none":
        return dict(results[0].values)
    means = {
        key: statistics.fmean(result.values[key] for result in results)
        for key in board.score_keys
        # What is reported may leave out columns.
        if all(key in result.values for result in results)
    }
    return with_computed(means, board.columns)


def _sort_key(row: Row, board: Leaderboard) -> tuple[float, ...]:
    """Primary column, then the visible ones that break ties, in order; each in its direction."""
    others = (c for c in board.columns if not c.hidden and c.breaks_ties and c != board.primary)
    columns = [board.primary, *others]
    values = [_rounded(row.overall.get(column.key), board) for column in columns]
    return tuple(
        float("inf") if value is None else value * (1 if column.sorting == "asc" else -1)
        for column, value in zip(columns, values, strict=True)
    )


def _order(row: Row, board: Leaderboard) -> tuple[object, ...]:
    if _is_placed(row):
        return (0, _sort_key(row, board), row.submitted, row.submission.id)
    finished = sum(result.state == "finished" for result in row.results)
    return (1, (-finished,), row.submitted, row.submission.id)


def _apply_rule(ordered: Sequence[Row], rule: str) -> list[Row]:
    """Codabench's submission rules, on whole submissions; ``ordered`` is best first."""
    if rule == "Force_Latest_Multiple":
        return list(ordered)
    wanted = ordered
    if rule.startswith("Add"):
        # Adding and deleting is what ``leaderboard:`` in submission.yaml says.
        wanted = [row for row in ordered if row.submission.leaderboard]
        if rule == "Add_And_Delete_Multiple":
            return list(wanted)
    kept: set[str] = set()
    for _, group in groupby(
        sorted(wanted, key=lambda row: row.submission.participant),
        key=lambda row: row.submission.participant,
    ):
        rows = list(group)
        scored = [row for row in rows if row.overall] or rows
        best = rule == "Force_Best"
        kept.add((scored[0] if best else max(scored, key=_time)).submission.id)
    return [row for row in wanted if row.submission.id in kept]


def _time(row: Row) -> tuple[str, str]:
    return (row.submitted, row.submission.id)


def _ranked(rows: Sequence[Row], board: Leaderboard) -> tuple[Row, ...]:
    """Give places to rows in their order. Equal ones share a place, as ``ties`` says."""
    result: list[Row] = []
    placed = [row for row in rows if _is_placed(row)]
    above = 0
    for distinct, (_, group) in enumerate(
        groupby(placed, key=lambda row: _sort_key(row, board)), start=1
    ):
        equal = list(group)
        rank = distinct if board.ranking.ties == "dense" else above + 1
        result += [replace(row, rank=rank) for row in equal]
        above += len(equal)
    return (*result, *(row for row in rows if not _is_placed(row)))


def _is_placed(row: Row) -> bool:
    """Whether a row has a place: not before it has run on half of what counts for it."""
    return bool(row.overall) and row.overall.get(COVERAGE, 1.0) >= MIN_COVERAGE
