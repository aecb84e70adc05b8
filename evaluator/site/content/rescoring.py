"""A board before its benchmark was changed, so that no score changes silently.

Records remember what they replaced. From that the board before is made with the rules of the
present one, and compared with it.
"""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluator.core.formats.columns import Column, Leaderboard
from evaluator.core.leaderboard.board import Board, Row, rank
from evaluator.core.leaderboard.computed import add_computed
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.repeats import join_repeats
from evaluator.core.leaderboard.table import SCORE, Table, end_of


@dataclass(frozen=True, kw_only=True)
class RescoredRow:
    """One submission before the change and now."""

    row: Row
    before: Mapping[str, float]
    """Column key -> former value over all tasks."""
    rank_before: int | None

    @property
    def moved(self) -> int | None:
        """Places up; negative is down. None where it had or has no rank."""
        if self.row.rank is None or self.rank_before is None:
            return None
        return self.rank_before - self.row.rank


@dataclass(frozen=True, kw_only=True)
class Rescoring:
    """What the last change of a benchmark did to one board."""

    since: str
    """When the first submission was scored again, ISO time."""
    count: int
    columns: tuple[Column, ...]
    """The primary column, and others with changed values; none where columns are others now."""
    rows: tuple[RescoredRow, ...]
    """In the order of the present board, those that it no longer lists last."""


def rescoring(board: Board) -> Rescoring | None:
    """Compare a board with the one before; None where nothing was scored again, or is shown."""
    table = board.table
    cells = table.cells
    again = cells["has_earlier"] & ~cells["stale"]
    if not again.any() or board.benchmark.leaderboard.hidden or board.phase.shows == "status":
        return None
    since = min(cells["started"][again])
    before, now = _board_before(board, since), publish(board)
    return Rescoring(
        since=since.isoformat(),
        count=len(np.unique(cells["submission"][again])),
        columns=() if before is None else _columns(before, now),
        rows=() if before is None else tuple(_rows(before, now)),
    )


def _board_before(board: Board, since: dt.datetime) -> PublicBoard | None:
    table = board.table
    cells = _cells_before(table, since)
    finished = cells["finished"]
    keys = [
        name.removeprefix(SCORE) for name, column in cells.items()
        if name.startswith(SCORE) and not np.isnan(column[finished]).any()
    ]  # fmt: skip
    leaderboard = _with_columns(board.benchmark.leaderboard, set(keys))
    if leaderboard is None:
        return None
    grids = join_repeats(cells, len(table.submissions), table.repeats, table.at_once)
    add_computed(grids["values"], leaderboard.computed)
    before = replace(
        table, lines=cells, task_places=np.arange(len(table.tasks)),
        submission_places=np.arange(len(table.submissions)), errors={}, less={}, earlier={},
        **grids,
    )  # fmt: skip
    before = before.select(np.unique(cells["submission"]).tolist())
    benchmark = replace(board.benchmark, leaderboard=leaderboard)
    earlier = rank(benchmark, board.phase, board.tasks, before, decisions=board.decisions)
    return publish(earlier)


def _cells_before(table: Table, since: dt.datetime) -> dict[str, npt.NDArray[Any]]:
    cells = table.cells
    again = {*cells["submission"][cells["has_earlier"]].tolist()}
    ends = map(end_of, cells["started"], cells["took"].tolist())
    here = np.array(
        [
            # It waits to be scored again; what it says is from before, if it is older than the
            # rest. Who entered after a change has no earlier score at all.
            end < since if stale else submission in again
            for end, stale, submission in zip(
                ends, cells["stale"].tolist(), cells["submission"].tolist(), strict=True
            )
        ],
        np.bool_,
    )
    former = {name: column[here] for name, column in cells.items()}
    scored = former["has_earlier"] & ~former["stale"]
    former["finished"] = former["finished"] | scored
    former["failed"] = former["failed"] & ~scored
    former["stale"] = np.zeros(len(scored), np.bool_)
    for place in np.flatnonzero(scored).tolist():
        where = (former["task"].item(place), former["submission"].item(place))
        repeat = former["repeat"].item(place)
        *_, was = (one for number, one in table.earlier[where] if (number or 0) == repeat)
        for name in former:
            if name.startswith(SCORE):
                former[name][place] = was.scores.get(name.removeprefix(SCORE), np.nan)
    return former


def _columns(before: PublicBoard, now: PublicBoard) -> tuple[Column, ...]:
    former = {row.submission.id: row.overall for row in before.rows}
    both = [(former[i], row.overall) for row in now.rows if (i := row.submission.id) in former]
    primary = now.benchmark.leaderboard.primary.key
    return tuple(
        column for column in now.columns
        if column.key == primary or any(a.get(column.key) != b.get(column.key) for a, b in both)
    )  # fmt: skip


def _rows(before: PublicBoard, now: PublicBoard) -> Iterator[RescoredRow]:
    ranks = {row.submission.id: row.rank for row in before.rows}
    values = {row.submission.id: row.overall for row in (*before.rows, *before.unlisted)}
    keys = {column.key for column in now.columns}
    for row in (*now.rows, *now.unlisted):
        name = row.submission.id
        if name in values and (ranks.get(name) or row.rank):
            yield RescoredRow(
                row=row,
                before={key: value for key, value in values[name].items() if key in keys},
                rank_before=ranks.get(name),
            )


def _with_columns(leaderboard: Leaderboard, keys: set[str]) -> Leaderboard | None:
    remaining = {key for key in leaderboard.score_keys if key in keys}
    columns = leaderboard.columns
    remaining |= {c.key for c in columns if c.operands and remaining >= {*c.operands}}
    remaining |= {c.key for c in columns if c.ranks and remaining >= {*c.ranks.fields}}
    if leaderboard.primary.key not in remaining:
        return None
    return replace(leaderboard, columns=tuple(c for c in columns if c.key in remaining))
