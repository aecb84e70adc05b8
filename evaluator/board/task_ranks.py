"""Columns made from ranks among rows: over the whole board, and on each task."""

import statistics
from collections.abc import Sequence
from dataclasses import replace

from evaluator.board.order import rounded
from evaluator.board.ranks import rank_values, with_missing, with_rank_columns
from evaluator.board.rows import Row
from evaluator.formats.columns import MEAN_RANK, Column, Leaderboard


def with_ranks(rows: Sequence[Row], board: Leaderboard) -> list[Row]:
    """Add every column that is made from ranks among these rows."""
    if board.ranked_by is not None:
        rows = _with_mean_ranks(rows, board, board.ranked_by)
    rows = _with_ranks_on_tasks(rows, board)
    overall = with_rank_columns([row.overall for row in rows], board.columns)
    return [replace(row, overall=values) for row, values in zip(rows, overall, strict=True)]


def _with_mean_ranks(rows: Sequence[Row], board: Leaderboard, column: Column) -> list[Row]:
    """Rank the rows on each task, and each row by the mean of its ranks.

    What failed on one task has the rank there that ``missing`` gives; what has no result at all
    has none.
    """
    tasks = dict.fromkeys(slug for row in rows for slug in row.tasks)
    by_task: dict[str, list[float]] = {}
    for slug in tasks:
        values = [
            rounded(row.tasks[slug].values.get(column.key), board)
            if row.tasks[slug].state == "finished"
            else None
            for row in rows
        ]
        ranks = rank_values(values, column.sorting, board.ranking.ties)
        by_task[slug] = with_missing(ranks, board.ranking.missing)
    result: list[Row] = []
    for position, row in enumerate(rows):
        if not any(one.state == "finished" for one in row.tasks.values()):
            result.append(row)
            continue
        own = {slug: by_task[slug][position] for slug in row.tasks}
        placed = {
            slug: replace(one, values={**one.values, MEAN_RANK: own[slug]})
            if one.state == "finished"
            else one
            for slug, one in row.tasks.items()
        }
        overall = {**row.overall, MEAN_RANK: statistics.fmean(own.values())}
        result.append(replace(row, tasks=placed, overall=overall))
    return result


def _with_ranks_on_tasks(rows: Sequence[Row], board: Leaderboard) -> list[Row]:
    """Add the columns that are made from ranks on each task, and their means over the tasks."""
    keys = [c.key for c in board.columns if c.ranks is not None and c.ranks.over == "tasks"]
    if not keys:
        return list(rows)
    values = {
        slug: with_rank_columns(
            [row.tasks[slug].values if row.tasks[slug].state == "finished" else {} for row in rows],
            board.columns,
            over="tasks",
        )
        for slug in dict.fromkeys(slug for row in rows for slug in row.tasks)
    }
    result: list[Row] = []
    for position, row in enumerate(rows):
        tasks = {
            slug: replace(one, values={**one.values, **values[slug][position]})
            for slug, one in row.tasks.items()
        }
        means = {
            key: statistics.fmean(one.values[key] for one in tasks.values())
            for key in keys
            if all(key in one.values for one in tasks.values())
        }
        overall = {**row.overall, **means} if row.overall else row.overall
        result.append(replace(row, tasks=tasks, overall=overall))
    return result
