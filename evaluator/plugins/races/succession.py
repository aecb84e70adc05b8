"""Races in turn, in the order of time -> who held the record from when, and whose claim waits.

A program that beats the holder of the record once has a claim. A second race, a day later or more,
confirms it or ends it, and no third one counts: of 200 copies some make a false record in 72 % of
seasons by one race, in 0.8 % by two. Programs are known by the digest of their files, so that a
copy under another name gets no further try.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from evaluator.plugins.races.accept import MAX_PAIRS, Accept
from evaluator.plugins.races.bets import verdict

WAIT = dt.timedelta(days=1)
"""From a claim to the race that decides it: by then the machine, its load and its heat differ."""
MAX_FAILURES = 2
"""Failures of a challenger that end a race."""


@dataclass(frozen=True, kw_only=True)
class DatedRace:
    """A challenger against the best, both by the digest of their files."""

    challenger: str
    best: str
    started: dt.datetime
    leads: Sequence[float]
    accept: Accept

    @cached_property
    def outcome(self) -> str:
        """A verdict, or "failed"; empty if it did not end, as the best failed or the machine."""
        if self.leads.count(-inf) >= MAX_FAILURES:
            return "failed"
        p = self.accept.p or 1
        return verdict(self.leads, margin=self.accept.margin, p=p, cap=MAX_PAIRS)


class Succession:
    """Who held the record, beginning with the first entry of all."""

    def __init__(self, first: str, races: Iterable[DatedRace]) -> None:
        self.holder = first
        self.since: dict[str, dt.datetime | None] = {first: None}
        """When each holder was confirmed, in that order; None for the first."""
        self._tries: dict[str, list[DatedRace]] = {}
        for race in sorted(races, key=lambda one: one.started):
            self._take(race)

    def _take(self, race: DatedRace) -> None:
        opens = self.opens(race.challenger)
        if race.best != self.holder or opens is None or race.started < opens:
            return
        tries = [*self._decisive(race.challenger), race]
        if not race.outcome and self.is_claim(race.challenger):  # perhaps against a former holder
            tries = [self.tries(race.challenger)[0], race]
        self._tries[race.challenger] = tries
        if [one.outcome for one in tries] == ["record", "record"]:
            self.holder = race.challenger
            self.since[self.holder] = race.started

    def _decisive(self, content: str) -> Sequence[DatedRace]:
        """Races against the present holder that ended."""
        return [one for one in self.tries(content) if one.best == self.holder and one.outcome]

    def tries(self, content: str) -> Sequence[DatedRace]:
        """Its races against the last holder that it met: the first, and the one that confirms."""
        return self._tries.get(content, ())

    def opens(self, content: str) -> dt.datetime | None:
        """The time from which its next race counts; None if none does."""
        decisive = self._decisive(content)
        if content in self.since or len(decisive) > 1:
            return None
        if not decisive:
            return dt.datetime.min.replace(tzinfo=dt.UTC)
        return decisive[0].started + WAIT if decisive[0].outcome == "record" else None

    def is_claim(self, content: str) -> bool:
        """Whether it has beaten the holder of that time, and nothing has refuted that since."""
        said = [one.outcome for one in self.tries(content)]
        return content not in self.since and said[:1] == ["record"] and said[1:] in ([], [""])

    def due(self, content: str) -> dt.datetime:
        """When a claim is to be raced: once a day at most, even if races do not end."""
        return self.tries(content)[-1].started + WAIT

    def holder_at(self, moment: dt.datetime) -> str:
        before = [one for one, since in self.since.items() if since is None or since <= moment]
        return before[-1]
