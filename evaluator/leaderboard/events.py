"""What happened on a board, as its records tell: what was scored, who took the lead, what changed.

Times are those of records, never of a build. What is told of a score is the score of today: of
submissions that were scored again, the present one counts for who led when.
"""

import datetime as dt
import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evaluator.formats.plain_text import one_line
from evaluator.leaderboard.board import Row
from evaluator.leaderboard.labels import named, scored
from evaluator.leaderboard.order import Order
from evaluator.leaderboard.published import PublicBoard
from evaluator.leaderboard.rescoring import Rescoring
from evaluator.leaderboard.times import read_moment


@dataclass(frozen=True, kw_only=True)
class Event:
    """One thing that happened."""

    name: str
    """Unique among all that ever happens in a repository, and never another's."""
    title: str
    text: str
    page: str
    """Path of its page, with a slash at the end."""
    author: str
    """Participant; empty where it is the organiser's doing."""
    category: str
    """``scored``, ``leader`` or ``rescored``."""
    published: dt.datetime
    updated: dt.datetime


def events(board: PublicBoard, rescoring: Rescoring | None, limit: int) -> list[Event]:
    """Return the latest events of a published board, the latest first. Failures are none."""
    if board.benchmark.leaderboard.hidden:
        return []
    timed = list(_timed(board))
    all_events: list[Event] = []
    latest = heapq.nlargest(limit, timed, key=lambda item: (item[1], item[2].submission.id))
    all_events += [_scored(row, board, first, last) for first, last, row in latest]
    all_events += list(_leaders(board, timed))[-limit:]
    if rescoring is not None and (since := read_moment(rescoring.since)) is not None:
        all_events.append(_rescored(board, rescoring, since))
    return newest(all_events, limit)


def newest(events: Sequence[Event], limit: int) -> list[Event]:
    """Return the latest of some events, the latest first."""
    return heapq.nlargest(limit, events, key=lambda event: (event.updated, event.name))


def _timed(board: PublicBoard) -> Iterator[tuple[dt.datetime, dt.datetime, Row]]:
    """Yield when the first and the last cell of each row were first scored, of those that were."""
    rows = (*board.rows, *board.unlisted)
    times = board.counted_cells.groupby("submission")["scored"].agg(["min", "max"]).dropna()
    for place, first, last in zip(times.index, times["min"], times["max"], strict=True):
        row = rows[place]
        if row.state == "finished" or row.rank is not None:
            yield first.to_pydatetime(), last.to_pydatetime(), row


def _page(board: PublicBoard, row: Row) -> str:
    submission = row.submission
    return f"{board.benchmark.path}/submissions/{submission.participant}/{submission.name}/"


def _base(board: PublicBoard) -> str:
    return f"{board.benchmark.path}/{board.phase.slug}"


def _where(board: PublicBoard) -> str:
    title = one_line(board.benchmark.title, 80)
    if len(board.benchmark.phases) == 1:
        return title
    return f"{title}, {one_line(board.phase.name, 40)}"


def _scored(row: Row, board: PublicBoard, first: dt.datetime, last: dt.datetime) -> Event:
    ran = board.phase.shows == "status"
    value = scored(row, board)
    return Event(
        name=f"{_base(board)}/{row.submission.participant}/{row.submission.name}/scored",
        title=f"{_where(board)}: {named(row)} {'ran' if ran else 'was scored'}",
        text=f"{value}." if value else "This phase shows only whether a submission ran."
        if ran else "It has no score over all tasks.",
        page=_page(board, row),
        author=row.submission.participant,
        category="scored",
        published=first,
        updated=last,
    )  # fmt: skip


def _leaders(
    board: PublicBoard, timed: Sequence[tuple[dt.datetime, dt.datetime, Row]]
) -> Iterator[Event]:
    """Yield who bettered all that had been scored before, the earliest first."""
    before: Row | None = None
    best: Any = None
    order = Order([row for _, _, row in timed], board.benchmark.leaderboard)
    for _, last, row in sorted(timed, key=lambda item: (item[1], item[2].submission.id)):
        reached = _reached(row, board, order)
        if reached is None or (best is not None and reached >= best):
            continue
        value = scored(row, board)
        text = f"{value}. " if value else ""
        was = f"Before: {named(before)}, {scored(before, board)}." if before else "It is the first."
        yield Event(
            name=f"{_base(board)}/{row.submission.participant}/{row.submission.name}/leader",
            title=f"{_where(board)}: {named(row)} takes the lead",
            text=text + was,
            page=_page(board, row),
            author=row.submission.participant,
            category="leader",
            published=last,
            updated=last,
        )
        before, best = row, reached


def _reached(row: Row, board: PublicBoard, order: Order) -> Any:
    """Return what a row is compared by, the smaller the better; None where it has no rank.

    Values where those are what ranks, so that rows that are no longer listed led in their time;
    else today's rank.
    """
    rules = board.benchmark.leaderboard
    by_value = rules.ranked_by is None and rules.primary.ranks is None
    if by_value and rules.primary in board.columns:
        wanted = row.rank is not None or row.submission.leaderboard
        placed = wanted and row.counts and row.is_placed and row.counted
        return order(row)[1] if placed else None
    return row.rank


def _rescored(board: PublicBoard, rescoring: Rescoring, since: dt.datetime) -> Event:
    count = rescoring.count
    moved = [item for item in rescoring.rows if item.moved]
    return Event(
        name=f"{_base(board)}/rescored/{since:%Y%m%dT%H%M%SZ}",
        title=f"{_where(board)}: scores changed when the benchmark changed",
        text=f"{count} submission{' was' if count == 1 else 's were'} scored again; "
        f"{len(moved)} moved.",
        page=f"{board.benchmark.path}/phases/{board.phase.slug}/"
        if len(board.benchmark.phases) > 1
        else f"{board.benchmark.path}/",
        author="",
        category="rescored",
        published=since,
        updated=since,
    )
