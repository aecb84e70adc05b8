"""What pages say of a board's rows beside their values: ranks, marks, equal predictions."""

import math
from collections import defaultdict
from collections.abc import Callable, Container, Mapping

import numpy as np

from evaluator.core.formats.cell import CellId
from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.core.leaderboard.table import EXTRA
from evaluator.core.plugins import Contract
from evaluator.site.content.insight import NO_MARKS, Marks, RankSpan

_LONG = 1e15
ROW_MARKS = Contract[Callable[[PublicBoard], Marks]]("row_marks")


def shown_primary(board: PublicBoard) -> Column | None:
    if board.benchmark.leaderboard.hidden:
        return None
    return next((c for c in board.columns if c == board.benchmark.leaderboard.primary), None)


def board_folder(current: PublicBoard, board: PublicBoard) -> str:
    """Folder of a board's own files, from the site's root; ``current`` is its benchmark's."""
    base = board.benchmark.path
    return base if board.phase == current.phase else f"{base}/phases/{board.phase.slug}"


def shown_number(value: float, precision: int) -> str:
    """A value as pages show it; one that would take a hundred digits, in short."""
    return f"{value:.3e}" if abs(value) >= _LONG else f"{value:.{precision}f}"


@once_per_board
def same_predictions(board: PublicBoard) -> Mapping[str, tuple[str, ...]]:
    """Map ids to others with equal ``pullbench.fingerprint`` on at least one task."""
    key = board.benchmark.fingerprint
    if not key:
        return {}
    names: dict[str, str] = {}
    groups: dict[tuple[int, float], set[str]] = defaultdict(set)
    for one in board.table.submissions:
        names[one.id] = one.short_name
    cells = board.table.cells
    numbers = cells.get(EXTRA + key, np.full(len(cells["task"]), np.nan))
    for task, place, number in zip(
        cells["task"].tolist(), cells["submission"].tolist(), numbers.tolist(), strict=True
    ):
        if not math.isnan(number):
            groups[task, number].add(board.table.submissions[place].id)
    others_of: dict[str, set[str]] = defaultdict(set)
    for group in groups.values():
        for member in group:
            others_of[member] |= group - {member}
    return {
        member: tuple(sorted(names[other] for other in others))
        for member, others in others_of.items()
        if others
    }


def span_title(span: RankSpan) -> str:
    """Say what an interval of ranks means; ``assets/cells.js`` says the same."""
    return (
        f"Its rank is between {span[0]} and {span[1]} (95% confidence). Group {span[2]}: no "
        "significant difference from the first of the group."
    )


@once_per_board
def _marks_of_plugins(board: PublicBoard) -> list[Marks]:
    return [mark(board) for mark in ROW_MARKS.values()]


def row_marks(row: Row, board: PublicBoard, vouched: Marks = NO_MARKS) -> list[tuple[str, str]]:
    submission, equal = row.submission, same_predictions(board)
    marks: list[tuple[str, str]] = []
    if submission.kind.mark:
        reported = submission.reported
        source = f"Not reproduced here. Source: {reported.source}" if reported else ""
        marks.append((submission.kind.mark, source))
    if (stated := submission.reported and submission.reported.rank) and stated != row.rank:
        marks.append((f"rank {stated} at its source", "This board ranks by its own rules."))
    if submission.solution:
        marks.append(
            ("baseline", f"The organiser's solution, {submission.solution} of the bundle.")
        )
    elif board.benchmark.baseline == submission.short_name:
        marks.append(("baseline", "The organiser compares the others with it."))
    if row.less:
        marks.append((f"ran with {row.less}", "Its machine had less than the bundle asks."))
    if submission.id in equal:
        same = ", ".join(equal[submission.id])
        marks.append((f"same predictions as {same}", "The digests of the predictions are equal."))
    if submission.retired:
        marks.append(("retired", submission.retired))
    if row.standing and row.standing.state != "approved":
        marks.append((str(row.standing), row.standing.date))
    others = (*_marks_of_plugins(board), vouched)
    return marks + [one[submission.id] for one in others if submission.id in one]


def detailed_task(row: Row, board: PublicBoard, details: Container[CellId]) -> str:
    """Slug of the first task with detailed results that the board leads to; empty without any."""
    for task in board.tasks:
        if any(record.cell in details for record in row.tasks[task.slug].records):
            return task.slug
    return ""
