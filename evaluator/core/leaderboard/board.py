"""Table of cells -> the board: which submissions, in which order, with which rank.

A pure function: neither clock nor disk. Ranks come from unrounded values; equal rows share one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress, groupby

import numpy as np

from evaluator.core.formats.approvals import ApprovalDecision
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.columns import Column, Leaderboard
from evaluator.core.formats.phases import Phase, Task
from evaluator.core.formats.submission import Submission
from evaluator.core.formats.sums import mean
from evaluator.core.leaderboard.computed import add_computed
from evaluator.core.leaderboard.order import RowOrder, best_first, by_submission_rule, with_ranks
from evaluator.core.leaderboard.rows import Row as Row
from evaluator.core.leaderboard.rows import standing_of
from evaluator.core.leaderboard.table import FINISHED, Flags, Floats, Table, Weights


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
    full_table: Table
    """Of its tasks and of variants, in the order of ``rows`` and then of ``unlisted``."""
    commit: str | None
    decisions: tuple[ApprovalDecision, ...] = ()
    """Of an organiser's: what is approved, where that is needed, and what is disqualified."""

    @cached_property
    def has_standings(self) -> bool:
        return any(row.standing is not None for row in self.rows)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Columns that are shown; none where the phase shows only whether a submission ran."""
        if self.phase.shows == "status":
            return ()
        return tuple(c for c in self.benchmark.leaderboard.columns if not c.hidden)

    @cached_property
    def task_columns(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if not column.over_tasks)

    @cached_property
    def table(self) -> Table:
        """The cells of its tasks, in the order of ``rows`` and then of ``unlisted``."""
        submissions = range(len(self.full_table.submissions))
        if len(self.full_table.tasks) == len(self.tasks):
            return self.full_table
        return self.full_table.select(submissions, range(len(self.tasks)))

    @cached_property
    def overall(self) -> Mapping[str, Floats]:
        """Values over all tasks of the columns that are shown, by row as in ``table``."""
        rows = (*self.rows, *self.unlisted)
        return {
            column.key: np.array([row.overall.get(column.key) for row in rows], np.float64)
            for column in self.columns
        }

    @property
    def groups(self) -> tuple[tuple[str, int], ...]:
        """Names over neighbouring columns, with how many they span; empty without any name."""
        if not any(column.group for column in self.columns):
            return ()
        neighbours = groupby(self.columns, key=lambda column: column.group)
        return tuple((name, len(list(columns))) for name, columns in neighbours)

    @property
    def leaders(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.rank == 1)

    @property
    def ranked(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.rank is not None)


def rank(
    benchmark: Benchmark,
    phase: Phase,
    tasks: tuple[Task, ...],
    table: Table,
    *,
    commit: str | None = None,
    decisions: tuple[ApprovalDecision, ...] = (),
) -> Board:
    """Rank by the rules of a phase: values, eligible rows, listed rows, ranks, order."""
    rules = benchmark.boards[phase.slug]
    benchmark = replace(benchmark, leaderboard=rules)
    rows = _rows(benchmark, tasks, table, decisions)
    eligible = [row for row in rows if row.counts]
    aside = best_first([row for row in rows if not row.counts], rules)
    # A phase that shows only states has no values of which ranks could be made.
    shows_values = phase.shows != "status"
    listed = by_submission_rule(best_first(eligible, rules), rules)
    if shows_values:
        table, listed = with_ranks(table, listed, rules)
    order = RowOrder(listed, rules)
    shown = [*order.ranked(sorted(listed, key=order)), *by_submission_rule(aside, rules)]
    places = {row.place for row in shown}
    unlisted = [row for row in (*eligible, *aside) if row.place not in places]
    every = on_table(table, [*shown, *sorted(unlisted, key=RowOrder(unlisted, rules))])
    if shows_values:
        every = _with_derived(every, rules, [phase.budget_of(task) for task in tasks])
    return Board(
        benchmark=benchmark,
        phase=phase,
        tasks=tasks,
        rows=every[: len(shown)],
        unlisted=every[len(shown) :],
        full_table=every[0].table if every else table.select(()),
        commit=commit,
        decisions=decisions,
    )


def on_table(table: Table, rows: Sequence[Row]) -> tuple[Row, ...]:
    table = table.select([row.place for row in rows])
    return tuple(replace(row, table=table, place=place) for place, row in enumerate(rows))


def _with_derived(
    rows: tuple[Row, ...], board: Leaderboard, seconds: Sequence[float]
) -> tuple[Row, ...]:
    """Add columns of plugins; a row may have a value there without a rank."""
    derived = [(column.key, column.derived) for column in board.columns if column.derived]
    if not rows or not derived:
        return rows
    counts = np.array([[slug in row.counted for row in rows] for slug in rows[0].task_slugs])
    for key, values_of in derived:
        results = np.stack(values_of(rows[0].table, counts, rows[0].weights, seconds), axis=-1)
        rows = tuple(
            replace(
                row, overall={**row.overall, key: value},
                intervals={**row.intervals, **({key: (low, high)} if low == low else {})},
            )
            if value == value else row
            for row, (value, low, high) in zip(rows, results.tolist(), strict=True)
        )  # fmt: skip
    return rows


def is_on_board(submission: Submission, benchmark: Benchmark, phase: Phase) -> bool:
    return (
        submission.benchmark == benchmark.name
        and submission.phase == phase.slug
        and submission.kind.is_row(benchmark)
    )


def _rows(
    benchmark: Benchmark,
    tasks: tuple[Task, ...],
    table: Table,
    decisions: tuple[ApprovalDecision, ...],
) -> list[Row]:
    slugs = tuple(task.slug for task in tasks)
    every = frozenset(slugs)  # one for all rows: of many tasks it is large
    counts = np.array([_counts(task, table.submissions, benchmark) for task in tasks], np.bool_)
    weights = tuple(task.extension.weight for task in tasks)
    overall = _overall(table, counts, benchmark.leaderboard, np.array(weights))
    return [
        Row(
            table=table, place=place, task_slugs=slugs, weights=weights,
            variant_slugs=tuple(
                variant.slug
                for task in (tasks if submission.stages else ())
                for variant in task.variants(submission.stages)
            ),
            overall={key: own[place] for key, own in overall.items() if own[place] == own[place]},
            counted=every if own_counts.all() else frozenset(compress(slugs, own_counts)),
            standing=standing_of(
                submission, table.facts[place].contents, decisions,
                needs_approval=benchmark.needs_approval,
            ),
        )
        for place, (submission, own_counts) in enumerate(
            zip(table.submissions, counts.T, strict=True)
        )
    ]  # fmt: skip


def _counts(task: Task, submissions: Sequence[Submission], benchmark: Benchmark) -> list[bool]:
    """Say for whom a task counts: whoever brings data cannot win by them."""
    rules, author = benchmark.datasets, task.origin and task.origin.participant
    excludes, retired = rules is not None and rules.own == "exclude", task.retired
    return [
        not (item.retired or retired or (excludes and item.participant == author))
        for item in submissions
    ]


def _overall(
    table: Table, counts: Flags, board: Leaderboard, weights: Weights
) -> dict[str, list[float]]:
    """Values over the tasks that count, by column and submission; NaN where one lacks a value."""
    count = len(counts)
    complete = ((table.states[:count] == FINISHED) | ~counts).all(axis=0) & counts.any(axis=0)
    first = counts.argmax(axis=0)
    values: dict[str, Floats] = {}
    of_each = {column.key for column in board.columns if not column.mean} if count > 1 else set()
    for key in board.score_keys:
        on_tasks = table.value(key)[:count]
        if key in of_each:
            continue
        if board.rule.of_first_task:
            over_tasks = on_tasks[first, np.arange(on_tasks.shape[1])]
        else:
            # What is reported may leave out a column.
            known = complete & ~(np.isnan(on_tasks) & counts).any(axis=0)
            over_tasks = np.full(known.shape, np.nan)
            over_tasks[known] = [
                mean(row[counted].tolist(), weights[counted].tolist())
                for row, counted in zip(on_tasks.T[known], counts.T[known], strict=True)
            ]
        values[key] = np.where(complete, over_tasks, np.nan)
    add_computed(values, board.computed)
    return {key: over_tasks.tolist() for key, over_tasks in values.items()}
