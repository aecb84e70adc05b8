"""A board before its benchmark was changed, so that no score changes silently.

Records remember what they replaced. From that the former board is made with the rules of the
present one, and compared with it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from evaluator.core.formats.cell import CellId
from evaluator.core.formats.columns import Column, Leaderboard
from evaluator.core.formats.record import Record
from evaluator.core.leaderboard.board import Board, Row, make_board
from evaluator.core.leaderboard.changes import BoardChange, compare_boards
from evaluator.core.leaderboard.published import PublicBoard, publish


@dataclass(frozen=True, kw_only=True)
class RescoredRow:
    """One submission before the change and now."""

    row: Row
    """As it is now."""
    before: Mapping[str, float]
    """Column key -> former value over all tasks."""
    rank_before: int | None
    rank: int | None
    """None where it is not listed now, or not finished."""

    @property
    def moved(self) -> int | None:
        """Places up; negative is down. None where it had or has no rank."""
        if self.rank is None or self.rank_before is None:
            return None
        return self.rank_before - self.rank


@dataclass(frozen=True, kw_only=True)
class Rescoring:
    """What the last change of a benchmark did to one board."""

    since: str
    """When the first submission was scored again, ISO time."""
    count: int
    """Submissions that were scored again."""
    columns: tuple[Column, ...]
    """The primary column, and others with changed values; none where columns are others now."""
    rows: tuple[RescoredRow, ...]
    """In the order of the present board, those that it no longer lists last."""


def rescoring(board: Board, *, stale: frozenset[CellId] = frozenset()) -> Rescoring | None:
    """Compare a board, as it was made, with the one before; None where nothing was scored again.

    A hidden leaderboard shows neither.
    """
    rows = (*board.rows, *board.unlisted)
    if not any(row.facts.has_earlier for row in rows):
        return None
    by_submission = {row.submission.id: _records(row) for row in rows}
    again = [
        record
        for records in by_submission.values()
        for record in records
        if record.earlier and record.cell.id not in stale
    ]
    if not again or board.benchmark.leaderboard.hidden or board.phase.shows == "status":
        return None
    since = min(record.provenance.started for record in again)
    former = {
        record.cell.id: was
        for records in by_submission.values()
        for record in records
        if (was := _former(record, records, stale, since)) is not None
    }
    before, now = _board_before(board, former), publish(board)
    return Rescoring(
        since=since,
        count=len({_submission(record.cell.id) for record in again}),
        columns=() if before is None else _columns(compare_boards(before, now)),
        rows=() if before is None else tuple(_rows(before, now)),
    )


def _records(row: Row) -> Sequence[Record]:
    return [record for result in row.tasks.values() for record in result.records]


def _former(
    record: Record, all_of_submission: Sequence[Record], stale: frozenset[CellId], since: str
) -> Record | None:
    """Return a record as it was before the change; None where there was none."""
    if record.cell.id in stale:
        # It waits to be scored again; what it says is from before, if it is older than the rest.
        return record if record.provenance.finished < since else None
    if record.earlier:
        return record.model_copy(
            update={"scores": record.earlier[-1].scores, "status": "finished", "error": None}
        )
    # Of a task that the change did not touch. Who entered after it has no earlier score at all.
    return record if any(other.earlier for other in all_of_submission) else None


def _board_before(board: Board, former: Mapping[CellId, Record]) -> PublicBoard | None:
    """Return the former board; None where the column that ranks was not there."""
    keys = set.intersection(*(set(r.scores) for r in former.values() if r.status == "finished"))
    leaderboard = _with_columns(board.benchmark.leaderboard, keys)
    if leaderboard is None:
        return None
    stood = {_submission(cell) for cell in former}
    return publish(
        make_board(
            replace(board.benchmark, leaderboard=leaderboard),
            board.phase,
            [r.submission for r in (*board.rows, *board.unlisted) if r.submission.id in stood],
            former,
            decisions=board.decisions,
        )
    )


def _columns(change: BoardChange) -> tuple[Column, ...]:
    changed = {item.column.key for row in change.rows for item in row.changes}
    return tuple(c for c in change.columns if c == change.primary or c.key in changed)


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
                rank=row.rank,
            )


def _submission(cell: CellId) -> str:
    return f"{cell.benchmark}/{cell.participant}/{cell.submission}"


def _with_columns(leaderboard: Leaderboard, keys: set[str]) -> Leaderboard | None:
    """Keep the columns of which there were scores; None where the primary one is not among them."""
    remaining = {key for key in leaderboard.score_keys if key in keys}
    remaining |= {
        c.key
        for c in leaderboard.columns
        if c.computation is not None and remaining >= {*c.operands}
    }
    remaining |= {
        c.key for c in leaderboard.columns if c.ranks is not None and remaining >= {*c.ranks.fields}
    }
    if leaderboard.primary.key not in remaining:
        return None
    return replace(leaderboard, columns=tuple(c for c in leaderboard.columns if c.key in remaining))
