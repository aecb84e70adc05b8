"""An entry that ran in turn with the best before it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median, stdev

from evaluator.plugins.races.accept import MAX_PAIRS
from evaluator.plugins.races.bets import interval, p_value, verdict
from evaluator.plugins.races.contender import Contender

_PAIRS_OF_AN_INTERVAL = 7


@dataclass(frozen=True, kw_only=True, eq=False)
class RacedContender(Contender):
    """``best`` is the holder of the record when it arrived."""

    leads: Sequence[float] | None
    """Of its pairs; None if it did not run in turn with that entry."""

    @property
    def _finished(self) -> list[float]:
        return [lead for lead in self.leads or () if lead > -math.inf]

    @property
    def margin(self) -> float | None:
        """How much better it is, as a share of the best: of the median lead."""
        return -math.expm1(-median(self._finished)) if self._finished else None

    @property
    def p(self) -> float | None:
        return None if self.leads is None else p_value(self.leads, self.accept.margin)

    @property
    def fault(self) -> str:
        if self.best is None:
            return ""
        if self.leads is None:
            return "it has not run in turn with the entry that held the record"
        margin = self.accept.margin
        said = verdict(self.leads, margin=margin, p=self.accept.p or 1, cap=MAX_PAIRS)
        if said == "record":
            return ""
        failed = len(self.leads) - len(self._finished)
        if failed > 1:
            return f"{failed} of its runs failed"
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
            f"{len(self.leads or ())} pairs in turn on one machine, p {self.p:.2g}."
        )
