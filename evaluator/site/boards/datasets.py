"""The board read by data set: what became of each, and how programs fare on it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluator.core.formats.datasets import dataset_slug
from evaluator.core.formats.phases import Task
from evaluator.core.formats.sums import median
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.ranking.ranks import is_equal
from evaluator.site.boards.difficulty import TaskDifficulty, difficulties
from evaluator.site.content.content import DatasetEntry


@dataclass(frozen=True, kw_only=True)
class DatasetRow:
    """One task of the board as a row of its own."""

    task: Task
    entry: DatasetEntry | None
    """None where the organiser brought it."""
    finished: int
    """Rows of the board that have finished on it."""
    failed: int
    pending: int
    best: tuple[Row, ...]
    """Rows with the best value; more than one where they tie."""
    best_value: float | None
    median: float | None
    worst: float | None
    difficulty: TaskDifficulty | None
    """Where the benchmark has a baseline, and it has finished."""


def dataset_rows(board: PublicBoard, entries: Iterable[DatasetEntry]) -> list[DatasetRow]:
    ranked = board.benchmark.leaderboard
    column = ranked.ranked_by or ranked.primary
    if column.key not in {shown.key for shown in board.columns}:
        return []
    by_slug = {
        dataset_slug(item.submission.participant, item.submission.name): item for item in entries
    }
    hard = {
        one.task.slug: one
        for item in difficulties(board)
        if item.column.key == column.key
        for one in item.tasks
    }
    return [
        _row(task, by_slug.get(task.slug), hard.get(task.slug), board.rows, column.key,
             sign=1 if column.sorting == "desc" else -1)
        for task in board.tasks
    ]  # fmt: skip


def _row(
    task: Task,
    entry: DatasetEntry | None,
    difficulty: TaskDifficulty | None,
    rows: Sequence[Row],
    key: str,
    *,
    sign: int,
) -> DatasetRow:
    results = [(row.tasks[task.slug], row) for row in rows]
    states = [one.state for one, _ in results]
    values = [
        (one.values[key], row) for one, row in results
        if one.state == "finished" and key in one.values
    ]  # fmt: skip
    ordered = sorted((value for value, _ in values), key=lambda value: -sign * value)
    return DatasetRow(
        task=task,
        entry=entry,
        finished=states.count("finished"),
        failed=states.count("failed"),
        pending=states.count("missing") + states.count("stale"),
        best=tuple(row for value, row in values if is_equal(value, ordered[0])),
        best_value=ordered[0] if ordered else None,
        median=median(ordered) if ordered else None,
        worst=ordered[-1] if ordered else None,
        difficulty=difficulty,
    )
