"""Columns made from ranks among rows: over the whole board, and on each task."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evaluator.core.formats.columns import Column, Leaderboard
from evaluator.core.formats.sums import mean
from evaluator.core.leaderboard.rank_columns import rank_column, with_rank_columns
from evaluator.core.leaderboard.rows import Row
from evaluator.core.leaderboard.table import FAILED, FINISHED, Floats, Table
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
