"""A board and times of arrival -> each entry compared with the best that arrived before it."""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import MappingProxyType

import numpy as np

from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.computed import add_computed
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import SCORE, Floats
from evaluator.core.ranking.comparison import Two, about_these_tasks, compare_two
from evaluator.core.ranking.ranks import NEAR, is_equal
from evaluator.plugins.races.accept import CHALLENGER, Accept, units_needed

Arrival = tuple[dt.datetime, int]
"""When something came, and its place among what came at that very moment."""
_BEFORE_ALL = (dt.datetime.min.replace(tzinfo=dt.UTC), 0)
_MAX_DIGITS = 12


@dataclass(frozen=True, kw_only=True, eq=False)
class Contender:
    """An entry with a value, and the best that arrived before it."""

    row: Row
    column: Column
    arrived: dt.datetime | None
    """None for what has been there from the start."""
    value: float
    accept: Accept
    best: "Contender | None" = field(default=None, repr=False)
    """The best before it; the earliest of equals."""
    ask_certainty: Callable[[], Two] | None = field(default=None, repr=False)

    @cached_property
    def certainty(self) -> Two | None:
        """Of its margin, over repeats of tasks. Few of a thousand entries are asked for it."""
        return self.ask_certainty() if self.ask_certainty else None

    @property
    def margin(self) -> float | None:
        """How much better it is than the best before it."""
        if self.best is None:
            return None
        return (self.value - self.best.value) * (-1 if self.column.sorting == "asc" else 1)

    @property
    def digits(self) -> int:
        """Decimals that show its margin: the board's, or more."""
        digits, margin = self.column.precision, self.margin or 0
        while digits < _MAX_DIGITS and abs(round(margin, digits) - margin) > abs(margin) / 20:
            digits += 1
        return digits

    @property
    def fault(self) -> str:
        """Why it is no record; empty for a record."""
        margin, p, by = self.margin, self.accept.p, self.accept.by
        if self.best is None or margin is None:
            return ""
        scale = max(abs(self.value), abs(self.best.value), by)
        if margin - by <= NEAR * scale:  # 0.905 is not more than 0.005 above 0.9
            return f"the margin must exceed {by:g}"
        if p is None or self.certainty is None:
            return ""
        units, least = self.certainty.units, units_needed(p)
        if units < least:
            return f"{units} runs of tasks are too few to show p {p:g}: it takes {least}"
        if self.certainty.p_more <= CHALLENGER * p:
            return ""
        return f"p must be at most {CHALLENGER * p:g}, {CHALLENGER:g} of {p:g}"

    def sentence(
        self,
        name: Callable[[Row], str],
        number: Callable[[float, int], str],
        title: Callable[[str], str] = str,
    ) -> str:
        """Say what it was when it arrived.

        ``name`` writes the name of an entry, ``number`` a value in so many decimals, ``title`` that
        of a column.
        """
        this = name(self.row)
        if self.best is None or self.margin is None:
            return f"{this} is the first entry with a value, so it holds the record."
        digits = self.digits
        kind = f"an attempt, not a record: {self.fault}" if self.fault else "a new record"
        p = ""
        if self.certainty:
            p = f", p {_shown(self.certainty.p_more, CHALLENGER * (self.accept.p or 0))}"
            p += f" over {self.certainty.units} runs of tasks"
        return (
            f"{this} is {kind}. The best that arrived before it is {name(self.best.row)} with "
            f"{title(self.column.title)} {number(self.best.value, digits)}; it has "
            f"{number(self.value, digits)}, margin {number(self.margin, digits)}{p}."
        )


def _shown(p: float, most: float) -> str:
    """Write p in two digits, or in as many as show on which side of ``most`` it is."""
    texts = (f"{p:.{digits}g}" for digits in range(2, 18))
    return next(text for text in texts if (float(text) <= most) == (p <= most))


def compare(
    board: PublicBoard, arrivals: Mapping[str, Arrival] = MappingProxyType({})
) -> tuple[Contender, ...]:
    """All entries with a value in order of arrival; none where the bundle has no rule.

    ``arrivals`` are those that the ledger knows, by submission's id; else what the records say
    counts. What was reported, refused or withdrawn is no entry.
    """
    accept: Accept | None = board.benchmark.of_plugins.get("accept")
    column = board.benchmark.leaderboard.primary
    if accept is None or column not in board.columns or column.is_relative:
        return ()
    rows = [
        (arrivals.get(row.submission.id) or _by_records(row), row)
        for row in (*board.rows, *board.unlisted)
        if row.counts and not row.submission.reported and column.key in row.overall
    ]
    rows.sort(key=lambda item: (item[0], item[1].submission.id))
    sign = -1 if column.sorting == "asc" else 1
    scores = sign * _by_repeat(board, column)
    best: Contender | None = None
    compared = []
    for arrival, row in rows:
        one = Contender(
            row=row, column=column, accept=accept, best=best, value=row.overall[column.key],
            arrived=None if arrival == _BEFORE_ALL else arrival[0],
            ask_certainty=(
                partial(_certainty, scores, row, best.row, board, accept.by)
                if best and accept.p is not None
                else None
            ),
        )  # fmt: skip
        compared.append(one)
        if best is None or ((one.margin or 0) > 0 and not is_equal(one.value, best.value)):
            best = one
    return tuple(compared)


def _by_records(row: Row) -> Arrival:
    return (dt.datetime.fromisoformat(row.submitted), 0) if row.submitted else _BEFORE_ALL


def _by_repeat(board: PublicBoard, column: Column) -> Floats:
    """Values by task, row and repeat."""
    rules = board.benchmark.leaderboard
    values = {key: board.table.by_repeat(SCORE + key) for key in rules.score_keys}
    add_computed(values, rules.computed)
    return values[column.key]


def _certainty(scores: Floats, new: Row, old: Row, board: PublicBoard, by: float) -> Two:
    """Compare two rows by the repeats that both have of the tasks that make the value of both."""
    tasks = sorted({*new.counted_places} & {*old.counted_places})
    if board.benchmark.leaderboard.rule.of_first_task:
        tasks = tasks[:1]
    one, other = scores[tasks, new.place], scores[tasks, old.place]
    leads = np.where(is_equal(one, other), 0.0, one - other)
    runs = np.maximum((~np.isnan(leads)).sum(axis=1, keepdims=True), 1)
    weights = np.array([new.weights[task] for task in tasks], np.float64)[:, None]
    known = ~np.isnan(leads)
    shares = np.broadcast_to(weights / runs, leads.shape)[known]
    units = about_these_tasks(leads[known][:, None], shares, np.nonzero(known)[0])
    return compare_two(units.ravel(), shares, by)
