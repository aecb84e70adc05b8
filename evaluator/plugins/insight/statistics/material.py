"""A board -> what its analysis begins with: values by task and fold, times, failures."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from evaluator.core.errors import counted
from evaluator.core.formats.columns import Column, Leaderboard
from evaluator.core.formats.record import Reason
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.computed import add_computed
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.reported import kind_of_text
from evaluator.core.leaderboard.table import STALE, Floats
from evaluator.plugins.insight.statistics.measured import scores_by_repeat
from evaluator.plugins.insight.statistics.outcomes import MIN_TASKS, Outcomes, collect

MIN_METHODS = 3
KINDS = ("time", "memory", "output", "data", "implementation", "scoring", "platform", "missing")
"""In the order in which they are shown."""
_OF_REASON = {
    Reason.TIMED_OUT: "time",
    Reason.OUT_OF_MEMORY: "memory",
    Reason.OUTPUT_LIMIT: "output",
    Reason.UNSAFE_OUTPUT: "output",
    Reason.REJECTED: "output",
    Reason.BAD_INPUT: "data",
    Reason.BAD_DATA: "data",
    Reason.EXITED: "implementation",
    Reason.WITHHELD: "implementation",
    Reason.SCORER_FAILED: "scoring",
    Reason.NO_SCORES: "scoring",
    Reason.BAD_SCORES: "scoring",
    Reason.WRONG_COLUMNS: "scoring",
    Reason.BAD_PROGRAM: "platform",
    Reason.BAD_IMAGE: "platform",
    Reason.PLATFORM_FAULT: "platform",
}


@dataclass(frozen=True, kw_only=True)
class Material:
    """What is known of a board's methods, before anything is imputed."""

    outcomes: Outcomes
    names: Mapping[str, str]
    """``participant/submission`` -> name in figures, each once."""
    column: Column
    """By whose values methods are compared."""
    failures: tuple[tuple[str, str], ...]
    """(method, kind) of each failed or missing cell."""
    left_out: Mapping[str, str]
    """Method -> why it takes no part."""


def compared_column(board: Leaderboard) -> Column:
    primary = board.ranked_by or board.primary
    if primary.ranks is None:
        return primary
    return next(column for column in board.columns if column.key == primary.ranks.fields[0])


def why_none(board: PublicBoard) -> str:
    if board.benchmark.leaderboard.hidden or board.phase.shows == "status":
        return "The results of this board are not public."
    if compared_column(board.benchmark.leaderboard).hidden:
        return "The column by which this board ranks is not public."
    tasks = _tasks(board)
    if len(tasks) < MIN_TASKS and max((_folds(board, task) for task in tasks), default=0) < 2:
        ran = f"Here {counted(len(tasks), 'tasks')} ran once."
        return f"Methods are tested over {MIN_TASKS} or more tasks, or over repeats. {ran}"
    count = len(_rows(board))
    if count < MIN_METHODS:
        return f"There are results of {count} methods; a comparison needs {MIN_METHODS}."
    return ""


def gather(board: PublicBoard) -> Material:
    """Read a published board, of which ``why_none`` says nothing."""
    column = compared_column(board.benchmark.leaderboard)
    tasks, left_out = _tasks(board), {}
    by_fold = len(tasks) < MIN_TASKS
    folds = {task: _folds(board, task) for task in tasks}
    rows = {row.submission.short_name: row for row in _rows(board)}
    for name, row in list(rows.items()):
        reported = row.submission.reported
        if by_fold and reported is not None and not reported.folds.keys() >= set(tasks):
            left_out[name] = "it is reported without its repeats"
            del rows[name]
    columns = board.benchmark.leaderboard.columns
    (scores,) = scores_by_repeat(board.table, [column.key], columns)
    scores[board.table.states == STALE] = np.nan  # of other content than the commit's
    values = {
        (task, name): _values(row, task, board, column, scores[place], folds[task])
        for task in tasks
        for place in [board.table.place_of_task[task]]
        for name, row in rows.items()
    }
    return Material(
        outcomes=collect(tasks, list(rows), values, lower_is_better=column.sorting == "asc"),
        names=_names(rows), column=column, failures=tuple(_failures(board, rows, folds)),
        left_out=left_out,
    )  # fmt: skip


def _tasks(board: PublicBoard) -> list[str]:
    return [task.slug for task in board.tasks if not task.retired]


def _rows(board: PublicBoard) -> list[Row]:
    """Those that count and have a value."""
    key, tasks = compared_column(board.benchmark.leaderboard).key, _tasks(board)
    return [
        row
        for row in board.rows
        if row.counts and any(key in row.tasks[task].values for task in tasks)
    ]


def _folds(board: PublicBoard, task: str) -> int:
    """Repeats of a task that anybody has run or reports; tasks may differ."""
    repeats = board.table.by_repeat("repeat")[board.table.place_of_task[task]]
    run = repeats[[row.place for row in board.rows]]
    reported = (len(_reported(row, task)) for row in board.rows)
    return max([1, int(np.fmax.reduce(run, axis=None, initial=0)) + 1, *reported])


def _reported(row: Row, task: str) -> tuple[Mapping[str, float] | str, ...]:
    reported = row.submission.reported
    return () if reported is None else reported.folds.get(task, ())


def _values(
    row: Row, task: str, board: PublicBoard, column: Column, scores: Floats, folds: int
) -> list[float | None]:
    """By repeat; ``scores`` are those of the task, by submission and repeat."""
    if reported := _reported(row, task):
        return [
            None if isinstance(fold, str) else _of_fold(fold, board, column) for fold in reported
        ]
    result = row.tasks[task]
    if not board.table.recorded[result.task, row.place]:
        return [result.values.get(column.key)] * folds
    return [None if number != number else number for number in scores[row.place, :folds].tolist()]


def _of_fold(fold: Mapping[str, float], board: PublicBoard, column: Column) -> float | None:
    values = {key: np.array(value) for key, value in fold.items()}
    if values:
        add_computed(values, board.benchmark.leaderboard.columns)
    return float(values[column.key]) if column.key in values else None


def _failures(
    board: PublicBoard, rows: Mapping[str, Row], folds: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """Yield the kind of each repeat without a value; what is reported whole is one result."""
    cells = board.table.cells
    ran: Counter[tuple[int, int]] = Counter()
    kinds: dict[tuple[int, int], list[str]] = defaultdict(list)
    columns = (cells[name].tolist() for name in ("task", "submission", "failed", "reason"))
    for task, submission, failed, reason in zip(*columns, strict=True):
        ran[task, submission] += 1
        if failed:
            kinds[task, submission].append(kind_of_reason(reason))
    for name, row in rows.items():
        for slug, count in folds.items():
            result = row.tasks[slug]
            place = (result.task, row.place)
            if reported := _reported(row, slug):
                failures = [kind_of_text(fold) for fold in reported if isinstance(fold, str)]
                failures += ["missing"] * (count - len(reported))
            elif ran[place]:
                failures = kinds[place] + ["missing"] * (count - ran[place])
            elif result.error is not None:
                failures = [kind_of_text(result.error.message)]
            else:
                failures = [] if result.values else ["missing"]
            yield from ((name, kind) for kind in failures)


def _names(rows: Mapping[str, Row]) -> dict[str, str]:
    titles = [row.submission.title for row in rows.values()]
    return {
        name: row.submission.title
        if titles.count(row.submission.title) == 1
        else f"{row.submission.title} ({name})"
        for name, row in rows.items()
    }


def kind_of_reason(reason: Reason) -> str:
    return _OF_REASON.get(reason, "implementation")


def count_failures(failures: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    counts = Counter(failures)
    methods = dict.fromkeys(method for method, _ in counts)
    return {m: {k: counts[m, k] for k in KINDS if counts[m, k]} for m in methods}


def total_failures(counts: Mapping[str, Mapping[str, int]]) -> int:
    return sum(sum(kinds.values()) for kinds in counts.values())
