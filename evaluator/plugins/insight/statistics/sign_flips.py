"""Sign-flip tests of pairs of rows over tasks, corrected for the number of pairs.

If two methods are equally good, the sign of their difference on a task is a coin toss. The test
flips these signs in all ways (or, from 13 tasks on, in random ones) and asks how often chance makes
a difference as clear as the one that was seen. All pairs flip together, and a pair is compared with
the clearest difference among all pairs that are not yet separated. That is Holm's procedure, but it
uses how pairs depend on each other (Westfall and Young, 1993; Romano and Wolf, 2005): with twenty
methods, Holm's own bound on p could separate nobody below 13 tasks.

How clear a difference is: abs(sum(d)) / sqrt(sum(d * d)) over the tasks. It rises with Student's t,
and flips leave its denominator as it is.
``tests/plugins/insight/statistics/test_error_rates.py`` simulates what is promised: the rate of
errors, the coverage of intervals, and the power.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from evaluator.core.ranking.ranks import is_equal
from evaluator.plugins.insight.statistics.measured import Numbers

ALPHA = 0.05
MAX_COMPARED = 100
"""Rows that are compared with all others: the first. Pairs of the others are not tested."""
_EXACT = 12
"""Tasks up to which all flips are made."""
_FLIPS, _FEWEST = 4000, 200
_VALUES = 400_000
"""Of all flips of a row's differences, by which large boards get fewer flips."""
_SEED = 8
_NEAR = 1e-9
"""Statistics that are closer than this are equal: another machine may sum in another order."""


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """What the tests say of each of the first rows (line) and each row (column)."""

    p: Numbers
    """Corrected p values; 1 where nothing is known, as on the diagonal."""
    difference: Numbers
    """Mean of the line's value minus the column's over the tasks that both have; else NaN."""
    values: Numbers = field(repr=False)
    signs: Numbers = field(repr=False)
    """Flips by task."""

    @property
    def flips(self) -> int:
        return len(self.signs)

    @property
    def is_exact(self) -> bool:
        """Whether these are all flips that there are."""
        return self.flips == int(2 ** (len(self.values) - 1))

    @property
    def can_separate(self) -> bool:
        return 1 / self.flips <= ALPHA

    def margin(self, lines: int) -> Numbers:
        """Distance within which 95 of 100 boards have all true differences; NaN, or infinite.

        It is that of the first lines, from each row.
        """
        return _margin(self.values, self.signs, self.difference, lines)


def compare_pairs(values: Numbers) -> Pairs:
    """Test all pairs of rows. ``values`` are by task and row; greater is better, NaN is none."""
    tasks, rows = values.shape
    lines = min(rows, MAX_COMPARED)
    signs = _signs(tasks, max(_FEWEST, min(_FLIPS, _VALUES // max(rows, 1))))
    p = np.ones((lines, rows))
    open_pairs = np.triu(np.ones((lines, rows), dtype=np.bool_), 1)
    least = 0.0
    while len(signs) * ALPHA >= 1 and open_pairs.any():
        highest, clear = _highest(values, signs, open_pairs)
        at_least = len(signs) - np.searchsorted(highest, clear[open_pairs] - _NEAR)
        p[open_pairs] = np.maximum(at_least / len(signs), least)
        closed = open_pairs & (p <= ALPHA)
        if not closed.any():
            break
        least = float(p[closed].max())
        open_pairs &= ~closed
    p[:, :lines] = np.minimum(p[:, :lines], p[:, :lines].T)
    difference = np.stack([_mean(_differences(values, line)) for line in range(lines)])
    return Pairs(p=p, difference=difference, values=values, signs=signs)


def _signs(tasks: int, most: int) -> Numbers:
    """Return flips by task, never of the first: to flip all at once changes no statistic."""
    if tasks <= _EXACT and 2 ** (tasks - 1) <= most:
        return np.array([[1.0, *rest] for rest in itertools.product((1.0, -1.0), repeat=tasks - 1)])
    signs = np.random.RandomState(_SEED).randint(0, 2, size=(most, tasks)) * 2.0 - 1.0
    signs[0] = 1.0
    return np.asarray(signs, dtype=np.float64)


def _differences(values: Numbers, line: int) -> Numbers:
    """By task and row: how far a line is ahead. Values that count as equal differ by nothing."""
    own = values[:, [line]]
    # Halves: the difference of two finite numbers need not be finite.
    return np.where(is_equal(own, values), 0.0, own / 2 - values / 2)


def _mean(halves: Numbers) -> Numbers:
    known = ~np.isnan(halves)
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(2 * (np.where(known, halves, 0.0).sum(axis=0) / known.sum(axis=0)))


def _scaled(differences: Numbers) -> Numbers:
    """Give each row's differences the length 1; those of equal rows stay 0."""
    known = np.nan_to_num(differences, posinf=0.0, neginf=0.0)
    largest = np.abs(known).max(axis=0)
    unit = known / np.where(largest > 0, largest, 1.0)
    length = np.sqrt((unit * unit).sum(axis=0))
    return np.asarray(unit / np.where(length > 0, length, 1.0))


def _statistics(
    values: Numbers, signs: Numbers, lines: int, *, centred: bool = False
) -> Iterator[tuple[int, Numbers]]:
    """Yield, by line, how clear its differences from later rows are, also negative ones."""
    for line in range(lines):
        differences = _differences(values, line)[:, line + 1 :]
        if centred:
            differences = differences - _mean(differences) / 2
        yield line, signs @ _scaled(differences)


def _highest(
    values: Numbers, signs: Numbers, pairs: "np.typing.NDArray[np.bool_]", *, centred: bool = False
) -> tuple[Numbers, Numbers]:
    """Return the clearest difference of each flip, sorted, and how clear each is as it was seen."""
    highest, clear = np.zeros(len(signs)), np.zeros(pairs.shape)
    for line, found in _statistics(values, signs, len(pairs), centred=centred):
        clear[line, line + 1 :] = np.abs(found[0])
        wanted = pairs[line, line + 1 :]
        those = found if wanted.all() else found[:, wanted]
        np.maximum(highest, those.max(axis=1, initial=0.0), out=highest)
        np.maximum(highest, -those.min(axis=1, initial=0.0), out=highest)
    return np.sort(highest), clear


def _margin(values: Numbers, signs: Numbers, difference: Numbers, lines: int) -> Numbers:
    """Invert the test of all pairs, with the spread of the differences about their means."""
    tasks = len(values)
    every = np.triu(np.ones(difference.shape, dtype=np.bool_), 1)
    highest, _ = _highest(values, signs, every, centred=True)
    allowed = highest[min(len(signs) - 1, int(np.ceil((1 - ALPHA) * len(signs))))] ** 2
    margin = np.full((lines, difference.shape[1]), np.inf)
    if len(signs) * ALPHA < 1 or allowed >= tasks:
        return margin
    with np.errstate(over="ignore", invalid="ignore"):
        for line in range(lines):
            spread = 2 * _differences(values, line) - difference[line]
            squares = (spread * spread).sum(axis=0)
            margin[line] = np.sqrt(allowed * squares / (tasks * (tasks - allowed)))
    return margin
