"""How hard tasks are: how near the middle of the field comes to the best."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluator.board.analysis.boxes import Box, make_box
from evaluator.board.plots.entries import BoardEntries


@dataclass(frozen=True, kw_only=True)
class Hardness:
    """One task, or one data set of a board whose rows are data sets."""

    name: str
    slug: str
    zero: float
    """Value that is 0 of the scale: the baseline's, or the worst."""
    one: float
    """The best value, which is 1."""
    median: float
    """Of the values as they are."""
    box: Box
    """Of the scaled values."""
    is_baseline: bool
    """Whether 0 is the baseline's value."""


def hardness(board: BoardEntries) -> list[Hardness]:
    """Return what has values to compare, the hardest first.

    Values are scaled: 0 is the baseline, or the worst where there is none or nothing betters it, 1
    the best of all. The less the median of the scaled values, the harder.
    """
    found = [
        one for slug, name, values in _parts(board)
        if (one := _one(slug, name, values, None if board.transposed else board.baseline, board))
    ]  # fmt: skip
    return sorted(found, key=lambda one: (one.box.median, one.name))


def _parts(board: BoardEntries) -> list[tuple[str, str, Mapping[str, float]]]:
    """Return slug, name, and values by submission or, on a transposed board, by method."""
    if board.transposed:
        return [(entry.id, entry.title, entry.tasks) for entry in board.listed]
    return [
        (
            task.slug, task.name,
            {e.id: e.tasks[task.slug] for e in board.listed if task.slug in e.tasks},
        )
        for task in board.tasks
    ]  # fmt: skip


def _one(
    slug: str, name: str, values: Mapping[str, float], baseline: str | None, board: BoardEntries
) -> Hardness | None:
    if len(values) < 3:
        return None
    lower = board.compared.sorting == "asc"
    worst, best = (max, min) if lower else (min, max)
    one = best(values.values())
    start = values.get(baseline) if baseline else None
    is_baseline = start is not None and start != one
    zero = start if start is not None and is_baseline else worst(values.values())
    if zero == one:
        return None
    box = make_box(scaled(list(values.values()), zero, one))
    if box is None:
        return None
    return Hardness(
        name=name, slug=slug, zero=zero, one=one, median=statistics.median(values.values()),
        box=box, is_baseline=is_baseline,
    )  # fmt: skip


def scaled(values: Sequence[float], zero: float, one: float) -> list[float]:
    """Return values on the scale from ``zero`` to ``one``; finite for any finite values."""
    span = one / 2 - zero / 2
    return [max(-1e9, min(1e9, (value / 2 - zero / 2) / span)) for value in values]
