"""Goals that a bundle declares for its columns: lines between the rows, without a rank."""

from collections.abc import Iterator
from dataclasses import dataclass

from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.published import PublicBoard


@dataclass(frozen=True, kw_only=True)
class GoalLine:
    """One goal on a board."""

    column: Column
    label: str
    value: float
    position: int
    """Number of rows that stand before it. Where the column does not rank, the line stands after
    all that have a rank."""
    reached: int
    """Number of ranked rows whose value is as good or better."""
    after_rank: int
    """Rank of the row before it; 0 where it stands first."""


def goal_lines(board: PublicBoard) -> tuple[GoalLine, ...]:
    """Return the goals of a board's columns, in the order in which they stand."""
    return tuple(sorted(_lines(board), key=lambda line: line.position))


def _lines(board: PublicBoard) -> Iterator[GoalLine]:
    placed = board.ranked
    for column in board.columns:
        goal = column.goal
        if goal is None:
            continue
        sign = 1 if column.sorting == "asc" else -1
        reached = sum(
            sign * row.overall[column.key] <= sign * goal.value
            for row in placed
            if column.key in row.overall
        )
        primary = column.key == board.benchmark.leaderboard.primary.key
        position = reached if primary else len(placed)
        yield GoalLine(
            column=column, label=goal.label, value=goal.value, reached=reached,
            position=position, after_rank=placed[position - 1].rank or 0 if position else 0,
        )  # fmt: skip
