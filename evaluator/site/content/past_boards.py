"""The board of one benchmark as it was: at tagged commits, and at the end of days of change."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import msgspec
from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12

from evaluator.core.formats.columns import SortOrder
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.content.forms import filled

MAX_CELLS = 20_000
"""Values of single tasks that a past board holds; of larger ones, values over all tasks alone."""
MAX_SHOWN_CELLS = 20_000
"""Cells of the page of a past board; rows beyond stand in its JSON."""
MIN_SHOWN_ROWS = 100


# The names of these types are in the schema that the site publishes.
class FormerColumn(TypedDict):
    """A column that was shown."""

    key: str
    title: str
    sorting: SortOrder
    precision: int
    over_tasks: bool


class FormerTask(TypedDict):
    """A task of the board."""

    slug: str
    name: str


class FormerResult(TypedDict):
    """What a submission had reached on one task."""

    status: str
    scores: dict[str, float]


class FormerRow(TypedDict):
    """One submission, as it stood."""

    rank: int | None
    participant: str
    submission: str
    title: str
    submitted: str
    status: str
    overall: dict[str, float]
    tasks: dict[str, FormerResult]
    """By slug; empty where the board held too many values."""


class FormerData(TypedDict):
    """``benchmarks/<benchmark>/history/<point>/board.json``."""

    version: int
    benchmark: str
    title: str
    phase: str
    phase_name: str
    hidden: bool
    """Whether the leaderboard was hidden, or showed only whether a submission ran."""
    commit: str
    at: str
    """When the commit was made, ISO time: the board's clock."""
    columns: list[FormerColumn]
    tasks: list[FormerTask]
    rows: list[FormerRow]


def past_board_data(board: PublicBoard, commit: str, at: dt.datetime) -> FormerData:
    hidden = board.benchmark.leaderboard.hidden
    columns = () if hidden else board.columns
    few = len(board.rows) * len(board.tasks) <= MAX_CELLS
    return {
        "version": 1,
        "benchmark": board.benchmark.name,
        "title": board.benchmark.title,
        "phase": board.phase.slug,
        "phase_name": board.phase.name,
        "hidden": hidden or board.phase.shows == "status",
        "commit": commit,
        "at": at.isoformat(),
        "columns": [filled(FormerColumn, column) for column in columns],
        "tasks": [filled(FormerTask, task) for task in board.tasks],
        "rows": [
            {
                "rank": row.rank,
                "participant": row.submission.participant,
                "submission": row.submission.name,
                "title": row.submission.title,
                "submitted": row.submitted,
                "status": row.state,
                "overall": dict(row.overall),
                "tasks": {
                    slug: {"status": one.state, "scores": dict(one.values)}
                    for slug, one in row.tasks.items()
                } if few else {},
            }
            for row in board.rows
        ],
    }  # fmt: skip


def past_board_json(data: FormerData) -> bytes:
    return msgspec.json.encode(data) + b"\n"


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A commit at which something of a benchmark is other than at the moment before."""

    commit: str
    at: dt.datetime
    tags: tuple[str, ...]
    """Of commits with the same content, this one's among them. Anybody who may push chose them."""
    folders: tuple[str, ...]
    """Names for addresses, one at least: of the day or of tags. Links have the first."""
    content: tuple[str | None, str | None]
    """git's ids of the benchmark's bundle and submissions."""


class PastRow(NamedTuple):
    """One row of a past board."""

    row: FormerRow
    moved: int | None
    """Places up since the point before; negative is down. None where it had or has no rank."""
    new: bool


@dataclass(frozen=True, kw_only=True)
class PastBoard:
    """A board as it was, beside the one before it."""

    point: Moment
    data: FormerData | None
    """None where this version cannot read the commit's files."""
    before: FormerData | None
    """The same phase at the point before; None where it had not begun then."""
    others: Sequence["PastBoard"] = ()
    """Boards of the other phases that had begun, in order; none beside a board of these."""

    @cached_property
    def rows(self) -> Sequence[PastRow]:
        ranks = {name_of(row): row["rank"] for row in (self.before or {"rows": []})["rows"]}
        rows = []
        for row in self.data["rows"] if self.data else ():
            rank, rank_before = row["rank"], ranks.get(name_of(row))
            moved = None if rank is None or rank_before is None else rank_before - rank
            rows.append(PastRow(row, moved, self.before is not None and name_of(row) not in ranks))
        return rows

    @property
    def gone(self) -> list[FormerRow]:
        if self.data is None or self.before is None:
            return []
        names = {name_of(row) for row in self.data["rows"]}
        return [row for row in self.before["rows"] if name_of(row) not in names]

    @property
    def changed(self) -> bool:
        """Whether a rank or value is other than on the board of its phase at the point before."""
        if self.data is None or self.before is None:
            return False
        former, now = (
            {name_of(row): (row["rank"], row["overall"]) for row in data["rows"]}
            for data in (self.before, self.data)
        )
        return former != now

    @property
    def leaders(self) -> list[FormerRow]:
        return [row for row in self.data["rows"] if row["rank"] == 1] if self.data else []

    @property
    def moved(self) -> int:
        return sum(bool(line.moved) for line in self.rows)

    @property
    def shown(self) -> int:
        if self.data is None:
            return 0
        width = 2 + len(self.data["columns"]) + len(self.data["tasks"])
        return max(MIN_SHOWN_ROWS, MAX_SHOWN_CELLS // width)


@dataclass(frozen=True, kw_only=True)
class History:
    """Boards of one benchmark as they were."""

    boards: Sequence[PastBoard] = ()
    """The latest first."""
    omitted: int = 0
    shallow: bool = False
    """Whether the repository that the site was built from lacks older commits."""

    def newest_change(self, phase: str) -> int | None:
        """Place of the latest point that can be read and differs, in ``phase`` if any does."""
        readable = [point for point in self.boards if point.data is not None]
        changed = [
            (past.data is not None and past.data["phase"] == phase, -place)
            for place, point in enumerate(readable)
            for past in (point, *point.others)
            if past.changed
        ]
        return -max(changed)[1] if changed else None


def past_boards(points: Sequence[tuple[Moment, Sequence[FormerData]]]) -> list[PastBoard]:
    """Put each board beside the one of its phase before it.

    Points come and go the oldest first; of each the board of the phase that was open, or was last,
    comes before those of the others. One that cannot be read has none.
    """
    result: list[PastBoard] = []
    last: dict[str, FormerData] = {}
    for point, boards in points:
        first, *others = [
            PastBoard(point=point, data=data, before=last.get(data["phase"])) for data in boards
        ] or [PastBoard(point=point, data=None, before=None)]
        result.append(replace(first, others=others))
        if boards:
            last = {data["phase"]: data for data in boards}
    return result


def name_of(row: FormerRow) -> str:
    return f"{row['participant']}/{row['submission']}"
