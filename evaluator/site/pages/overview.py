"""The home page and the list of benchmarks: a card for each, and what changed lately."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from evaluator.core.formats.phases import Phase
from evaluator.core.leaderboard.board import Row
from evaluator.site.boards.board_columns import has_margins, main_column
from evaluator.site.boards.comparison import shown_number, shown_primary
from evaluator.site.content.content import BenchmarkContent, Deployment
from evaluator.site.content.events import Event, newest, states_of_phase
from evaluator.site.pages.page import PageContent, make_page
from evaluator.site.pages.submit import offered_kinds
from evaluator.site.pages.templating import render

BENCHMARKS = "benchmarks"
MAX_OPEN = 12
"""Open benchmarks on the home page; the list has all."""
MAX_PUBLISHED = 6
MAX_CHANGES = 8
"""Events on the home page; the feed has more."""
SHOWN = 3
"""Rows of a board on its card."""
_STATES = ("open", "starts later", "ended", "published results")
_WIDTH, _HEIGHT = 64, 20


class CardRow(NamedTuple):
    """One row on a card."""

    row: Row
    value: str
    length: float
    """Percent, as on the board."""


class Card(NamedTuple):
    """One benchmark in a list of them."""

    content: BenchmarkContent
    state: str
    phase: Phase
    """The open one that ends first; else the one that its board shows."""
    kinds: Sequence[str]
    """Of submissions."""

    @property
    def entries(self) -> int:
        return len(self.content.current.rows) + len(self.content.current.unlisted)

    @property
    def bars(self) -> list[CardRow]:
        board = self.content.current
        main = main_column(board) if shown_primary(board) else None
        if main is None:
            return []
        ranked = [place for place, row in enumerate(board.rows) if row.rank]
        return [
            CardRow(
                board.rows[place], shown_number(float(main.values[place]), main.column.precision),
                round(main.bar(place, None, has_margins(board)).length, 1),
            )
            for place in ranked[:SHOWN]
            if not np.isnan(main.values[place])
        ]  # fmt: skip

    @property
    def line(self) -> str:
        """Path of an SVG: the best so far over the time of the board's history."""
        column = shown_primary(self.content.current)
        if column is None or column.is_relative:
            return ""
        best = max if column.sorting == "desc" else min
        points: dict[dt.datetime, float] = {}
        for at, data in states_of_phase(self.content.current, self.content.history):
            values = [row["overall"].get(column.key) for row in data["rows"] if row["rank"]]
            shown = [value for value in values if value is not None]
            if shown:
                points[at] = best([*shown, *points.values()])
        return sparkline(points, is_lower_better=column.sorting == "asc")


def sparkline(points: Mapping[dt.datetime, float], *, is_lower_better: bool) -> str:
    """Steps that go up where it becomes better; nothing where it never did."""
    times = list(points)
    low, high = min(points.values(), default=0.0), max(points.values(), default=0.0)
    if low == high:
        return ""
    path = ""
    for at, value in points.items():
        x = _WIDTH * ((at - times[0]) / (times[-1] - times[0]))
        share = (value - low) / (high - low)
        y = 1 + (_HEIGHT - 2) * (share if is_lower_better else 1 - share)
        path += f"H{x:.1f}V{y:.1f}" if path else f"M0 {y:.1f}"
    return path


def home(contents: Sequence[BenchmarkContent], site: Deployment) -> str:
    cards = cards_of(contents, site)
    open_now = [card for card in cards if card.state == "open"]
    published = [card for card in cards if card.state == "published results"]
    return render(
        "home.html", count=len(contents), site=site, changes=changes(contents),
        open=open_now[:MAX_OPEN], more_open=max(0, len(open_now) - MAX_OPEN),
        published=published[:MAX_PUBLISHED], waiting=len(site.waiting),
    )  # fmt: skip


def benchmarks_page(contents: Sequence[BenchmarkContent], site: Deployment) -> PageContent:
    def further() -> Mapping[str, Any]:
        cards = cards_of(contents, site)
        return {
            "cards_of_all": cards,
            "states": [name for name in _STATES if any(card.state == name for card in cards)],
            "kinds": sorted({kind for card in cards for kind in card.kinds}),
            "tags": sorted(
                {tag for card in cards for tag in card.content.benchmark.of_plugins.get("tags", ())}
            ),
        }

    page = make_page(BENCHMARKS, "Benchmarks", "benchmarks.html", further, site=site)
    return replace(page, searched="<h1>Benchmarks</h1>")


def cards_of(contents: Sequence[BenchmarkContent], site: Deployment) -> list[Card]:
    """All benchmarks, the open ones first: among them what ends first, then what changed last."""
    return sorted((_card(content, site.now) for content in contents), key=_order)


def _card(content: BenchmarkContent, now: dt.datetime) -> Card:
    phases = content.benchmark.phases
    open_now = [phase for phase in phases if phase.is_open(now)]
    phase = min(open_now, key=_end_of, default=content.current.phase)
    if content.current.phase.only_reported:
        return Card(content, "published results", phase, ())
    later = any(not phase.has_started(now) for phase in phases)
    state = "open" if open_now else "starts later" if later else "ended"
    kinds = [kind.name for kind in offered_kinds(content.benchmark, phase)]
    return Card(content, state, phase, kinds)


def _order(card: Card) -> tuple[int, float, float, str]:
    is_open = card.state == "open"
    ends = _end_of(card.phase) if is_open else 0.0
    changed = max((event.at.timestamp() for event in card.content.events), default=0.0)
    title = card.content.benchmark.title.casefold()
    return _STATES.index(card.state), ends, -changed if is_open else 0.0, title


def _end_of(phase: Phase) -> float:
    return phase.end.timestamp() if phase.end else float("inf")


def changes(contents: Sequence[BenchmarkContent]) -> list[Event]:
    """The latest events; one that takes the lead with its first score has one."""
    events = [event for content in contents for event in content.events]
    led = {(event.page, event.at) for event in events if event.category == "leader"}
    return newest(
        [one for one in events if one.category != "scored" or (one.page, one.at) not in led],
        MAX_CHANGES,
    )
