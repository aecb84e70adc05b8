"""All benchmarks at a glance: which are open and until when, and what moved lately."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.core.formats.phases import Phase
from evaluator.site.content import BenchmarkContent, Deployment
from evaluator.site.facets import Choice, Facet, Facets
from evaluator.site.leaderboard.events import Event, newest

MAX_OPEN = 12
"""Benchmarks that the home page names as open; the list has all."""
MAX_MOVED = 8
"""Events on the home page; the feed has more."""
_STATES = ("open", "starts later", "ended", "published results")


@dataclass(frozen=True, kw_only=True)
class Listed:
    """One benchmark in a list of them."""

    content: BenchmarkContent
    state: str
    """One of ``_STATES``."""
    phase: Phase
    """The open one that ends first; else the one that its board shows."""
    changed: dt.datetime | None
    """When its boards last moved, as far as that is public."""

    @property
    def entered(self) -> int:
        return len(self.content.current.rows) + len(self.content.current.unlisted)

    @property
    def answers(self) -> dict[str, str]:
        return {"state": self.state, "tag": " ".join(self.content.benchmark.tags)}


def listed(contents: Sequence[BenchmarkContent], site: Deployment) -> list[Listed]:
    """Return all benchmarks, those first that are open, of these those first that end first."""
    entries = [_listed(content, site.now) for content in contents]
    return sorted(entries, key=lambda entry: (_STATES.index(entry.state), *_end(entry)))


def _listed(content: BenchmarkContent, now: dt.datetime) -> Listed:
    phases = content.benchmark.phases
    open_now = [phase for phase in phases if phase.is_open(now)]
    later = any(not phase.has_started(now) for phase in phases)
    first = min(open_now, key=_end_of, default=content.current.phase)
    return Listed(
        content=content,
        state="published results"
        if content.current.phase.only_reported
        else "open"
        if open_now
        else "starts later"
        if later
        else "ended",
        phase=first,
        changed=content.events[0].at if content.events else None,
    )


def _end(entry: Listed) -> tuple[float, str]:
    ends = _end_of(entry.phase) if entry.state == "open" else 0.0
    return ends, entry.content.benchmark.title.casefold()


def _end_of(phase: Phase) -> float:
    return phase.end.timestamp() if phase.end else float("inf")


def benchmark_facets(entries: Sequence[Listed]) -> Facets:
    facets = []
    counts = {state: sum(entry.state == state for entry in entries) for state in _STATES}
    if sum(map(bool, counts.values())) > 1:
        choices = tuple(Choice(value=name, count=n) for name, n in counts.items() if n)
        facets.append(Facet(name="state", title="State", choices=choices))
    if any(entry.content.benchmark.tags for entry in entries):
        facets.append(Facet(name="tag", title="Tags", choices=()))
    return Facets(facets=tuple(facets), names={}, rows=len(entries))


def moved(contents: Sequence[BenchmarkContent]) -> list[tuple[BenchmarkContent, Event]]:
    by_name = {event.name: content for content in contents for event in content.events}
    events = newest([event for content in contents for event in content.events], MAX_MOVED)
    return [(by_name[event.name], event) for event in events]
