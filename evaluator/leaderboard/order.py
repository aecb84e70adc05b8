"""In which order rows stand, which of them the submission rule lists, and who shares a place.

A participant's best entry is chosen before there are mean ranks, so that their other entries do
not make ranks. Where a board ranks by ranks, their entries are compared by how many tasks they have
finished, then by what the ranks are made of: the mean over the finished tasks of each column in
turn, in its direction.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from evaluator.formats.columns import Column, Leaderboard
from evaluator.formats.sums import mean
from evaluator.leaderboard.rows import Row
from evaluator.ranking.ranks import ranks, rounded


def _signed(
    values: Sequence[float | None], columns: Sequence[Column], board: Leaderboard
) -> tuple[float, ...]:
    """Return values of which the least is the best, rounded; what is missing is the worst."""
    signed = [
        float("inf") if value is None else value if column.sorting == "asc" else -value
        for value, column in zip(values, columns, strict=True)
    ]
    if board.ranking.decimals is not None:
        signed = rounded(np.array(signed), board.ranking.decimals).tolist()
    return tuple(signed)


class Places:
    """By what rows of a board are sorted, best first: worked out once for each of them."""

    def __init__(self, board: Leaderboard) -> None:
        self._board = board
        self._known: dict[int, tuple[Row, tuple[Any, ...]]] = {}

    def __call__(self, row: Row) -> tuple[Any, ...]:
        """Return the primary column, then the visible ones that break ties, where it has a place.

        Values count in the direction of their column.
        """
        known = self._known.get(id(row))
        if known is None:  # and with the place the row itself, so that no other gets its id
            known = self._known[id(row)] = row, self._place(row)
        return known[1]

    def _place(self, row: Row) -> tuple[Any, ...]:
        if not row.is_placed:
            return (1, (-row.finished,), row.submitted, row.submission.id)
        columns = self._board.sorting_columns
        values = _signed([row.overall.get(c.key) for c in columns], columns, self._board)
        return (0, values, row.submitted, row.submission.id)


def place_before_ranks(row: Row, board: Leaderboard, places: Places) -> tuple[Any, ...]:
    """Return what rows are sorted by as long as there are no ranks to sort by."""
    if board.ranked_by is not None:
        first = [board.ranked_by]
    elif board.primary.ranks is not None:
        first = [c for key in board.primary.ranks.fields for c in board.columns if c.key == key]
    else:
        return places(row)
    others = (
        column
        for column in board.columns
        if column.breaks_ties and column.ranks is None and not (column.hidden or column.of_rule)
    )
    columns = (*first, *others)
    values = _signed([_value(row, column) for column in columns], columns, board)
    return (-row.finished, values, row.submitted, row.submission.id)


def _value(row: Row, column: Column) -> float | None:
    """Return a value over all tasks or, where some are not finished, over the others."""
    if column.key in row.overall:
        return row.overall[column.key]
    on_tasks = row.table.finished(column.key)[row.counted_places, row.place]
    known = ~np.isnan(on_tasks)
    weights = np.array(row.weights)[row.counted_places]
    return mean(on_tasks[known].tolist(), weights[known].tolist()) if known.any() else None


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
    chosen: set[str] = set()
    for _, group in groupby(
        sorted(wanted, key=lambda row: row.submission.participant),
        key=lambda row: row.submission.participant,
    ):
        rows = list(group)
        scored = [row for row in rows if _has_result(row, board)] or rows
        best = rule == "Force_Best"
        chosen.add((scored[0] if best else max(scored, key=_time)).submission.id)
    return [row for row in wanted if row.submission.id in chosen]


def _has_result(row: Row, board: Leaderboard) -> bool:
    return bool(row.overall or (board.ranked_by is not None and row.finished))


def _time(row: Row) -> tuple[str, str]:
    return (row.submitted, row.submission.id)


def ranked(rows: Sequence[Row], board: Leaderboard, places: Places) -> tuple[Row, ...]:
    """Give ranks to rows in their order. Equal ones share a rank, as ``ties`` says."""
    placed = [row for row in rows if row.is_placed]
    values = [places(row)[1] for row in placed]
    differs = [one != other for one, other in pairwise(values)]
    keys = np.cumsum([0, *differs][: len(placed)], dtype=np.float64)
    shared = ranks(keys, "dense" if board.ranking.ties == "dense" else "competition")
    return (
        *(replace(row, rank=int(rank)) for row, rank in zip(placed, shared.tolist(), strict=True)),
        *(row for row in rows if not row.is_placed),
    )
