"""How certain each rank is: intervals, who beats whom, and which rows are not told apart.

A paired bootstrap: tasks are drawn again with replacement, the same for all rows, and where all
rows have as many repeats, repeats within each drawn task; the board is ranked again by its own
rules. With one task, repeats alone are drawn, which says nothing of other tasks. The draws are
those of NumPy's frozen generator with one seed, so that every machine draws the same.

A row is separated from another where it beats it, a tie counting half, in 97.5 % of the draws:
95 % in both directions together. Below six tasks (or repeats) nothing is separated: of two rows
that are equally good, one wins on all of five in 1 of 16 cases, which is more than 5 %.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from evaluator.leaderboard.board import Board, Row
from evaluator.leaderboard.per_board import once_per_board
from evaluator.statistics.measure import measure
from evaluator.statistics.score_matrix import Counts, Measured, Numbers

LEVEL = 0.95
SEPARATE = 1 - (1 - LEVEL) / 2
ENOUGH = 6
"""Tasks (or, with one task, repeats) from which on a row can be separated from another."""
MAX_DUELS = 20
"""Rows that are compared pair by pair: the first."""
DRAWS, FEWEST = 2000, 200
_VALUES = 2_000_000
"""Of all draws together, by which large boards are drawn less often."""
_BLOCK = 256
_SEED = 8


@dataclass(frozen=True, kw_only=True)
class Intervals:
    """What the draws say of the rows that have a rank."""

    rows: tuple[Row, ...]
    """In the order of the board."""
    low: Counts
    """The best rank of each row's interval."""
    high: Counts
    """The worst."""
    groups: Counts
    """From 1: each row is in the first group of whose first row it is not separated."""
    beats: Numbers
    """Of the first rows: in which share of the draws a row (line) beats another (column)."""
    first_beats: Numbers
    """In which share of the draws the first row beats each."""
    draws: int
    tasks: int
    repeats: int
    """Of each task, as far as they are drawn; else 1."""

    @property
    def units(self) -> int:
        """Tasks or, where there is one, its repeats."""
        return self.tasks if self.tasks > 1 else self.repeats

    @property
    def lead(self) -> float:
        """Share of the draws in which the first row beats the next of another rank; else NaN."""
        others = [n for n, row in enumerate(self.rows) if row.rank != self.rows[0].rank]
        return float(self.first_beats[others[0]]) if others else math.nan

    @property
    def can_separate(self) -> bool:
        """Whether there are enough tasks (or repeats) to tell rows apart."""
        return self.units >= ENOUGH

    def separates(self, share: float) -> bool:
        """Whether a share of the draws tells two rows apart."""
        return self.can_separate and (share >= SEPARATE or share <= 1 - SEPARATE)

    def group(self, number: int) -> tuple[Row, ...]:
        """Return the rows of a group."""
        return tuple(self.rows[place] for place in np.flatnonzero(self.groups == number).tolist())


@once_per_board
def intervals(board: Board) -> Intervals | str:
    """Draw a published board again and again, or say why nothing can be concluded that way."""
    measured = measure(board)
    if isinstance(measured, str):
        return measured
    if len(measured.rows) < 2:
        return "One row has a rank; there is nothing to compare it with."
    if measured.tasks < 2 and measured.repeats < 2:
        return "There is one task, which was run once."
    values = _drawn(measured, draws_of(measured.values.shape[-1]))
    return _intervals(measured, values)


def intervals_of(board: Board) -> Mapping[str, tuple[int, int, int]]:
    """Submission's id -> best and worst rank of its interval, and its group; empty without any."""
    drawn = intervals(board)
    if isinstance(drawn, str):
        return {}
    return {
        row.submission.id: (int(low), int(high), int(group))
        for row, low, high, group in zip(
            drawn.rows, drawn.low, drawn.high, drawn.groups, strict=True
        )
    }


def draws_of(rows: int) -> int:
    """Return how often a board of so many rows is drawn: 2,000 times or, if large, less often."""
    return max(FEWEST, min(DRAWS, _VALUES // max(rows, 1)))


def _intervals(measured: Measured, values: Numbers) -> Intervals:
    keys = np.where(np.isnan(values), measured.worst, values)
    keys = keys if measured.ascending else -keys  # the least is the best
    ordered = np.sort(measured.ranks(values), axis=0).astype(np.int64)
    board_ranks = np.array([row.rank for row in measured.rows])
    # Draws repeat tasks, which may put all of them on one side of the rank itself.
    below = int(np.floor((1 - SEPARATE) * (len(ordered) - 1)))
    low, high = ordered[below], ordered[len(ordered) - 1 - below]
    units = measured.tasks if measured.tasks > 1 else measured.repeats
    shown = keys[:, :MAX_DUELS]
    return Intervals(
        rows=measured.rows,
        low=np.minimum(low, board_ranks),
        high=np.maximum(high, board_ranks),
        groups=_groups(keys, ordered[0], ordered[-1])
        if units >= ENOUGH
        else np.ones(len(board_ranks), dtype=np.int64),
        beats=_beats(shown[:, :, None], shown[:, None, :]),
        first_beats=_beats(keys[:, :1], keys),
        draws=len(values),
        tasks=measured.tasks,
        repeats=measured.repeats,
    )


def _drawn(measured: Measured, count: int) -> Numbers:
    """Values of the rows, by draw."""
    source = np.random.RandomState(_SEED)
    tasks = source.randint(0, measured.tasks, size=(count, measured.tasks))
    sizes = np.bincount(measured.task_of, minlength=measured.tasks)
    starts = np.cumsum(sizes) - sizes
    slots = _slots(source, tasks, sizes, starts)
    if measured.on_tasks and sizes.max() > 1:
        return measured.by_draws(slots)
    weights = np.zeros((count, len(measured.task_of)))
    for own, cells in slots:
        weights += measured.weights[own][:, None] * cells
    return measured.by_cells(weights)


def _slots(
    source: np.random.RandomState, tasks: Counts, sizes: Counts, starts: Counts
) -> Iterator[tuple[Counts, Numbers]]:
    """Yield, for each task that is drawn, which it is in each draw, and the weights of its cells.

    Weights of the cells of one task come to 1: repeats are drawn as often as there are any.
    """
    most = int(sizes.max())
    lines = np.arange(len(tasks))
    for own in tasks.T:
        weights = np.zeros((len(tasks), int(sizes.sum())))
        if most == 1:
            weights[lines, starts[own]] = 1.0
        else:
            random = source.random_sample((len(tasks), most))
            for number in range(most):
                drawn = number < sizes[own]
                cells = starts[own] + (random[:, number] * sizes[own]).astype(np.int64)
                np.add.at(weights, (lines[drawn], cells[drawn]), (1 / sizes[own])[drawn])
        yield own, weights


def _beats(first: Numbers, second: Numbers) -> Numbers:
    """Share of the draws in which the first key is less, an equal one counting half."""
    return np.asarray(((first < second) + 0.5 * (first == second)).mean(axis=0))


def _groups(keys: Numbers, best: Counts, worst: Counts) -> Counts:
    """Put each row into the first group of whose first it is not separated, or begin the next.

    ``best`` and ``worst`` are the rows' places over all draws: what never meets is separated.
    """
    rows = keys.shape[1]
    groups = np.zeros(rows, dtype=np.int64)
    for first in range(rows):
        if groups[first]:
            continue
        near = np.flatnonzero((groups == 0) & (best <= worst[first]))
        near = near[near >= first]
        groups[first] = group = groups.max() + 1
        for start in range(0, len(near), _BLOCK):
            some = near[start : start + _BLOCK]
            share = _beats(keys[:, first, None], keys[:, some])
            groups[some[share < SEPARATE]] = group
    return groups
