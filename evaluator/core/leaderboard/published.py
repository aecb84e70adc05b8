"""A board as the public may see it: ranked by everything, showing what disclosure lets through."""

import functools
import weakref
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Generic, NewType, TypeVar

import numpy as np

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Attachment, Record
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.board import Board, on_table
from evaluator.core.leaderboard.table import EXTRA, SCORE, Lines, Table, end_of
from evaluator.core.scores.redaction import (
    day_of,
    redact,
    redact_earlier,
    redact_error,
    shows_scorer,
)

PublicBoard = NewType("PublicBoard", Board)
"""A board without anything that is hidden: what pages, files, figures and comments are made of.

``publish`` alone makes it; what takes a board for readers asks for this, and mypy for ``publish``.
"""
T = TypeVar("T")


class once_per_board(Generic[T]):  # noqa: N801 - a decorator
    """Keep what a function returns while that very board lives: boards have no hash."""

    def __init__(self, compute: Callable[[PublicBoard], T]) -> None:
        self._compute = compute
        self._values: dict[int, T] = {}
        functools.update_wrapper(self, compute)

    def __call__(self, board: PublicBoard) -> T:
        if id(board) not in self._values:
            self.store(board, self._compute(board))
        return self._values[id(board)]

    def store(self, board: PublicBoard, value: T) -> None:
        if id(board) not in self._values:
            weakref.finalize(board, self._values.pop, id(board), None)
        self._values[id(board)] = value


def publish(board: Board) -> PublicBoard:
    """What is public; a hidden board keeps states, and neither values nor their order."""
    benchmark = board.benchmark
    hidden = benchmark.leaderboard.hidden
    shown = {column.key for column in benchmark.leaderboard.columns if not column.hidden}
    table = _published_table(board.full_table, board)
    rows = [
        replace(
            row, table=table, rank=None if hidden else row.rank,
            overall={k: v for k, v in row.overall.items() if k in shown and not hidden},
            intervals=row.intervals and {
                k: v for k, v in row.intervals.items() if k in shown and not hidden
            },
        )
        for row in (*board.rows, *board.unlisted)
    ]  # fmt: skip
    if not hidden:
        listed = len(board.rows)
        return PublicBoard(
            replace(
                board, full_table=table, rows=tuple(rows[:listed]), unlisted=tuple(rows[listed:])
            )
        )
    ordered = on_table(table, sorted(rows, key=attrgetter("submission.id")))
    table = ordered[0].table if ordered else table
    return PublicBoard(replace(board, full_table=table, rows=ordered, unlisted=()))


def _published_table(table: Table, board: Board) -> Table:
    benchmark, rules = board.benchmark, board.benchmark.leaderboard
    shown = {c.key for c in rules.columns if not (c.hidden or rules.hidden)}
    if rules.hidden:
        # What a step took may be the score.
        seconds, memory = np.where(table.recorded, 0.0, np.nan), np.full(table.memory.shape, np.nan)
        table = replace(table, seconds=seconds, memory=memory, less={}, earlier={})
    return replace(
        table,
        lines=_published_lines(table.lines, shown, board),
        values={key: grid for key, grid in table.values.items() if key in shown},
        deviations={key: grid for key, grid in table.deviations.items() if key in shown},
        errors={
            # In what is reported nothing is hidden; what shows only whether it ran has withheld it.
            place: redact_error(error, benchmark, board.phase)
            if table.recorded[place] and board.phase.shows != "status"
            else error
            for place, error in table.errors.items()
        },
        earlier={
            place: [(repeat, redact_earlier(one, benchmark)) for repeat, one in items]
            for place, items in table.earlier.items()
        },
        load_records=partial(_load_published, table, benchmark),
    )


def _published_lines(lines: Lines, shown: Collection[str], board: Board) -> Lines:
    wanted = {
        name: column for name, column in lines.items()
        if not name.startswith((SCORE, EXTRA))
        or name.removeprefix(SCORE) in shown
        or (name.startswith(EXTRA) and shows_scorer(board.benchmark, board.phase))
    }  # fmt: skip
    if not board.benchmark.leaderboard.hidden:
        return wanted
    nothing = np.full(len(lines["task"]), np.nan)
    times = zip(lines["started"], lines["took"].tolist(), strict=True)
    return {
        **wanted,
        **dict.fromkeys(("ingestion", "scoring", "ingestion_memory", "scoring_memory"), nothing),
        "started": np.array([day_of(end_of(*one)) for one in times], np.object_),
        "took": np.zeros(len(nothing)),
        "has_earlier": np.zeros(len(nothing), np.bool_),
    }


def _load_published(
    table: Table, benchmark: Benchmark, submission: Submission, task: str
) -> list[Record]:
    return [redact(record, benchmark) for record in table.load_records(submission, task)]


def attachments(board: PublicBoard, suffix: str) -> dict[CellId, bytes]:
    """What scoring programs wrote, if it is public and what the record says."""
    records = (
        record
        for row in (*board.rows, *board.unlisted)
        if row.facts.has_attachments
        for result in row.tasks.values()
        for record in result.records
    )
    return read_attachments(board.table, records, suffix)


def read_attachments(table: Table, records: Iterable[Record], suffix: str) -> dict[CellId, bytes]:
    """The files beside records that are what these say."""
    wanted = {
        record.cell.attachment_path(suffix): record
        for record in records if suffix in record.attachments
    }  # fmt: skip
    return {
        wanted[path].cell: content
        for path, content in table.read_files(wanted).items()
        if Attachment.of(content) == wanted[path].attachments[suffix]
    }
