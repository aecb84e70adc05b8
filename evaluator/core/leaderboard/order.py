"""Ranks among rows, in which order rows stand, which of them are listed, and who shares a place.

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
from evaluator.core.leaderboard.computed import rank_column, with_rank_columns
from evaluator.core.leaderboard.rows import Row
from evaluator.core.leaderboard.table import FAILED, FINISHED, Floats, Table
from evaluator.core.ranking.ranks import levelled, ranks, rounded
from evaluator.core.ranking.rule import Compared


def with_ranks(table: Table, rows: Sequence[Row], board: Leaderboard) -> tuple[Table, list[Row]]:
    """Add every column that is made from ranks among these rows."""
    if rows and board.ranked_by is not None:
        table, rows = _by_rule(table, rows, board, board.ranked_by)
    if rows:
        table, rows = _with_ranks_on_tasks(table, rows, board)
    if not any(column.ranks and column.ranks.over == "board" for column in board.columns):
        return table, list(rows)
    overall = with_rank_columns([row.overall for row in rows], board.columns)
    return table, [replace(row, overall=values) for row, values in zip(rows, overall, strict=True)]


def _by_rule(
    table: Table, rows: Sequence[Row], board: Leaderboard, column: Column
) -> tuple[Table, list[Row]]:
    """Compare the rows on each task by a column, and rank each by what it gets there.

    What has no result at all takes no part.
    """
    rule = board.rule
    slugs = rows[0].task_slugs
    places = [row.place for row in rows]
    states = table.states[: len(slugs), places]
    values = table.finished(column.key)[: len(slugs), places]
    counted = np.array([[slug in row.counted for row in rows] for slug in slugs])
    ran = counted & (states == FINISHED)
    if rule.failures_lose:
        ran |= counted & (states == FAILED)
        worst = np.inf if column.sorting == "asc" else -np.inf
        values[ran & np.isnan(values)] = worst
    values[~ran] = np.nan
    weights = np.array(rows[0].weights)
    parts = np.where(counted, rule.parts(values, compared_rows(rows, board)), np.nan)
    result: list[Row] = []
    for place, row in enumerate(rows):
        if not ran[:, place].any():
            result.append(replace(row, overall={}))
            continue
        known = ~np.isnan(parts[:, place])
        task_parts, shares = parts[known, place].tolist(), weights[known].tolist()
        coverage = int(ran[:, place].sum()) / len(row.counted_places)
        overall = {**row.overall, **rule.overall(task_parts, shares, coverage)}
        result.append(replace(row, overall=overall))
    if board.primary.over_tasks:
        return table, result
    # The rule's first column says something of single tasks, where it says anything there.
    shown = np.where((states == FINISHED) & ran.any(axis=0), parts, np.nan)
    return _with_column(table, board.primary.key, shown, places), result


def _with_column(table: Table, key: str, values: Floats, places: Sequence[int]) -> Table:
    column = table.value(key).copy()
    part = column[: len(values), places]
    column[: len(values), places] = np.where(np.isnan(values), part, values)
    return table.with_values({key: column})


def compared_rows(rows: Sequence[Row], board: Leaderboard) -> Compared:
    """Return what a rule knows of rows beside their values."""
    return Compared(
        participants=[row.submission.participant for row in rows],
        ascending=(board.ranked_by or board.primary).sorting == "asc",
        ties=board.ranking.ties,
        missing=board.ranking.missing,
        decimals=board.ranking.decimals,
    )


def _with_ranks_on_tasks(
    table: Table, rows: Sequence[Row], board: Leaderboard
) -> tuple[Table, Sequence[Row]]:
    """Add the columns that are made from ranks on each task, and their means over the tasks."""
    less_is_better = {column.key: column.sorting == "asc" for column in board.columns}
    places = [row.place for row in rows]
    count = len(rows[0].task_slugs)
    means: dict[str, list[float | None]] = {}
    added = table
    for column in board.columns:
        if column.ranks is None or column.ranks.over != "tasks":
            continue
        keys = column.ranks.fields
        fields = np.array([table.finished(key)[:count, places] for key in keys])
        on_tasks = rank_column(fields, column.ranks, [less_is_better[key] for key in keys])
        added = _with_column(added, column.key, on_tasks, places)
        means[column.key] = [
            None if np.isnan(values).any() else mean(values.tolist(), rows[0].weights)
            for values in on_tasks.T
        ]
    if not means:
        return table, rows
    return added, [
        replace(
            row,
            overall={
                **row.overall,
                **{key: own for key, every in means.items() if (own := every[place]) is not None},
            },
        )
        if row.overall
        else row
        for place, row in enumerate(rows)
    ]


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
