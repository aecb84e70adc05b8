"""Columns made from ranks among rows: over the whole board, and on each task."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from msgspec import structs

from evaluator.formats.columns import Column, Leaderboard
from evaluator.formats.sums import mean
from evaluator.leaderboard.cells import TaskResult
from evaluator.leaderboard.rank_columns import with_rank_columns
from evaluator.leaderboard.rows import Row
from evaluator.leaderboard.summaries import STATES
from evaluator.ranking.rule import Compared


def with_ranks(rows: Sequence[Row], board: Leaderboard) -> list[Row]:
    """Add every column that is made from ranks among these rows."""
    if rows and board.ranked_by is not None:
        rows = _by_rule(rows, board, board.ranked_by)
    rows = _with_ranks_on_tasks(rows, board)
    if not any(column.ranks and column.ranks.over == "board" for column in board.columns):
        return list(rows)
    overall = with_rank_columns([row.overall for row in rows], board.columns)
    return [replace(row, overall=values) for row, values in zip(rows, overall, strict=True)]


def _by_rule(rows: Sequence[Row], board: Leaderboard, column: Column) -> list[Row]:
    """Compare the rows on each task by a column, and rank each by what it gets there.

    What has no result at all takes no part.
    """
    rule = board.rule
    slugs = list(dict.fromkeys(slug for row in rows for slug in row.tasks))
    shape = (len(rows), len(slugs))
    states = np.array([[*row.summary.states] for row in rows], dtype=np.int8).reshape(shape)
    finished = [row.summary.finished(column.key) for row in rows]
    values = np.array(finished, dtype=np.float64).reshape(shape)
    counted = np.array([[slug in row.counted for slug in slugs] for row in rows]).reshape(shape)
    ran = counted & (states == STATES.index("finished"))
    if rule.failures_lose:
        ran |= counted & (states == STATES.index("failed"))
        worst = np.inf if column.sorting == "asc" else -np.inf
        values[ran & np.isnan(values)] = worst
    values[~ran] = np.nan
    parts = rule.parts(values.T, compared_rows(rows, board)).T
    result: list[Row] = []
    for place, row in enumerate(rows):
        if not ran[place].any():
            result.append(replace(row, overall={}))
            continue
        task_parts = {
            slug: part
            for slug, counts, part in zip(
                slugs, counted[place].tolist(), parts[place].tolist(), strict=True
            )
            if counts and not math.isnan(part)
        }
        coverage = int(ran[place].sum()) / len(row.results)
        overall = {**row.overall, **rule.overall(list(task_parts.values()), coverage)}
        result.append(
            replace(row, tasks=_with_parts(row.tasks, task_parts, board), overall=overall)
        )
    return result


def compared_rows(rows: Sequence[Row], board: Leaderboard) -> Compared:
    """Return what a rule knows of rows beside their values."""
    return Compared(
        participants=[row.submission.participant for row in rows],
        ascending=(board.ranked_by or board.primary).sorting == "asc",
        ties=board.ranking.ties,
        missing=board.ranking.missing,
        decimals=board.ranking.decimals,
    )


def _with_parts(
    tasks: Mapping[str, TaskResult], own: Mapping[str, float], board: Leaderboard
) -> Mapping[str, TaskResult]:
    """Add the rule's first column to the results of single tasks, where it says anything there."""
    column = board.primary
    if column.over_tasks:
        return tasks
    return {
        slug: structs.replace(one, values={**one.values, column.key: own[slug]})
        if one.state == "finished" and slug in own
        else one
        for slug, one in tasks.items()
    }


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
            slug: structs.replace(one, values={**one.values, **values[slug][position]})
            for slug, one in row.tasks.items()
        }
        means = {
            key: mean(one.values[key] for one in tasks.values())
            for key in keys
            if all(key in one.values for one in tasks.values())
        }
        overall = {**row.overall, **means} if row.overall else row.overall
        result.append(replace(row, tasks=tasks, overall=overall))
    return result
