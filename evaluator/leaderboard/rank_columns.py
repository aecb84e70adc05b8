"""Columns made from ranks: mean rank, weighted rank, mean reciprocal rank."""

import statistics
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Literal

from evaluator.formats.columns import Column, SortOrder
from evaluator.formats.extension import RankComputation

Values = Mapping[str, float]


def with_rank_columns(
    rows: Sequence[Values], columns: Sequence[Column], over: Literal["board", "tasks"] = "board"
) -> list[dict[str, float]]:
    """Add the columns that are made from ranks of others among all rows.

    ``rows`` hold values by column key; a row without all fields gets no value, and takes no part
    in the ranks of the fields that it lacks. Only columns whose ranks are of that kind are added.
    """
    result = [dict(row) for row in rows]
    sorting = {column.key: column.sorting for column in columns}
    for column in columns:
        if column.ranks is None or column.ranks.over != over:
            continue
        fields = {
            key: rank_values([row.get(key) for row in rows], sorting[key], column.ranks.ties)
            for key in column.ranks.fields
        }
        for position, row in enumerate(result):
            ranks = [fields[key][position] for key in column.ranks.fields]
            known = [rank for rank in ranks if rank is not None]
            if len(known) == len(ranks):
                row[column.key] = _combine(known, column.ranks)
    return result


def with_missing(
    ranks: Sequence[float | None], missing: Literal["last", "last+1", "worst"]
) -> list[float]:
    """Give a rank to those without one.

    ``last``: that of the last value; ``last+1``: one more; ``worst``: the number of all.
    """
    last = max((rank for rank in ranks if rank is not None), default=0.0)
    given = {"last": max(last, 1.0), "last+1": last + 1, "worst": float(len(ranks))}[missing]
    return [given if rank is None else rank for rank in ranks]


def _combine(ranks: Sequence[float], computation: RankComputation) -> float:
    if computation.operation == "mrr":
        return statistics.fmean(1 / rank for rank in ranks)
    if computation.operation == "weighted_rank":
        return sum(rank * weight for rank, weight in zip(ranks, computation.weights, strict=True))
    return statistics.fmean(ranks)


def rank_values(
    values: Sequence[float | None], sorting: SortOrder, ties: str
) -> list[float | None]:
    """Ranks from 1, best first; None for None.

    ``ties``: equal values get 1, 1, 3 (``competition``), 1, 1, 2 (``dense``) or 1.5, 1.5, 3
    (``average``).
    """
    ranks: list[float | None] = [None] * len(values)
    known = [(value, position) for position, value in enumerate(values) if value is not None]
    known.sort(key=lambda pair: pair[0] if sorting == "asc" else -pair[0])
    above = 0
    for distinct, (_, group) in enumerate(groupby(known, key=lambda pair: pair[0]), start=1):
        positions = [position for _, position in group]
        rank = {
            "competition": above + 1.0,
            "dense": float(distinct),
            "average": above + (len(positions) + 1) / 2,
        }[ties]
        for position in positions:
            ranks[position] = rank
        above += len(positions)
    return ranks
