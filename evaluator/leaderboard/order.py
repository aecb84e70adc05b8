"""In which order rows stand, which of them the submission rule lists, and who shares a place.

A participant's best entry is chosen before there are mean ranks, so that his other entries do
not make ranks. Where a board ranks by ranks, his entries are compared by how many tasks they have
finished, then by what the ranks are made of: the mean over the finished tasks of each column in
turn, in its direction.
"""

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from evaluator.formats.columns import MEAN_RANK, Column, Leaderboard
from evaluator.formats.sums import mean
from evaluator.leaderboard.rows import Row


def rounded(value: float | None, board: Leaderboard) -> float | None:
    """Round as OGB's boards do: scaled, so that the half of a decimal is the half of a whole."""
    decimals = board.ranking.decimals
    if value is None or decimals is None:
        return value
    scaled = value * float(10**decimals)
    return round(scaled) / float(10**decimals) if math.isfinite(scaled) else value


def _signed(value: float | None, column: Column, board: Leaderboard) -> float:
    value = rounded(value, board)
    return float("inf") if value is None else value * (1 if column.sorting == "asc" else -1)


class Places:
    """By what rows of a board are sorted, best first: worked out once for each of them."""

    def __init__(self, board: Leaderboard) -> None:
        self._board = board
        self._found: dict[int, tuple[Row, tuple[Any, ...]]] = {}

    def __call__(self, row: Row) -> tuple[Any, ...]:
        """Return the primary column, then the visible ones that break ties, where it has a place.

        Values count in the direction of their column.
        """
        known = self._found.get(id(row))
        if known is None:  # and with the place the row itself, so that no other gets its id
            known = self._found[id(row)] = row, self._place(row)
        return known[1]

    def _place(self, row: Row) -> tuple[Any, ...]:
        if not row.is_placed:
            return (1, (-row.finished,), row.submitted, row.submission.id)
        overall, board = row.overall, self._board
        values = tuple([_signed(overall.get(c.key), c, board) for c in board.sorting_columns])
        return (0, values, row.submitted, row.submission.id)


def own_place(row: Row, board: Leaderboard, places: Places) -> tuple[Any, ...]:
    """Return what rows are sorted by as long as there are no ranks to sort by."""
    if board.ranked_by is not None:
        first = [board.ranked_by]
    elif board.primary.ranks is not None:
        first = [c for key in board.primary.ranks.fields for c in board.columns if c.key == key]
    else:
        return places(row)
    others = (
        c
        for c in board.columns
        if not (c.hidden or c.over_tasks or c.key == MEAN_RANK)
        and c.breaks_ties
        and c.ranks is None
    )
    values = tuple(_signed(_own(row, column), column, board) for column in (*first, *others))
    return (-row.finished, values, row.submitted, row.submission.id)


def _own(row: Row, column: Column) -> float | None:
    """Return a value over all tasks or, where some are not finished, over the others."""
    if column.key in row.overall:
        return row.overall[column.key]
    values = [
        one.values[column.key]
        for one in row.results
        if one.state == "finished" and column.key in one.values
    ]
    return mean(values) if values else None


def listed(ordered: Sequence[Row], board: Leaderboard) -> list[Row]:
    """Apply Codabench's submission rules to whole submissions; ``ordered`` is best first."""
    rule = board.submission_rule
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
        scored = [row for row in rows if _has_result(row, board)] or rows
        best = rule == "Force_Best"
        kept.add((scored[0] if best else max(scored, key=_time)).submission.id)
    return [row for row in wanted if row.submission.id in kept]


def _has_result(row: Row, board: Leaderboard) -> bool:
    return bool(row.overall or (board.ranked_by is not None and row.finished))


def _time(row: Row) -> tuple[str, str]:
    return (row.submitted, row.submission.id)


def ranked(rows: Sequence[Row], board: Leaderboard, places: Places) -> tuple[Row, ...]:
    """Give places to rows in their order. Equal ones share a place, as ``ties`` says."""
    result: list[Row] = []
    placed = [row for row in rows if row.is_placed]
    above = 0
    groups = groupby(placed, key=lambda row: places(row)[1])
    for distinct, (_, group) in enumerate(groups, start=1):
        equal = list(group)
        rank = distinct if board.ranking.ties == "dense" else above + 1
        result += [row.at_rank(rank) for row in equal]
        above += len(equal)
    return (*result, *(row for row in rows if not row.is_placed))
