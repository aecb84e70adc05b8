"""The one comparison that every page asks: two rows, all rows of a board, and the share of a row.

The data are *units* (tasks, runs or samples) with *shares* that sum to 1. If two rows are equally
good, the sign of each unit's part of their distance is a coin toss. All signs are turned in all
ways, or in 4,000 random ones, to see how often chance makes as much. Shares stand inside the sum,
so this is exact at every weighting. The two parts of the same splits make the interval of a
distance (Hartigan 1969). On a board all pairs are turned together, and a pair is *apart* if it is
clearer than the clearest pair of 95 % of the turned boards, so no row is chosen by the data.
``tests/core/ranking/test_comparison.py`` simulates what is promised.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from evaluator.core.ranking.ranks import levelled

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

ALPHA = 0.05
FEWEST = 6
"""Units below which no two-sided p can be 5%: the least is 2^-(n-1)."""
_EXACT = 13
"""Units up to which signs are turned in all ways."""
_TURNS, _FEWEST_TURNS, _PRODUCTS = 4000, 200, 5e9
_MANY = 1000
"""Units to which more are joined: signs that are turned together make a test no less exact."""
_AT_ONCE = 2**20
"""Sums of turned pairs that are in memory together."""
_SEED = 8
_MOST_LENT = 1 / 2
"""Of a pair's squares: what these are raised by at most, so that no row makes another pair less
clear by more than a fifth, however wild it is."""
_NEAR, _NEAR_SINGLE = 1e-9, 1e-5
"""Sums that are closer are equal, in double and in single precision: machines sum in any order."""
_SEEN = 1.5
"""Half widths of an interval at which a distance is seen with a power of about .8."""


def least_p(units: int) -> float:
    """The least one-sided p that so many units can show."""
    return 2.0**-units if units <= _EXACT else 1 / (2 * _TURNS)


@lru_cache(maxsize=4)
def _signs(units: int, most: int = _TURNS) -> Floats:
    """Signs by turn and unit. The first turns none; a turn and its opposite are one."""
    if units <= _EXACT:
        rest = itertools.product((1.0, -1.0), repeat=units - 1)
        return np.array([[1.0, *signs] for signs in rest])
    signs = np.random.RandomState(_SEED).randint(0, 2, size=(most, units)) * 2.0 - 1.0
    signs[0] = 1.0
    return np.asarray(signs, np.float64)


@dataclass(frozen=True, kw_only=True)
class Two:
    """A comparison of two rows."""

    units: int
    distance: float
    p: float
    """Two-sided, of the true distance being what was asked about."""
    p_more: float
    """One-sided, of the true distance being at most that."""
    low: float
    """Limits of the distance at 95%; infinite below six units."""
    high: float


def compare_two(distances: Floats, shares: Floats, null: float = 0.0) -> Two:
    """Compare two rows by unit. ``shares`` need not sum to 1; a NaN distance is no unit."""
    known = ~np.isnan(distances)
    d, a = distances[known], shares[known] / (shares[known].sum() or 1.0)
    if not len(d):
        return Two(units=0, distance=np.nan, p=1.0, p_more=1.0, low=-np.inf, high=np.inf)
    joined, a = _join_many(d[:, None], a)
    d, units = joined[:, 0], len(d)
    distance, z, signs = float(a @ d), a * (d - null), _signs(len(d))
    sums, near = signs @ z, _NEAR * np.abs(z).sum()
    more = np.concatenate([sums, -sums]) >= sums[0] - near
    low, high = _interval(d, a, distance, signs > 0)
    return Two(
        units=units, distance=distance, p=float((np.abs(sums) >= abs(sums[0]) - near).mean()),
        p_more=float(more.mean()), low=low, high=high,
    )  # fmt: skip


def _interval(d: Floats, a: Floats, mean: float, chosen: Flags) -> tuple[float, float]:
    """Leave out the 5% most extreme splits; each has two parts with weighted means."""
    outside = int(ALPHA * len(chosen))
    if outside < 1:
        return -np.inf, np.inf
    share, part = chosen @ a, chosen @ (a * d)
    is_split = (share < 1 - _NEAR) & (share > _NEAR)
    one, other = np.full((2, len(chosen)), np.nan)
    np.divide(part, share, out=one, where=is_split)
    np.divide(mean - part, 1 - share, out=other, where=is_split)
    for means in (one, other):  # sums of the same numbers in another order
        means[np.abs(means) <= _NEAR * (a @ np.abs(d))] = 0.0
    low = np.sort(np.where(is_split, np.minimum(one, other), -np.inf))
    high = np.sort(np.where(is_split, np.maximum(one, other), np.inf))
    return float(low[outside]), float(high[len(chosen) - 1 - outside])


@dataclass(frozen=True, kw_only=True)
class AllPairs:
    """A comparison of all rows of a board with each other."""

    parts: Floats = field(repr=False)
    """By unit and row: what the row has there times the share; NaN for none."""
    shares: Floats = field(repr=False)
    """By unit."""
    means: Floats = field(repr=False)
    """By row, over the units that it has."""
    scale: float
    """Of ``parts`` and ``means``: times this they are values."""
    lent: float
    """Half of the spread that pairs have as a rule: what squares are raised by, at most by half."""
    tops: Floats = field(repr=False)
    """By turn, ascending: how clear the clearest pair is; 0 where two rows are all."""
    two: Two | None = None
    """The first row against the second where they are all: one pair has limits of its own."""

    @property
    def turns(self) -> int:
        return len(self.tops)

    @property
    def is_exact(self) -> bool:
        """Whether these are all turns that there are."""
        return len(self.shares) <= _EXACT

    @property
    def can_separate(self) -> bool:
        return int(ALPHA * self.turns) >= 1

    @property
    def critical(self) -> float:
        """How clear a pair must be to be apart."""
        if not self.can_separate:
            return math.inf
        return float(self.tops[self.turns - 1 - int(ALPHA * self.turns)]) + _NEAR_SINGLE

    def against(self, row: int) -> tuple[Floats, Floats, Floats, Floats]:
        """By row: p, the distance of ``row`` from it, and both limits; NaN is no distance.

        A pair is apart where p is at most 5%, and exactly then 0 is outside of the limits.
        """
        if self.two is not None:
            one = self.two
            ends = (one.low, one.high) if row == 0 else (-one.high, -one.low)
            numbers = np.zeros((4, 2))
            numbers[:, row], numbers[:, 1 - row] = (1, 0, 0, 0), (one.p, one.distance, *ends)
            numbers[1] *= 1 if row == 0 else -1
            return numbers[0], *(self.scale * numbers[1:])
        z = self.parts[:, [row]] - self.parts
        known = ~np.isnan(z)
        z = np.where(known, z, 0.0)
        squares, share = (z * z).sum(axis=0), np.ones(z.shape[1])
        squares += np.minimum(self.lent, _MOST_LENT * squares)
        distance = self.means[row] - self.means
        if not known.all():
            share = self.shares @ known
            share[share == 0] = np.nan
            distance = z.sum(axis=0) / share
        distance[known.any(axis=0) & ~z.any(axis=0)] = 0.0  # means of equal rows in another order
        clear = np.abs(distance * share) / np.sqrt(np.where(squares > 0, squares, 1.0))
        p = np.maximum(1 - np.searchsorted(self.tops, clear - _NEAR_SINGLE) / self.turns,
                       1 / self.turns)  # fmt: skip
        p[np.isnan(clear)] = p[row] = 1.0
        with np.errstate(invalid="ignore", over="ignore"):
            c = (self.critical / share) ** 2  # shares sum to 1 over what both rows have
            low, high = _limits(
                distance, 1 - c * (self.shares**2 @ known), distance - c * (self.shares @ z),
                distance**2 - c * squares,
            )  # fmt: skip
            low[row] = high[row] = 0.0
            return p, distance * self.scale, low * self.scale, high * self.scale


def _limits(distance: Floats, a: Floats, b: Floats, c: Floats) -> tuple[Floats, Floats]:
    """The ends of all q with a q^2 - 2 b q + c <= 0: what is no further than is clear."""
    low, high = np.full((2, len(distance)), -np.inf)
    high[:] = np.inf
    low[np.isnan(distance)] = high[np.isnan(distance)] = np.nan
    with np.errstate(invalid="ignore", divide="ignore"):
        root = np.sqrt(np.maximum(b * b - a * c, 0.0))
        one, other = (b - root) / a, (b + root) / a
        closed, apart = a > 0, (a <= 0) & (c > 0)
        low[closed], high[closed] = one[closed], other[closed]
        # Beyond the outer root all distances are possible.
        ahead, behind = apart & (distance > 0), apart & (distance < 0)
        low[ahead] = np.maximum(one, other)[ahead]
        high[behind] = np.minimum(one, other)[behind]
    return low, high


def compare_all(values: Floats, shares: Floats, ids: Sequence[str] | None = None) -> AllPairs:
    """Compare all rows. ``values`` are by unit and row, greater is better, NaN is none.

    ``shares`` need not sum to 1. Neighbours in the order of ``ids``, which the data did not choose,
    say what spread pairs have as a rule.
    """
    rows, a = values.shape[1], shares / shares.sum()
    order = np.arange(rows) if ids is None else np.argsort(np.array(ids, np.str_), kind="stable")
    largest = math.frexp(np.abs(values).max(where=np.isfinite(values), initial=0.0))[1]
    # Neither the squares of the largest overflow, nor do those of far smaller rows vanish.
    scale = 2.0 ** max(largest - 500, min(largest - 1, 0))
    x = levelled(values / scale)
    two = compare_two(x[:, 0] - x[:, 1], a) if rows == 2 else None
    x, a = _join_many(x, a)
    units = len(a)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = a @ np.nan_to_num(x) / (a @ ~np.isnan(x))
    parts = (x - _nearest(x)) * a[:, None]
    tops, lent = np.zeros(2 ** (units - 1) if units <= _EXACT else _TURNS), 0.0
    if rows > 2:
        lent = _usual_spread(parts[:, order])
        # By so many turns, or fewer where so many products would take long.
        most = max(_PRODUCTS / (rows * rows * min(units, rows + 1)), _FEWEST_TURNS)
        turns = _signs(units, int(min(most, _TURNS)))
        # Far rows make pairs alike, so that the clearest of them says less than that of the errors
        # alone, which limits of true distances are about.
        errors = parts - a[:, None] * means
        tops = np.maximum(*(np.sort(_tops(one, turns, lent)) for one in (parts, errors)))
    return AllPairs(
        parts=parts, shares=a, means=means, scale=scale, lent=lent, tops=tops, two=two
    )  # fmt: skip


def _join_many(x: Floats, a: Floats) -> tuple[Floats, Floats]:
    """Join each unit with every thousandth after it."""
    return join_groups(x, a, np.arange(len(x)) % _MANY) if len(x) > _MANY else (x, a)


def _nearest(x: Floats) -> Floats:
    """By unit what is nearest to 0: to take it off changes no difference, and no digits."""
    sizes = np.where(np.isnan(x), np.inf, np.abs(x))
    return np.take_along_axis(x, sizes.argmin(axis=1)[:, None], axis=1)


def _usual_spread(parts: Floats) -> float:
    """Half of how much the sizes of differences vary, the median over neighbours."""
    spreads = [
        float(((size - size.mean()) ** 2).sum())
        for one in range(parts.shape[1] - 1)
        for size in [np.abs(np.nan_to_num(parts[:, one] - parts[:, one + 1]))]
    ]
    return float(np.median(spreads)) / 2 if spreads else 0.0


def _tops(parts: Floats, turns: Floats, lent: float) -> Floats:
    """By turn how clear the clearest of all pairs is.

    No turn makes a pair clearer than the sum of its parts' sizes. The pairs of which that is most
    come first, and a turn asks no others once it has found one that is as clear.
    """
    rows, turned = parts.shape[1], turns.astype(np.float32)
    most = np.abs(turns).max() * np.concatenate([
        np.abs(_scaled(parts[:, [row]] - parts[:, row + 1 :], lent)).sum(axis=0)
        for row in range(rows)
    ])  # fmt: skip
    order, tops = np.argsort(-most.astype(np.float32)), np.zeros(len(turns), np.float32)
    one, other = np.triu_indices(rows, 1)
    size = _AT_ONCE // len(turns)
    for start in range(0, len(order), size):
        pairs = order[start : start + size]
        less = np.flatnonzero(tops < most[pairs[0]])
        if not len(less):
            break
        z = _scaled(parts[:, one[pairs]] - parts[:, other[pairs]], lent)
        sums = turned[less] @ z.astype(np.float32)
        tops[less] = np.maximum(tops[less], np.maximum(sums.max(axis=1), -sums.min(axis=1)))
    return tops.astype(np.float64)


def _scaled(z: Floats, lent: float) -> Floats:
    """Scale in place what pairs (columns) differ by: sums of it say how clear the pairs are."""
    np.copyto(z, 0.0, where=np.isnan(z))
    squares = np.einsum("up,up->p", z, z)
    length = np.sqrt(squares + np.minimum(lent, _MOST_LENT * squares))
    z /= np.where(length > 0, length, 1.0)
    return z


def about_these_tasks(values: Floats, shares: Floats, task_of: Places) -> Floats:
    """Take out what tasks differ by, which is no chance where the tasks are these.

    ``values`` are by unit and row. Only of several tasks with ten units or more each, and where no
    row lacks a part: its means would be of other tasks than those of the others.
    """
    sizes, known = np.bincount(task_of), ~np.isnan(values)
    if len(sizes) < 2 or sizes.min() < 10 or (known.any(axis=0) > known.all(axis=0)).any():
        return values
    a = shares / shares.sum()
    of_task = np.bincount(task_of, a)
    within = a / of_task[task_of]
    x = levelled(values)
    means = np.stack([np.bincount(task_of, within * one, len(sizes)) for one in x.T], axis=1)
    return np.asarray(of_task @ means + (x - means[task_of]) / np.sqrt(1 - within)[:, None])


def join_groups(values: Floats, shares: Floats, group_of: Places) -> tuple[Floats, Floats]:
    """Units of whole groups: weighted means of what each holds, and their shares.

    A row that lacks a part of a group has none of it: the mean of its rest is of other tasks.
    """
    held = ~np.isnan(values).all(axis=1)
    of, a = group_of[held], shares[held]
    totals = np.asarray(np.bincount(group_of, shares), np.float64)
    sums = [np.bincount(of, a * one, len(totals)) for one in values[held].T]
    with np.errstate(invalid="ignore"):
        return np.stack(sums, axis=1) / np.bincount(of, a, len(totals))[:, None], totals


def least_detectable(low: float, high: float) -> float:
    """The distance that a comparison with these limits sees in four of five cases."""
    return _SEEN * (high - low) / 2


def units_needed(units: int, distance: float, low: float, high: float) -> float:
    """How many units would show the distance that there is; infinite for none."""
    return units * (least_detectable(low, high) / abs(distance)) ** 2 if distance else math.inf
