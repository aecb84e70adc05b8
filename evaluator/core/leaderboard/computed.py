"""Columns that are made from others: of the same row, or from the ranks among all rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from evaluator.core.formats.columns import Column
from evaluator.core.formats.extension import RankComputation
from evaluator.core.formats.sums import mean, total
from evaluator.core.ranking.ranks import Floats, ranks


def add_computed(values: dict[str, Floats], columns: Iterable[Column]) -> None:
    """Add columns over the operands that have a value, as Codabench does; NaN if none has."""
    for column in columns:
        operands = [values[key] for key in column.operands if key in values]
        if column.computation is None or not operands:
            continue
        if column.computation in ("min", "max"):
            smallest = column.computation == "min"
            values[column.key] = (np.fmin if smallest else np.fmax).reduce(operands)
            continue
        is_mean = column.computation == "avg"
        stacked = np.stack(operands, axis=-1)
        has_number = ~np.isnan(stacked)
        count = has_number.sum(axis=-1)
        with np.errstate(over="ignore"):
            result = np.where(has_number, stacked, 0.0).sum(axis=-1)
        # A sum of two is rounded once, as those of more numbers have to be.
        apart = (count > 2) | np.isinf(result)
        result = np.where(count == 0, np.nan, result / np.maximum(count, 1) if is_mean else result)
        result[apart] = [
            (mean if is_mean else total)(value for value in numbers if value == value)
            for numbers in stacked[apart].tolist()
        ]
        values[column.key] = result


def with_rank_columns(
    rows: Sequence[Mapping[str, float]], columns: Sequence[Column]
) -> list[dict[str, float]]:
    """Add columns made from ranks among all rows; what lacks a field has no rank in it."""
    result = [dict(row) for row in rows]
    less_is_better = {column.key: column.sorting == "asc" for column in columns}
    for column in columns:
        if column.ranks is None or column.ranks.over != "board" or not rows:
            continue
        keys = column.ranks.fields
        fields = np.array([[row.get(key) for row in rows] for key in keys], dtype=np.float64)
        values = rank_column(fields, column.ranks, [less_is_better[key] for key in keys])
        for row, value in zip(result, values.tolist(), strict=True):
            if value == value:
                row[column.key] = value
    return result


def rank_column(
    fields: Floats, computation: RankComputation, less_is_better: Sequence[bool]
) -> Floats:
    ranked = [
        ranks(field, computation.ties, ascending=ascending)
        for field, ascending in zip(fields, less_is_better, strict=True)
    ]
    if computation.operation == "mrr":
        return _sum(1 / one for one in ranked) / len(ranked)
    if computation.operation == "weighted_rank":
        weighted = (one * own for one, own in zip(ranked, computation.weights, strict=True))
        return np.asarray(sum(weighted))
    return _sum(iter(ranked)) / len(ranked)


def _sum(terms: Iterator[Floats]) -> Floats:
    """Sum with the rounding errors (Neumaier), so that the order of the terms does not matter."""
    total = next(terms)
    errors = np.zeros_like(total)
    for term in terms:
        exact = total + term
        part = exact - total
        errors += (total - (exact - part)) + (term - part)
        total = exact
    return total + errors
