"""Scores on one scale over tasks: 0 is a constant predictor, 1 a tuned forest or its like.

Where a benchmark names neither, 0 is the worst and 1 the best method of each task, as the AMLB
paper does for its upper end. With both, scores are scaled fold by fold, as AMLB's reports do it.
"""

from collections.abc import Mapping

from evaluator.core.formats.sums import mean
from evaluator.plugins.insight.statistics.outcomes import Outcomes, Table, blocks, single_folds


def scale_outcomes(
    outcomes: Outcomes, *, zero: str | None = None, one: str | None = None
) -> dict[str, dict[str, float | None]]:
    """Scale each block of the outcomes; between two named ends each fold, and then their mean.

    Folds on which the ends are equal or absent have no scale, and take no part.
    """
    if outcomes.by_fold or zero is None or one is None:
        return scale(blocks(outcomes), zero=zero, one=one)
    scaled = scale(single_folds(outcomes), zero=zero, one=one)
    return {
        task: {method: _mean(outcomes, scaled, task, method) for method in outcomes.methods}
        for task in outcomes.tasks
    }


def _mean(outcomes: Outcomes, scaled: Table, task: str, method: str) -> float | None:
    folds = outcomes.values[task, method]
    if any(value is None for value in folds):
        return None
    values = [scaled[f"{task}, fold {fold}"][method] for fold in range(len(folds))]
    there = [value for value in values if value is not None]
    return mean(there) if there else None


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
