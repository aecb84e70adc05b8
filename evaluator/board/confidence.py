"""Is the lead real? What a board's page of that name shows, and its file."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from evaluator.board.csv_cells import inert
from evaluator.board.intervals import (
    ENOUGH,
    MAX_DUELS,
    Intervals,
    better_first,
    intervals,
    places,
)
from evaluator.board.leaderboard import Board, Row
from evaluator.board.measured import Measured, Numbers
from evaluator.board.measuring import measure
from evaluator.board.per_board import once_per_board
from evaluator.board.stability import enough, weightings
from evaluator.board.wording import percent

MAX_LINES = 200
"""Rows that the page shows; the file has all."""
_SHADES = 7


@dataclass(frozen=True, kw_only=True)
class Line:
    """One row of the board."""

    row: Row
    low: int
    """The best rank of its interval."""
    high: int
    group: int
    best: int | None = None
    """Its best rank by any of the weightings; None where there is one task."""
    worst: int | None = None
    first: float | None = None
    """Share of the weightings by which it is first."""
    same: float | None = None
    """Share by which it has the rank that it has."""


@dataclass(frozen=True, kw_only=True)
class Confidence:
    """How far a board's order can be trusted."""

    intervals: Intervals
    lines: tuple[Line, ...]
    """In the order of the board."""
    weightings: int
    """How many were drawn; 0 where there is one task."""

    @property
    def named(self) -> tuple[Row, ...]:
        """Rows that are compared pair by pair."""
        return self.intervals.rows[:MAX_DUELS]


@once_per_board
def confidence(board: Board) -> Confidence | str:
    """Return what is known of a published board's order, or why nothing is."""
    found = intervals(board)
    made = measure(board)
    if isinstance(found, str):
        return found
    if isinstance(made, str):
        return made
    stable = _stability(made) if made.tasks > 1 else None
    lines = [
        Line(row=row, low=low, high=high, group=group)
        for row, low, high, group in zip(
            found.rows, found.low.tolist(), found.high.tolist(), found.groups.tolist(), strict=True
        )
    ]
    if stable is not None:
        ranks = np.array([row.rank for row in found.rows])
        best, worst = stable.min(axis=0).astype(int), stable.max(axis=0).astype(int)
        shares = (stable == 1).mean(axis=0), (stable == ranks).mean(axis=0)
        lines = [
            replace(line, best=low, worst=high, first=first, same=same)
            for line, low, high, first, same in zip(
                lines, best.tolist(), worst.tolist(), *(one.tolist() for one in shares), strict=True
            )
        ]
    return Confidence(
        intervals=found, lines=tuple(lines), weightings=0 if stable is None else len(stable)
    )


def _stability(made: Measured) -> Numbers:
    """Ranks by random weightings of the tasks, by the board's own rules."""
    count = enough(made.values.shape[-1], made.tasks)
    weights = np.array(list(weightings(made.tasks, count)))
    keys = better_first(made, made.by_tasks(weights))
    return places(keys, dense=made.dense).astype(np.float64)


def basis(found: Confidence, board: Board) -> Iterator[str]:
    """Yield how the page's numbers are made."""
    drawn = found.intervals
    unit = "method" if board.benchmark.ranks_datasets else "task"
    what = f"{drawn.tasks} {unit}s" if drawn.tasks > 1 else f"the {drawn.repeats} repeats"
    within = (
        f", and the {drawn.repeats} repeats of each drawn {unit},"
        if drawn.tasks > 1 and drawn.repeats > 1
        else ""
    )
    yield (
        f"The {what}{within} are drawn again {drawn.draws:,} times, with replacement and the same "
        "for all rows, and ranked by the rules of the board. 95 of 100 ranks that a row then has "
        "are in its interval."
    )
    yield (
        "Two rows are told apart where one beats the other in at least 97.5 % of the draws; rows "
        "of a group are not told apart from its first."
    )
    if not drawn.can_separate:
        yield (
            f"Below {ENOUGH} {unit}s{' or repeats' if drawn.tasks == 1 else ''} nothing is told "
            "apart, and the intervals are rough."
        )
    if found.weightings:
        yield (
            f"Over weightings: the ranks by {found.weightings:,} random weightings of the {unit}s, "
            "all of which are equally likely."
        )


def shade(share: float) -> str:
    """Class of a cell that shows a share: the greater the darker."""
    return f"heat-{round(share * (_SHADES - 1))}"


def confidence_csv(found: Confidence) -> str:
    """Return all rows as CSV, shares between 0 and 1."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = [f"beats_{row.submission.participant}/{row.submission.name}" for row in found.named]
    writer.writerow(
        ["rank", "participant", "submission", "low", "high", "group", "weighted_best",
         "weighted_worst", "weighted_first", "weighted_same", *names]
    )  # fmt: skip
    for number, line in enumerate(found.lines):
        item = line.row.submission
        shares = found.intervals.beats[number] if number < len(names) else [""] * len(names)
        writer.writerow(
            ["" if cell is None else inert(cell) for cell in (
                line.row.rank, item.participant, item.name, line.low, line.high, line.group,
                line.best, line.worst, line.first, line.same,
                *(_share(share) if place != number else "" for place, share in enumerate(shares)),
            )]
        )  # fmt: skip
    return stream.getvalue()


def _share(share: float | str) -> float | str:
    return share if isinstance(share, str) else float(share)


def share_text(share: float | None) -> str:
    """Write a share as a reader reads it."""
    return "" if share is None else percent(share)
