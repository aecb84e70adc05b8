"""A board as the public may see it: ranked by everything, showing what disclosure lets through."""

import operator
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

import msgspec

from evaluator.formats.bundle import Benchmark
from evaluator.formats.outline import AnyRecord, OutlineStep
from evaluator.formats.record import Record, Step
from evaluator.leaderboard.board import Board, Row
from evaluator.leaderboard.cells import TaskResult
from evaluator.leaderboard.packed_tasks import PackedTasks
from evaluator.scores.redaction import (
    asked_extra,
    discloses_all,
    published_record,
    with_all_columns,
)


def published(board: Board) -> Board:
    """Return the board without anything that is hidden; of one that is published, the same.

    A hidden leaderboard keeps its submissions and their states, and neither values nor the order
    that they make. Rows and results in which nothing is hidden are the same objects.
    """
    if board.public:
        return board
    publish = Publisher(board.benchmark)
    if not board.benchmark.leaderboard.hidden:
        return replace(
            board,
            public=True,
            rows=tuple(publish.row(row) for row in board.rows),
            unlisted=tuple(publish.row(row) for row in board.unlisted),
        )
    rows = sorted((*board.rows, *board.unlisted), key=attrgetter("submission.id"))
    return replace(board, public=True, rows=tuple(map(publish.row, rows)), unlisted=())


def revealed(board: Board) -> Board:
    """Return the board as if nothing were hidden, for those whom it is not hidden from.

    What a phase that shows only whether submissions ran leaves out stands in no record.
    """
    shown = with_all_columns(board.benchmark.leaderboard)
    return replace(board, benchmark=replace(board.benchmark, leaderboard=shown))


class Publisher:
    """Publishes many rows of one benchmark; what does not change costs next to nothing."""

    def __init__(self, benchmark: Benchmark) -> None:
        self._benchmark = benchmark
        board = benchmark.leaderboard
        self._hidden = board.hidden
        self._shown = {c.key for c in board.columns if not c.hidden and not board.hidden}
        self._keys = frozenset(board.score_keys)
        self._tells_all: dict[str, bool] = {}

    def record(self, record: Record) -> Record:
        """Return a record with nothing in it that may not be said."""
        if not self._hidden and self._is_whole(record):
            return record
        return published_record(record, self._benchmark)

    def row(self, row: Row) -> Row:
        """Return a row with nothing in it that may not be said."""
        if self._is_known_whole(row):
            return row
        tasks = {slug: self._result(result) for slug, result in row.tasks.items()}
        variants = {slug: self._result(result) for slug, result in row.variants.items()}
        if (
            not self._hidden
            and row.overall.keys() <= self._shown
            and all(map(operator.is_, tasks.values(), row.tasks.values()))
            and all(map(operator.is_, variants.values(), row.variants.values()))
        ):
            return row
        return replace(
            row,
            rank=None if self._hidden else row.rank,
            overall={key: value for key, value in row.overall.items() if key in self._shown},
            tasks=tasks,
            variants=variants,
        )

    def _is_known_whole(self, row: Row) -> bool:
        """Whether nothing in a row is hidden, as far as that can be told without its records.

        It was told when the row was packed; since then, as on former boards, more may be hidden.
        """
        if not isinstance(row.tasks, PackedTasks) or not row.tasks.data or self._hidden:
            return False
        summary, shown = row.tasks.summary, self._shown
        return (
            self._tells(row.submission.phase)
            and not row.variants
            and not summary.has_earlier
            and row.overall.keys() <= shown
            and summary.values.keys() <= shown
            and summary.deviations.keys() <= shown
        )

    def _result(self, result: TaskResult) -> TaskResult:
        shown = self._shown
        whole = result.values.keys() <= shown and result.deviations.keys() <= shown
        if whole and all(map(self._is_whole, result.records)):
            return result
        records = tuple(published_record(record, self._benchmark) for record in result.records)
        return msgspec.structs.replace(
            result,
            values={key: value for key, value in result.values.items() if key in shown},
            deviations={key: value for key, value in result.deviations.items() if key in shown},
            # What is reported has no records, and nothing in it is hidden.
            error=next((record.error for record in records if record.error), None)
            if records
            else result.error,
            records=records,
        )

    def _is_whole(self, record: AnyRecord) -> bool:
        """Whether the record says nothing that may not be said."""
        return (
            self._tells(record.cell.phase)
            and record.scores.keys() <= self._keys
            and (not record.earlier or all(e.scores.keys() <= self._shown for e in record.earlier))
            and (not record.extra or asked_extra(record, self._benchmark) == record.extra)
            and _are_distinct(record.steps)
        )

    def _tells(self, phase: str) -> bool:
        if phase not in self._tells_all:
            self._tells_all[phase] = discloses_all(self._benchmark, phase)
        return self._tells_all[phase]


def _are_distinct(steps: Sequence[Step | OutlineStep]) -> bool:
    """Whether no step stands there twice, as only a record does that was made by hand."""
    return len(steps) < 2 or (len(steps) == 2 and steps[0].step != steps[1].step)
