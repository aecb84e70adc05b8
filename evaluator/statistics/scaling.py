"""Scores on one scale over tasks: 0 is a constant predictor, 1 a tuned forest or its like.

Where a benchmark names neither, 0 is the worst and 1 the best method of each task, as the AMLB
paper does for its upper end.
"""

from collections.abc import Mapping

from evaluator.statistics.outcomes import Table


def scale(
    table: Table, *, zero: str | None = None, one: str | None = None
) -> dict[str, dict[str, float | None]]:
    """Return (x - zero) / (one - zero) for each block; None where both ends are equal or absent."""
    return {block: _scaled(values, zero, one) for block, values in table.items()}


def _scaled(
    values: Mapping[str, float | None], zero: str | None, one: str | None
) -> dict[str, float | None]:
    numbers = [value for value in values.values() if value is not None]
    low = values.get(zero) if zero else min(numbers, default=None)
    high = values.get(one) if one else max(numbers, default=None)
    if low is None or high is None or low == high:
        return dict.fromkeys(values)
    return {
        method: None if value is None else (value - low) / (high - low)
        for method, value in values.items()
    }
