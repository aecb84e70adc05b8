"""What happened on a board: what was scored, who took the lead, what changed.

It is told from the board as it was at commits, as the page *History* has it, and not from the
dates of records: whoever is evaluated again has led all the time.
"""

import datetime as dt
import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.core.formats.plain_text import one_line, value_line
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.content.past_boards import FormerData, FormerRow, History, name_of
from evaluator.site.content.rescoring import Rescoring

MAX_ENTRIES = 50
"""Of a feed."""


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
    at: dt.datetime


def read_moment(text: str) -> dt.datetime | None:
    """An ISO time, which is UTC if it names no zone, in UTC; None if it is none."""
    try:
        moment = dt.datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None


def events(
    board: PublicBoard, history: History, rescoring: Rescoring | None, limit: int
) -> list[Event]:
    """The latest events of a published board, the latest first. Failures are none."""
    if board.benchmark.leaderboard.hidden:
        return []
    # A submission that leads again has one event: the last.
    by_name = {event.name: event for event in _happened(board, history)}
    if rescoring is not None and (since := read_moment(rescoring.since)) is not None:
        again = _rescored(board, rescoring, since)
        by_name[again.name] = again
    return newest(list(by_name.values()), limit)


def newest(events: Sequence[Event], limit: int) -> list[Event]:
    return heapq.nlargest(limit, events, key=lambda event: (event.at, event.name))


def _happened(board: PublicBoard, history: History) -> Iterator[Event]:
    """Yield what each point of the history has that none before it had, the earliest first."""
    present = {row.submission.short_name: row for row in (*board.rows, *board.unlisted)}
    ran: set[str] = set()
    before: list[FormerRow] = []
    # Of what came before the first point that is known nobody knows the day.
    is_whole = not (history.omitted or history.shallow)
    knows_day = is_whole and all(first.data is not None for first in history.boards[-1:])
    for at, data in states_of_phase(board, history):
        for past in data["rows"]:
            name = name_of(past)
            if name in ran or (past["status"] != "finished" and past["rank"] is None):
                continue
            ran.add(name)
            if knows_day and name in present and present[name].submission.reported is None:
                yield _scored(present[name], past, board, at)
        leaders = [] if data["hidden"] else [row for row in data["rows"] if row["rank"] == 1]
        if leaders and not _is_waiting(before, data):
            if knows_day and not {*map(name_of, leaders)} & {*map(name_of, before)}:
                for past in leaders:
                    row = present.get(name_of(past))
                    if row is not None and row.submission.reported is None:
                        yield _leads(row, past, leaders, before, board, at)
            before = leaders
        knows_day = True


def states_of_phase(
    board: PublicBoard, history: History
) -> Iterator[tuple[dt.datetime, FormerData]]:
    """Yield a phase as it was at each point of the history, the earliest first."""
    for point in reversed(history.boards):
        for past in (point, *point.others):
            if past.data is not None and past.data["phase"] == board.phase.slug:
                yield past.point.at, past.data


def _is_waiting(leaders: Sequence[FormerRow], data: FormerData) -> bool:
    """Whether one who led waits to be evaluated again, so that nobody has taken the lead."""
    names = {*map(name_of, leaders)}
    return any(
        row["rank"] is None and row["status"] in {"stale", "missing"}
        for row in data["rows"] if name_of(row) in names
    )  # fmt: skip


def _value(past: FormerRow, board: PublicBoard) -> str:
    """The column that ranks and the value of that time; empty where there is none."""
    column = board.benchmark.leaderboard.primary
    value = past["overall"].get(column.key) if column in board.columns else None
    return "" if value is None else f"{one_line(column.title, 40)} {value_line(value, column)}"


def _named(past: FormerRow) -> str:
    return f"{one_line(past['title'], 60)} ({past['participant']})"


def _event(
    board: PublicBoard, row: Row, category: str, title: str, text: str, at: dt.datetime
) -> Event:
    return Event(
        name=f"{board.benchmark.path}/{board.phase.slug}/{row.submission.short_name}/{category}",
        title=f"{_where(board)}: {title}",
        text=text,
        page=f"{board.benchmark.path}/submissions/{row.submission.short_name}/",
        author=row.submission.participant,
        category=category,
        at=at,
    )


def _where(board: PublicBoard) -> str:
    title = one_line(board.benchmark.title, 80)
    if len(board.benchmark.phases) == 1:
        return title
    return f"{title}, {one_line(board.phase.name, 40)}"


def _scored(row: Row, past: FormerRow, board: PublicBoard, at: dt.datetime) -> Event:
    text = _value(past, board)
    if board.phase.shows == "status":
        what, without = "ran", "This phase shows only whether a submission ran."
    else:
        what, without = "was scored", "It has no score over all tasks."
    return _event(
        board, row, "scored", f"{_named(past)} {what}", f"{text}." if text else without, at
    )


def _leads(
    row: Row, past: FormerRow, leaders: Sequence[FormerRow], before: Sequence[FormerRow],
    board: PublicBoard, at: dt.datetime,
) -> Event:  # fmt: skip
    value = _value(past, board)
    was = ", ".join(filter(None, (_named(before[0]), _value(before[0], board)))) if before else ""
    text = (f"{value}. " if value else "") + (f"Before: {was}." if was else "It is the first.")
    title = f"{_named(past)} {'takes' if len(leaders) == 1 else 'shares'} the lead"
    return _event(board, row, "leader", title, text, at)


def _rescored(board: PublicBoard, rescoring: Rescoring, since: dt.datetime) -> Event:
    base, slug = board.benchmark.path, board.phase.slug
    count = rescoring.count
    moved = [item for item in rescoring.rows if item.moved]
    return Event(
        name=f"{base}/{slug}/rescored/{since:%Y%m%dT%H%M%SZ}",
        title=f"{_where(board)}: scores changed when the benchmark changed",
        text=f"{count} submission{' was' if count == 1 else 's were'} scored again; "
        f"{len(moved)} moved.",
        page=f"{base}/phases/{slug}/" if len(board.benchmark.phases) > 1 else f"{base}/",
        author="",
        category="rescored",
        at=since,
    )
