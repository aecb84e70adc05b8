"""An entry that ran in turn with the best before it."""

import datetime as dt
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median, stdev

from evaluator.core.leaderboard.board import Row
from evaluator.plugins.races.accept import MAX_PAIRS
from evaluator.plugins.races.bets import interval, p_value
from evaluator.plugins.races.contender import Contender
from evaluator.plugins.races.succession import DatedRace, Succession
from evaluator.site.boards.wording import moment

_PAIRS_OF_AN_INTERVAL = 7


def content_of(row: Row) -> str:
    """The digest of its files, by which races know it."""
    return next(iter(row.facts.contents), row.submission.id)


@dataclass(frozen=True, kw_only=True, eq=False)
class RacedContender(Contender):
    """``best`` is the holder of the record that it met last, or that it came after."""

    succession: Succession = field(repr=False)
    is_copy: bool = False
    """Whether another entry came first with the same files."""

    @property
    def tries(self) -> Sequence[DatedRace]:
        return () if self.is_copy else self.succession.tries(content_of(self.row))

    @property
    def leads(self) -> Sequence[float]:
        """Of its last race; none if it met no holder of the record."""
        return self.tries[-1].leads if self.tries else ()

    @property
    def _finished(self) -> list[float]:
        return [lead for lead in self.leads if lead > -math.inf]

    @property
    def since(self) -> dt.datetime | None:
        return self.succession.since.get(content_of(self.row)) if self.best else self.arrived

    @property
    def is_claim(self) -> bool:
        return not self.is_copy and self.succession.is_claim(content_of(self.row))

    @property
    def margin(self) -> float | None:
        """How much better it is, as a share of the best: of the median lead."""
        return -math.expm1(-median(self._finished)) if self._finished else None

    @property
    def p(self) -> float | None:
        return p_value(self.leads, self.accept.margin) if self.tries else None

    @property
    def fault(self) -> str:
        if self.best is None:
            return ""
        if self.is_copy:
            return "another entry came first with the same files"
        if not self.tries:
            return "it has not run in turn with the entry that held the record"
        if content_of(self.row) in self.succession.since:
            return ""
        if self.is_claim:
            from_ = f"from {moment(self.succession.due(content_of(self.row)).isoformat())} on"
            if self.tries[-1].best == self.succession.holder:
                return f"to be confirmed as a record by a second race, {from_}"
            return f"to be confirmed by races with who took the record meanwhile, {from_}"
        again = len(self.tries) > 1
        return f"{'a second race did not confirm it: ' if again else ''}{self._why_not}"

    @property
    def _why_not(self) -> str:
        """What its last race says against it."""
        said, margin = self.tries[-1].outcome, self.accept.margin
        if said == "failed":
            return f"{len(self.leads) - len(self._finished)} of its runs failed"
        if said == "no record" and median(self._finished) > margin:
            spread = stdev(self._finished)
            needs = math.ceil(13 * (spread / (median(self._finished) - margin)) ** 2)
            if needs > len(self.leads):
                return (
                    f"the machine was too noisy to decide: pairs differ by {spread:.1%}, and such "
                    f"a lead takes about {needs} pairs, of {MAX_PAIRS} at most"
                )
        if not said:
            return "the race did not end, since the best failed or the machine did"
        return f"it is not shown to be {100 * self.accept.by:g}% better"

    def numbers(self, number: Callable[[float, int], str]) -> tuple[str, str, str]:
        p = "" if self.p is None else f"{self.p:.2g}"
        return number(self.value, self.column.precision), self._lead, p

    @property
    def _lead(self) -> str:
        if self.margin is None:
            return ""
        limits = ""
        if len(self._finished) >= _PAIRS_OF_AN_INTERVAL:
            low, high = (-math.expm1(-limit) for limit in interval(self._finished))
            limits = f" ({low:.1%} to {high:.1%})" if high < 1 and low > -math.inf else ""
        return f"{self.margin:.1%}{limits}"

    def _beside(
        self, _best: Contender, its_name: str, _number: Callable[[float, int], str],
        title: Callable[[str], str],
    ) -> str:  # fmt: skip
        holder = f"{its_name} held the record."
        if self.margin is None:
            return holder
        return (
            f"{holder} Its lead in {title(self.column.title)} is {self._lead}, after "
            f"{len(self.leads)} pairs in turn on one machine, p {self.p:.2g}."
        )
