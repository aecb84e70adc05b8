"""Columns made from ranks among rows: over the whole board, and on each task."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace

from msgspec import structs

from evaluator.formats.columns import COVERAGE, MEAN_RANK, WIN_RATE, Column, Leaderboard
from evaluator.formats.sums import mean
from evaluator.leaderboard.order import rounded
from evaluator.leaderboard.rank_columns import rank_values, with_missing, with_rank_columns
from evaluator.leaderboard.rows import Row
from evaluator.leaderboard.win_rates import Contest, win_rates


def with_ranks(rows: Sequence[Row], board: Leaderboard) -> list[Row]:
    """Add every column that is made from ranks among these rows."""
    if board.ranked_by is not None:
        add = _with_win_rates if board.aggregate == "win_rate" else _with_mean_ranks
        rows = add(rows, board, board.ranked_by)
    rows = _with_ranks_on_tasks(rows, board)
    if not any(column.ranks and column.ranks.over == "board" for column in board.columns):
        return list(rows)
    overall = with_rank_columns([row.overall for row in rows], board.columns)
    return [replace(row, overall=values) for row, values in zip(rows, overall, strict=True)]


def _with_win_rates(rows: Sequence[Row], board: Leaderboard, column: Column) -> list[Row]:
    """Compare all rows on each task on which they have run."""
    sign = 1 if column.sorting == "desc" else -1

    def contests(slug: str) -> Iterator[Contest]:
        for row in rows:
            result = row.tasks[slug]
            value = rounded(result.values.get(column.key), board)
            if slug not in row.counted or result.state not in ("finished", "failed"):
                continue
            failed = result.state == "failed" or value is None
            yield Contest(
                row=row.submission.id, participant=row.submission.participant,
                value=float("-inf") if failed or value is None else sign * value,
            )  # fmt: skip

    slugs = dict.fromkeys(slug for row in rows for slug in row.tasks)
    rates = win_rates(list(contests(slug)) for slug in slugs)
    result: list[Row] = []
    for row in rows:
        ran = sum(one.state in ("finished", "failed") for one in row.results)
        coverage = {COVERAGE: ran / len(row.results)} if row.results else {}
        found = rates.get(row.submission.id)
        rate = {WIN_RATE: found.rate} if found else {}
        result.append(replace(row, overall={**row.overall, **coverage, **rate} if ran else {}))
    return result


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
            if row.tasks[slug].state == "finished" and slug in row.counted
            else None
            for row in rows
        ]
        ranks = rank_values(values, column.sorting, board.ranking.ties)
        by_task[slug] = with_missing(ranks, board.ranking.missing)
    result: list[Row] = []
    for position, row in enumerate(rows):
        if not row.finished:
            result.append(row)
            continue
        own = {slug: by_task[slug][position] for slug in row.counted}
        placed = {
            slug: structs.replace(one, values={**one.values, MEAN_RANK: own[slug]})
            if one.state == "finished" and slug in own
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
