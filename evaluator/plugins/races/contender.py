"""An entry, compared with the best that arrived before it."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.board import Row
from evaluator.core.ranking.comparison import Two
from evaluator.core.ranking.ranks import NEAR
from evaluator.plugins.races.accept import CHALLENGER, Accept, units_needed

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

    @property
    def is_claim(self) -> bool:
        """Whether it is a record as soon as a second race says so."""
        return False

    @property
    def since(self) -> dt.datetime | None:
        """When a record became one; None for the start."""
        return self.arrived

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
    def p(self) -> float | None:
        """The chance of such a lead if the true one were what is asked for."""
        return self.certainty.p_more if self.certainty else None

    def numbers(self, number: Callable[[float, int], str]) -> tuple[str, str, str]:
        """Write its value, margin and p; ``number`` writes a value in so many decimals."""
        margin = "" if self.margin is None else number(self.margin, self.digits)
        return number(self.value, self.digits), margin, "" if self.p is None else f"{self.p:.2g}"

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
        if self.best is None:
            return f"{this} is the first entry with a value, so it holds the record."
        kind = f"an attempt, not a record: {self.fault}" if self.fault else "a new record"
        kind = self.fault if self.is_claim else kind
        return f"{this} is {kind}. {self._beside(self.best, name(self.best.row), number, title)}"

    def _beside(
        self, best: "Contender", its_name: str, number: Callable[[float, int], str],
        title: Callable[[str], str],
    ) -> str:  # fmt: skip
        """Say how it compares with the best before it."""
        digits, p = self.digits, ""
        if self.certainty:
            p = f", p {_shown(self.certainty.p_more, CHALLENGER * (self.accept.p or 0))}"
            p += f" over {self.certainty.units} runs of tasks"
        return (
            f"The best that arrived before it is {its_name} with "
            f"{title(self.column.title)} {number(best.value, digits)}; it has "
            f"{number(self.value, digits)}, margin {number(self.margin or 0.0, digits)}{p}."
        )


def _shown(p: float, most: float) -> str:
    """Write p in two digits, or in as many as show on which side of ``most`` it is."""
    texts = (f"{p:.{digits}g}" for digits in range(2, 18))
    return next(text for text in texts if (float(text) <= most) == (p <= most))
