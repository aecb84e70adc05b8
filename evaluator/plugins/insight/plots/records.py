"""Who bettered all that was there before."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from evaluator.plugins.insight.plots.entries import BoardEntries, Entry
from evaluator.plugins.insight.plots.scales import timestamp


@dataclass(frozen=True, kw_only=True, slots=True)
class Dated:
    """An entry with a score and a time."""

    place: int
    """Among the board's entries."""
    entry: Entry
    time: float
    """Seconds since 1970."""
    score: float


def dated(board: BoardEntries) -> list[Dated]:
    """Return what has a score and a time, the earliest first."""
    entries = [
        Dated(place=place, entry=entry, time=time, score=entry.score)
        for place, entry in enumerate(board.entries)
        if entry.score is not None and (time := timestamp(entry.submitted)) is not None
    ]
    return sorted(entries, key=lambda one: (one.time, one.place))


def records(items: Sequence[Dated], *, lower_is_better: bool) -> list[Dated]:
    """Return who bettered all before, in order of time; of several at one moment the best.

    Baselines and what others report hold no records.
    """
    sign = -1 if lower_is_better else 1
    submitted = (item for item in items if item.entry.group == "submission")
    holders: list[Dated] = []
    for _, group in groupby(submitted, key=lambda item: item.time):
        best = max(group, key=lambda item: (sign * item.score, -item.place))
        if not holders or sign * best.score > sign * holders[-1].score:
            holders.append(best)
    return holders
