"""A page for each participant: everything that they submitted, in all benchmarks."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import msgspec

from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.boards.comparison import board_folder, shown_primary
from evaluator.site.content.content import BenchmarkContent, DatasetEntry, Deployment
from evaluator.site.pages.page import LazyPage, PageContent, make_page
from evaluator.site.pages.submission_pages import facts_of_rows

PEOPLE = "people"
"""Folder of the pages, from the site's root."""


class OwnEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One submission of a participant's on one board."""

    row: Row
    listed: bool
    """Whether the board lists it; else the submission rule leaves it out."""
    value: float | None
    """Of the column that ranks, over all tasks; None where there is none, or it is hidden."""
    is_best: bool
    """Whether it is the best of several of theirs on this board."""


@dataclass(frozen=True, kw_only=True)
class Stand:
    """What one participant submitted to one board."""

    content: BenchmarkContent
    board: PublicBoard
    parts: Sequence[OwnEntry]

    @property
    def column(self) -> Column | None:
        return shown_primary(self.board)

    @property
    def page(self) -> str:
        """Path of the board, with a slash at the end."""
        return f"{board_folder(self.content.current, self.board)}/"

    @property
    def title(self) -> str:
        title = self.content.benchmark.title
        is_only = len(self.content.boards) == 1
        return title if is_only else f"{title}, {self.board.phase.name}"

    @property
    def view(self) -> str:
        return f"{self.page}view.json"


@dataclass(frozen=True, kw_only=True)
class Data:
    """A data set of a participant's that is no row of a board."""

    content: BenchmarkContent
    entry: DatasetEntry


@dataclass(frozen=True, kw_only=True)
class Best:
    """The best rank of a participant, on the board with the most rows where there are several."""

    rank: int
    of: int
    title: str
    page: str
    """Path of the board, with a slash at the end."""


@dataclass(frozen=True, kw_only=True)
class Person:
    """One line of the list of people."""

    name: str
    entries: int
    best: Best | None
    last: str
    """Day of the last entry; empty where it is not known."""


def people_page(contents: Sequence[BenchmarkContent]) -> PageContent:
    def lines() -> dict[str, list[Person]]:
        return {"people": [_person(*one) for one in participants(contents)]}

    page = make_page(PEOPLE, "People", "people.html", lines)
    return replace(page, searched="<h1>People</h1>")


def _person(name: str, stands: Sequence[Stand], data: Sequence[Data]) -> Person:
    rows = [part.row for stand in stands for part in stand.parts]
    ids = {row.submission.id for row in rows} | {item.entry.submission.id for item in data}
    ranked = [
        (part.row.rank, -len(stand.board.rows), stand)
        for stand in stands
        for part in stand.parts
        if part.listed and part.row.rank
    ]
    best = min(ranked, key=lambda one: one[:2], default=None)
    return Person(
        name=name,
        entries=len(ids),
        best=best and Best(rank=best[0], of=-best[1], title=best[2].title, page=best[2].page),
        last=max((row.submitted[:10] for row in rows), default=""),
    )


def participant_pages(contents: Sequence[BenchmarkContent], site: Deployment) -> Iterator[LazyPage]:
    for name, stands, data in participants(contents):
        path = f"{PEOPLE}/{name}"
        yield LazyPage(
            path=path,
            sources=[part.row.submission.id for stand in stands for part in stand.parts],
            facts="".join((*_facts(stands), *map(_data_facts, data))),
            render=partial(_page, path, name, stands, data, site),
        )


def _page(
    path: str, name: str, stands: Sequence[Stand], data: Sequence[Data], site: Deployment
) -> PageContent:
    results = [(stand, part) for stand in stands for part in stand.parts]
    results.sort(key=lambda one: one[1].row.submitted or "9", reverse=True)
    entered = [stand.content for stand in stands] + [item.content for item in data]
    came = {part.row.submission.id: part.row.submitted[:10] for _, part in results}
    days = [day for day in came.values() if day]
    ranks = [part.row.rank for stand, part in results if stand.column and part.row.rank]
    return make_page(
        path, name, "participant.html", name=name, results=results, data=data, site=site,
        up="../../", entries=len(came) + len(data), best=min(ranks, default=None),
        benchmarks=len({one.benchmark.name for one in entered}), days=marks(days) if days else (),
    )  # fmt: skip


class DayMark(NamedTuple):
    """Entries of one day on a line of time."""

    day: str
    entries: int
    place: float
    """Percent of the way from the first day to the last."""


def marks(days: Iterable[str]) -> list[DayMark]:
    """The marks of ISO dates, in their order."""
    entries = Counter(map(dt.date.fromisoformat, days))
    first, length = min(entries), max(entries) - min(entries) or dt.timedelta(1)
    return [
        DayMark(day.isoformat(), entries[day], 100 * ((day - first) / length))
        for day in sorted(entries)
    ]


def _facts(stands: Sequence[Stand]) -> Iterator[str]:
    for stand in stands:
        yield f"{stand.content.benchmark.path}: {stand.content.current.phase.slug}"
        facts = facts_of_rows(stand.board)
        is_relative = stand.column is not None and stand.column.is_relative
        for part in stand.parts:
            name = part.row.submission.id
            value = () if is_relative else (part.value, part.is_best)
            yield f"{name}{(part.listed, *value)!r}{facts[name]}"


def _data_facts(item: Data) -> str:
    entry = item.entry
    shown = (entry.submission.id, entry.submission.title, entry.state, entry.reason)
    return f"{item.content.benchmark.path}: {shown!r}"


def participants(
    contents: Sequence[BenchmarkContent],
) -> Iterator[tuple[str, Sequence[Stand], Sequence[Data]]]:
    stands: dict[str, list[Stand]] = defaultdict(list)
    data: dict[str, list[Data]] = defaultdict(list)
    for content in contents:
        for board in content.boards:
            for name, rows in _by_participant(board).items():
                stands[name].append(_stand(content, board, rows))
        for entry in content.datasets:
            if entry.submission.id not in content.row_ids:
                data[entry.submission.participant].append(Data(content=content, entry=entry))
    for name in sorted({*stands, *data}):
        yield name, stands.get(name, ()), data.get(name, ())


def _by_participant(board: PublicBoard) -> dict[str, list[tuple[Row, bool]]]:
    found: dict[str, list[tuple[Row, bool]]] = defaultdict(list)
    for rows, listed in ((board.rows, True), (board.unlisted, False)):
        for row in rows:
            found[row.submission.participant].append((row, listed))
    return found


def _stand(content: BenchmarkContent, board: PublicBoard, rows: list[tuple[Row, bool]]) -> Stand:
    column = shown_primary(board)
    values = [row.overall.get(column.key) if column is not None else None for row, _ in rows]
    numbers = [value for value in values if value is not None]
    lower = column is not None and column.sorting == "asc"
    best = (min if lower else max)(numbers) if len(numbers) > 1 else None
    parts = [
        OwnEntry(row=row, listed=listed, value=value, is_best=value is not None and value == best)
        for (row, listed), value in zip(rows, values, strict=True)
    ]
    return Stand(content=content, board=board, parts=parts)
