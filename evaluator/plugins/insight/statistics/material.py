"""A board -> what its analysis begins with: values by task and fold, times, failures."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evaluator.core.formats.columns import Column, Leaderboard
from evaluator.core.formats.record import Record
from evaluator.core.formats.sums import median
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.cells import with_computed
from evaluator.core.leaderboard.failures import kind_of_reason, kind_of_text
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.plugins.insight.statistics.outcomes import MIN_TASKS, Outcomes, collect

MIN_METHODS = 3
WALL = "wall-clock seconds of the prediction step"


@dataclass(frozen=True, kw_only=True)
class Material:
    """What is known of a board's methods, before anything is imputed."""

    outcomes: Outcomes
    names: Mapping[str, str]
    """``participant/submission`` -> name in figures, each once."""
    column: Column
    """By whose values methods are compared."""
    seconds: Mapping[str, float]
    """Method -> median over tasks and folds; only those that have it on every task."""
    time: str
    """What the seconds are, in words."""
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
    """Say why a board cannot be analysed; empty where it can."""
    if board.benchmark.leaderboard.hidden or board.phase.shows == "status":
        return "The results of this board are not public."
    if compared_column(board.benchmark.leaderboard).hidden:
        return "The column by which this board ranks is not public."
    tasks = _tasks(board)
    if len(tasks) < MIN_TASKS and max((_folds(board, task) for task in tasks), default=0) < 2:
        return (
            f"There {'is one task' if len(tasks) == 1 else f'are {len(tasks)} tasks'} without "
            "repeats: nothing can be concluded from that about which method is better in general."
        )
    count = len(_rows(board))
    if count < MIN_METHODS:
        return f"There are results of {count} methods; a comparison needs {MIN_METHODS}."
    return ""


def gather(board: PublicBoard) -> Material:
    """Read a published board, of which ``why_none`` says nothing."""
    rules = board.benchmark.analysis
    column = compared_column(board.benchmark.leaderboard)
    tasks, left_out = _tasks(board), {}
    by_fold = len(tasks) < MIN_TASKS
    folds = {task: _folds(board, task) for task in tasks}
    rows = {f"{row.submission.participant}/{row.submission.name}": row for row in _rows(board)}
    for name, row in list(rows.items()):
        reported = row.submission.reported
        if by_fold and reported is not None and not reported.folds.keys() >= set(tasks):
            left_out[name] = "it is reported without its repeats"
            del rows[name]
    values = {
        (task, name): _values(row, task, board, column, folds[task])
        for task in tasks
        for name, row in rows.items()
    }
    seconds = {name: _seconds(row, tasks, rules.time) for name, row in rows.items()}
    return Material(
        outcomes=collect(tasks, list(rows), values, lower_is_better=column.sorting == "asc"),
        names=_names(rows),
        column=column,
        seconds={name: value for name, value in seconds.items() if value is not None},
        time=rules.time or WALL,
        failures=tuple(
            (name, kind)
            for name, row in rows.items()
            for task in tasks
            for kind in _failures(row, task, folds[task])
        ),
        left_out=left_out,
    )


def _tasks(board: PublicBoard) -> list[str]:
    return [task.slug for task in board.tasks if not task.retired]


def _rows(board: PublicBoard) -> list[Row]:
    return [row for row in board.rows if row.counts and _has_values(row, board)]


def _has_values(row: Row, board: PublicBoard) -> bool:
    key = compared_column(board.benchmark.leaderboard).key
    return any(key in row.tasks[task].values for task in _tasks(board))


def _folds(board: PublicBoard, task: str) -> int:
    """Repeats of a task that anybody has run or reports; tasks may differ."""
    run = (record for row in board.rows for record in row.tasks[task].records)
    reported = (len(_reported(row, task)) for row in board.rows)
    return max([1, *((record.cell.repeat or 0) + 1 for record in run), *reported])


def _reported(row: Row, task: str) -> tuple[Mapping[str, float] | str, ...]:
    reported = row.submission.reported
    return () if reported is None else reported.folds.get(task, ())


def _values(
    row: Row, task: str, board: PublicBoard, column: Column, folds: int
) -> list[float | None]:
    """By repeat. A value of other content than the commit's is none."""
    result = row.tasks[task]
    if reported := _reported(row, task):
        return [
            None
            if isinstance(fold, str)
            else with_computed(fold, board.benchmark.leaderboard.columns).get(column.key)
            for fold in reported
        ]
    if not result.records:
        return [result.values.get(column.key)] * folds
    values: list[float | None] = [None] * folds
    if result.state == "stale":
        return values
    for record in result.records:
        if record.status == "finished":
            scores = with_computed(record.scores, board.benchmark.leaderboard.columns)
            values[record.cell.repeat or 0] = scores.get(column.key)
    return values


def _seconds(row: Row, tasks: list[str], key: str) -> float | None:
    medians = []
    for task in tasks:
        times = [_time(record, key) for record in row.tasks[task].records]
        measured = [value for value in times if value is not None]
        if not measured:
            return None
        medians += measured
    return median(medians) if medians else None


def _time(record: Record, key: str) -> float | None:
    if key:
        return {**record.extra, **record.scores}.get(key)
    step = record.step("ingestion")
    return step.wall_seconds if step is not None and record.status == "finished" else None


def _failures(row: Row, task: str, folds: int) -> Iterator[str]:
    """Yield one kind for each repeat without a value; what is reported whole is one result."""
    result = row.tasks[task]
    if reported := _reported(row, task):
        yield from (kind_of_text(fold) for fold in reported if isinstance(fold, str))
        yield from ["missing"] * (folds - len(reported))
        return
    if not result.records:
        if result.error is not None:
            yield kind_of_text(result.error.message)
        elif not result.values:
            yield "missing"
        return
    for record in result.records:
        if record.error is not None:
            yield kind_of_reason(record.error.reason)
    yield from ["missing"] * (folds - len(result.records))


def _names(rows: Mapping[str, Row]) -> dict[str, str]:
    titles = [row.submission.title for row in rows.values()]
    return {
        name: row.submission.title
        if titles.count(row.submission.title) == 1
        else f"{row.submission.title} ({name})"
        for name, row in rows.items()
    }
