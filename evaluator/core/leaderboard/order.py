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

from evaluator.core.formats.columns import Column, Leaderboard
from evaluator.core.formats.sums import mean
from evaluator.core.leaderboard.rows import Row
from evaluator.core.ranking.ranks import levelled, ranks, rounded


class Order:
    """By what the rows of a board are sorted, best first.

    Worked out for all of them at once, since values that count as equal are so among others.
    """

    def __init__(self, rows: Sequence[Row], board: Leaderboard) -> None:
        """Sort by the primary column, then by the visible ones that break ties."""
        self._board = board
        placed = [row for row in rows if row.is_placed]
        columns = board.sorting_columns
        values = _comparable([[row.overall.get(c.key) for c in columns] for row in placed], columns,
                             board)  # fmt: skip
        self._values = dict(zip(map(_id, placed), values, strict=True))

    def __call__(self, row: Row) -> tuple[Any, ...]:
        """Return what a row is sorted by; what has no place comes last."""
        if not row.is_placed:
            return (1, (-row.finished,), row.submitted, row.submission.id)
        return (0, self._values[_id(row)], row.submitted, row.submission.id)

    def ranked(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        """Give ranks to rows in their order. Equal ones share a rank, as ``ties`` says."""
        placed = [row for row in rows if row.is_placed]
        differs = [
            self._values[_id(one)] != self._values[_id(other)] for one, other in pairwise(placed)
        ]
        keys = np.cumsum([0, *differs][: len(placed)], dtype=np.float64)
        shared = ranks(keys, "dense" if self._board.ranking.ties == "dense" else "competition")
        return (
            *(replace(row, rank=int(rank)) for row, rank in zip(placed, shared, strict=True)),
            *(row for row in rows if not row.is_placed),
        )


def _id(row: Row) -> str:
    return row.submission.id


def _comparable(
    values: Sequence[Sequence[float | None]], columns: Sequence[Column], board: Leaderboard
) -> list[tuple[float, ...]]:
    """Return the values of rows, the least of which is the best; what is missing is the worst."""
    signs = [1.0 if column.sorting == "asc" else -1.0 for column in columns]
    signed = np.array(values, dtype=np.float64).reshape(-1, len(columns)) * signs
    signed[np.isnan(signed)] = np.inf
    return list(map(tuple, levelled(rounded(signed, board.ranking.decimals).T).T.tolist()))


def in_order_before_ranks(rows: Sequence[Row], board: Leaderboard) -> list[Row]:
    """Sort rows as long as there are no ranks to sort by."""
    if board.ranked_by is not None:
        first = [board.ranked_by]
    elif board.primary.ranks is not None:
        first = [c for key in board.primary.ranks.fields for c in board.columns if c.key == key]
    else:
        return sorted(rows, key=Order(rows, board))
    others = (
        column
        for column in board.columns
        if column.breaks_ties and column.ranks is None and not (column.hidden or column.of_rule)
    )
    columns = (*first, *others)
    values = _comparable([[_value(row, column) for column in columns] for row in rows], columns,
                         board)  # fmt: skip
    keys = dict(zip(map(_id, rows), values, strict=True))
    return sorted(
        rows, key=lambda row: (-row.finished, keys[_id(row)], row.submitted, row.submission.id)
    )


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
