"""Ranks and order of rows, which of them are listed, and who shares a place.

A participant's best entry is chosen before there are mean ranks, so that their other entries do
not make ranks. Where a board ranks by ranks, their entries are compared by how many tasks they have
finished, then by what the ranks are made of: the mean over the finished tasks of each column in
turn, in its direction.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from evaluator.core.formats.columns import Column, Leaderboard
from evaluator.core.formats.sums import mean
from evaluator.core.leaderboard.computed import rank_column, with_rank_columns
from evaluator.core.leaderboard.rows import Row
from evaluator.core.leaderboard.table import FAILED, FINISHED, Floats, Table
from evaluator.core.ranking.ranks import levelled, ranks, rounded
from evaluator.core.ranking.rule import ComparedRows


def with_ranks(table: Table, rows: Sequence[Row], board: Leaderboard) -> tuple[Table, list[Row]]:
    """Add every column that is made from ranks among these rows: on tasks, then over the board."""
    if not rows:
        return table, []
    places = [row.place for row in rows]
    if board.ranked_by is not None:
        table, rows = _by_rule(table, rows, places, board, board.ranked_by)
    table, rows = _with_ranks_on_tasks(table, rows, places, board)
    if not any(column.ranks and column.ranks.over == "board" for column in board.columns):
        return table, list(rows)
    overall = with_rank_columns([row.overall for row in rows], board.columns)
    return table, [replace(row, overall=values) for row, values in zip(rows, overall, strict=True)]


def _by_rule(
    table: Table, rows: Sequence[Row], places: list[int], board: Leaderboard, column: Column
) -> tuple[Table, list[Row]]:
    """Compare the rows that have a result on each task by a column, and rank each by its parts."""
    rule = board.rule
    slugs = rows[0].task_slugs
    states = table.states[: len(slugs), places]
    values = table.finished(column.key)[: len(slugs), places]
    counted = np.array([[slug in row.counted for row in rows] for slug in slugs])
    ran = counted & (states == FINISHED)
    if rule.failures_lose:
        ran |= counted & (states == FAILED)
        values[ran & np.isnan(values)] = np.inf if column.sorting == "asc" else -np.inf
    values[~ran] = np.nan
    weights = np.array(rows[0].weights)
    parts = np.where(counted, rule.parts(values, compared_rows(rows, board)), np.nan)

    def overall(number: int, row: Row) -> dict[str, float]:
        if not ran[:, number].any():
            return {}
        known = ~np.isnan(parts[:, number])
        coverage = int(ran[:, number].sum()) / len(row.counted_places)
        computed = rule.overall(parts[known, number].tolist(), weights[known].tolist(), coverage)
        return {**row.overall, **computed}

    result = [replace(row, overall=overall(number, row)) for number, row in enumerate(rows)]
    if board.primary.over_tasks:
        return table, result
    # The rule's first column says something of single tasks, where it says anything there.
    shown = np.where((states == FINISHED) & ran.any(axis=0), parts, np.nan)
    return _with_column(table, board.primary.key, shown, places), result


def _with_column(table: Table, key: str, values: Floats, places: Sequence[int]) -> Table:
    column = table.value(key).copy()
    part = column[: len(values), places]
    column[: len(values), places] = np.where(np.isnan(values), part, values)
    return replace(table, values={**table.values, key: column})


def compared_rows(rows: Sequence[Row], board: Leaderboard) -> ComparedRows:
    return ComparedRows(
        participants=[row.submission.competitor for row in rows],
        ascending=(board.ranked_by or board.primary).sorting == "asc",
        ties=board.ranking.ties,
        missing=board.ranking.missing,
        decimals=board.ranking.decimals,
    )


def _with_ranks_on_tasks(
    table: Table, rows: Sequence[Row], places: list[int], board: Leaderboard
) -> tuple[Table, Sequence[Row]]:
    if not any(column.ranks and column.ranks.over == "tasks" for column in board.columns):
        return table, rows
    less_is_better = {column.key: column.sorting == "asc" for column in board.columns}
    count, weights = len(rows[0].task_slugs), np.array(rows[0].weights)
    overall = [dict(row.overall) for row in rows]
    added = table
    for column in board.columns:
        if column.ranks is None or column.ranks.over != "tasks":
            continue
        keys = column.ranks.fields
        fields = np.array([table.finished(key)[:count, places] for key in keys])
        on_tasks = rank_column(fields, column.ranks, [less_is_better[key] for key in keys])
        added = _with_column(added, column.key, on_tasks, places)
        for values, own, row in zip(on_tasks.T, overall, rows, strict=True):
            counted = row.counted_places
            if own and not np.isnan(values[counted]).any():
                own[column.key] = mean(values[counted].tolist(), weights[counted].tolist())
    return added, [replace(row, overall=own) for row, own in zip(rows, overall, strict=True)]


class RowOrder:
    """Sorts the rows of a board, all at once, since equality of values depends on the others."""

    def __init__(self, rows: Sequence[Row], board: Leaderboard) -> None:
        self._board = board
        placed = [row for row in rows if row.is_placed]
        columns = board.sorting_columns
        values = _comparable([[row.overall.get(c.key) for c in columns] for row in placed], columns,
                             board)  # fmt: skip
        self._values = {row.place: own for row, own in zip(placed, values, strict=True)}

    def __call__(self, row: Row) -> tuple[Any, ...]:
        """What a row is sorted by; what has no place comes last."""
        if not row.is_placed:
            return (1, (-row.finished,), row.submitted, row.submission.id)
        return (0, self._values[row.place], row.submitted, row.submission.id)

    def ranked(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        """Give ranks to rows in their order. Equal ones share a rank, as ``ties`` says."""
        placed = [row for row in rows if row.is_placed]
        differs = [
            self._values[one.place] != self._values[other.place] for one, other in pairwise(placed)
        ]
        keys = np.cumsum([0, *differs][: len(placed)], dtype=np.float64)
        shared = ranks(keys, "dense" if self._board.ranking.ties == "dense" else "competition")
        return (
            *(replace(row, rank=int(rank)) for row, rank in zip(placed, shared, strict=True)),
            *(row for row in rows if not row.is_placed),
        )


def _comparable(
    values: Sequence[Sequence[float | None]], columns: Sequence[Column], board: Leaderboard
) -> list[tuple[float, ...]]:
    """The values of rows, the least of which is the best; what is missing is the worst."""
    signs = [1.0 if column.sorting == "asc" else -1.0 for column in columns]
    signed = np.array(values, dtype=np.float64).reshape(-1, len(columns)) * signs
    signed[np.isnan(signed)] = np.inf
    return list(map(tuple, levelled(rounded(signed, board.ranking.decimals).T).T.tolist()))


def best_first(rows: Sequence[Row], board: Leaderboard) -> list[Row]:
    """Sort rows as long as there are no ranks to sort by."""
    if board.ranked_by is not None:
        first = [board.ranked_by]
    elif board.primary.ranks is not None:
        first = [c for key in board.primary.ranks.fields for c in board.columns if c.key == key]
    else:
        return sorted(rows, key=RowOrder(rows, board))
    others = (
        column
        for column in board.columns
        if column.breaks_ties and column.ranks is None and not (column.hidden or column.of_rule)
    )
    columns = (*first, *others)
    values = _comparable([[_value(row, column) for column in columns] for row in rows], columns,
                         board)  # fmt: skip
    keys = {row.place: own for row, own in zip(rows, values, strict=True)}
    return sorted(
        rows, key=lambda row: (-row.finished, keys[row.place], row.submitted, row.submission.id)
    )


def _value(row: Row, column: Column) -> float | None:
    """A value over all tasks or, where some are not finished, over the others."""
    if column.key in row.overall:
        return row.overall[column.key]
    counted = row.counted_places
    on_tasks = row.table.value(column.key)[counted, row.place]
    known = (row.states[counted] == FINISHED) & ~np.isnan(on_tasks)
    weights = np.array(row.weights)[counted]
    return mean(on_tasks[known].tolist(), weights[known].tolist()) if known.any() else None


def by_submission_rule(ordered: Sequence[Row], board: Leaderboard) -> list[Row]:
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
    by_competitor: dict[str, list[Row]] = {}
    for row in wanted:
        by_competitor.setdefault(row.submission.competitor, []).append(row)
    chosen = set()
    for rows in by_competitor.values():
        by_ranks = board.ranked_by is not None
        scored = [row for row in rows if row.overall or (by_ranks and row.finished)] or rows
        last = max(scored, key=lambda row: (row.submitted, row.submission.id))
        chosen.add((scored[0] if rule == "Force_Best" else last).place)
    return [row for row in wanted if row.place in chosen]
