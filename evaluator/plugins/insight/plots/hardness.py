"""How hard tasks are: how near the middle of the field comes to the best."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evaluator.plugins.insight.plots.entries import BoardEntries
from evaluator.plugins.insight.statistics.boxes import Box, make_box

MIN_OTHERS = 2
"""Results beside the baseline's, below which a task says nothing."""


FAR = 1e9
"""Where scaled values end."""


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Scaled values of one task."""

    count: int
    least: float
    low: float
    """Least value that is no further from the quartiles than 1.5 times their distance."""
    q1: float
    median: float
    q3: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Hardness:
    """One task, or one data set of a board whose rows are data sets."""

    name: str
    zero: float
    """Value that is 0 of the scale: the baseline's, or the worst."""
    one: float
    """The best value, which is 1."""
    median: float
    """Of the values as they are, without the baseline's."""
    spread: Spread
    """Of the scaled values, without the baseline's."""
    is_baseline: bool
    """Whether 0 is the baseline's value."""


def hardness(board: BoardEntries) -> list[Hardness]:
    """Return what has values to compare, the hardest first.

    Values are scaled: 0 is the baseline, or the worst where there is none or nothing betters it, 1
    the best of all. The less the median of the scaled values, the harder.
    """
    lower = board.compared.sorting == "asc"
    tasks = [
        one
        for name, others, baseline in _parts(board)
        if (one := _one(name, others, baseline, lower=lower))
    ]
    return sorted(tasks, key=lambda one: (one.spread.median, one.name))


def _parts(board: BoardEntries) -> Iterator[tuple[str, list[float], float | None]]:
    """Yield the name, and values by submission or, on a transposed board, by method.

    The last is the baseline's value.
    """
    if board.transposed:
        for row, own in zip(board.listed, board.values.T, strict=False):
            yield row.submission.title, own[~np.isnan(own)].tolist(), None
        return
    listed = board.listed
    baseline = next((n for n, row in enumerate(listed) if board.group(row) == "baseline"), None)
    for task, own in zip(board.tasks, board.values[:, : len(listed)], strict=True):
        value = None if baseline is None or np.isnan(own[baseline]) else float(own[baseline])
        others = own if baseline is None else np.delete(own, baseline)
        yield task.name, others[~np.isnan(others)].tolist(), value


def _one(
    name: str, others: Sequence[float], baseline: float | None, *, lower: bool
) -> Hardness | None:
    if len(others) < MIN_OTHERS:
        return None
    values = [*others, *(() if baseline is None else (baseline,))]
    worst, best = (max(values), min(values)) if lower else (min(values), max(values))
    zero = worst if baseline is None or baseline == best else baseline
    if zero == best:
        return None
    box = make_box(others)
    if box is None:
        return None
    return Hardness(
        name=name,
        zero=zero,
        one=best,
        median=box.median,
        spread=scaled_spread(box, zero, best),
        is_baseline=baseline is not None and baseline != best,
    )


def scaled_spread(box: Box, zero: float, one: float) -> Spread:
    """Return a box on the scale from ``zero`` to ``one``; finite for any finite values."""
    span = one / 2 - zero / 2
    outer = min((box.low, *box.outliers)), max((box.high, *box.outliers))
    low, q1, median, q3, high, *ends = (
        max(-FAR, min(FAR, (value / 2 - zero / 2) / span))
        for value in (box.low, box.q1, box.median, box.q3, box.high, *outer)
    )
    if span < 0:
        low, q1, q3, high = high, q3, q1, low
    return Spread(count=box.count, least=min(ends), low=low, q1=q1, median=median, q3=q3, high=high)
