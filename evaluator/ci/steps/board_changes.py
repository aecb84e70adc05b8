"""Two boards -> what happens between them: who enters, who moves, whose values change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard


@dataclass(frozen=True, kw_only=True)
class RowChange:
    """A row of the later board, with what it was before."""

    row: Row
    before: Row | None
    """None for a row that the earlier board did not list."""
    same_rank: Sequence[str]
    """Ids of all submissions of its rank, its own among them, in the order of the board; one list
    for all of them, for they may be all of a large board."""
    changes: Mapping[str, tuple[float | None, float | None]]
    """By visible column whose value over all tasks is another one: what it was, and is; None where
    there is none. Empty for a new row."""

    @property
    def new(self) -> bool:
        return self.before is None

    @property
    def rank(self) -> int | None:
        return self.row.rank

    @property
    def rank_before(self) -> int | None:
        return self.before.rank if self.before else None

    @property
    def state_before(self) -> str | None:
        return self.before.state if self.before else None

    @property
    def tied_with(self) -> tuple[str, ...]:
        """Ids of the others of its rank, in the order of the board."""
        return tuple(name for name in self.same_rank if name != self.row.submission.id)

    @property
    def moved(self) -> int | None:
        """Places up; negative is down. None where it had or has no rank."""
        if self.rank is None or self.rank_before is None:
            return None
        return self.rank_before - self.rank


@dataclass(frozen=True, kw_only=True)
class Departure:
    """A row of the earlier board that the later one does not list."""

    row: Row
    """As it was."""
    why: Literal["rule", "gone"]
    """``rule``: the submission rule now lists another of the participant's; ``gone``: it is
    withdrawn or removed."""


@dataclass(frozen=True, kw_only=True)
class BoardChange:
    """One board as it would be, beside what it is."""

    before: PublicBoard | None
    after: PublicBoard
    rows: tuple[RowChange, ...]
    """All rows of the later board, in its order."""
    dropped: tuple[Departure, ...]
    """In the order of the earlier board."""
    set_aside: tuple[Row, ...]
    """New submissions that the submission rule does not list, in the order of their values."""

    @property
    def hidden(self) -> bool:
        """Whether nothing of it may be said: what a pull request proposes opens nothing."""
        return any(board.benchmark.leaderboard.hidden for board in self._boards)

    @property
    def columns(self) -> tuple[Column, ...]:
        """Columns that may be shown: hidden neither before nor after."""
        hidden = {c.key for b in self._boards for c in b.benchmark.leaderboard.columns if c.hidden}
        return tuple(column for column in self.after.columns if column.key not in hidden)

    @property
    def primary(self) -> Column | None:
        """The column that decides first; None where it is hidden."""
        key = self.after.benchmark.leaderboard.primary.key
        return next((column for column in self.columns if column.key == key), None)

    @property
    def changed(self) -> bool:
        """Whether anybody's place, value or presence is another one."""
        return bool(self.dropped or self.set_aside) or any(
            row.new
            or row.changes
            or row.rank != row.rank_before
            or (self.after.phase.shows == "status" and row.state_before != row.row.state)
            for row in self.rows
        )

    @property
    def _boards(self) -> tuple[PublicBoard, ...]:
        return (self.after,) if self.before is None else (self.before, self.after)


def compare_boards(before: PublicBoard | None, after: PublicBoard) -> BoardChange:
    earlier = {row.submission.id: row for row in before.rows} if before else {}
    listed = {row.submission.id for row in after.rows}
    unlisted = {row.submission.id for row in after.unlisted}
    earlier_ids = set(earlier) | {row.submission.id for row in (before.unlisted if before else ())}
    ties: dict[int, list[str]] = {}
    for row in after.rows:
        if row.rank is not None:
            ties.setdefault(row.rank, []).append(row.submission.id)
    dropped = tuple(
        Departure(row=row, why="rule" if name in unlisted else "gone")
        for name, row in earlier.items()
        if name not in listed
    )
    new = tuple(row for row in after.unlisted if row.submission.id not in earlier_ids)
    change = BoardChange(before=before, after=after, rows=(), dropped=dropped, set_aside=new)
    rows = []
    for row in after.rows:
        was = earlier.get(row.submission.id)
        changes = _changes(was, row, change.columns) if was else {}
        same_rank = ties[row.rank] if row.rank is not None else ()
        rows.append(RowChange(row=row, before=was, same_rank=same_rank, changes=changes))
    return replace(change, rows=tuple(rows))


def _changes(
    before: Row, after: Row, columns: Sequence[Column]
) -> dict[str, tuple[float | None, float | None]]:
    """Values are compared exactly: the same record gives the same bits."""
    pairs = {c.key: (before.overall.get(c.key), after.overall.get(c.key)) for c in columns}
    return {key: (was, now) for key, (was, now) in pairs.items() if was != now}
