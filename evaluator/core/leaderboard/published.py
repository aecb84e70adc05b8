"""A board as the public may see it: ranked by everything, showing what disclosure lets through."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import NewType

import numpy as np

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Record
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.board import Board, Row, on_table
from evaluator.core.leaderboard.table import Table
from evaluator.core.scores.redaction import (
    day_of,
    redact,
    redact_error,
    with_all_columns,
)

PublicBoard = NewType("PublicBoard", Board)
"""A board without anything that is hidden: what pages, files, figures and comments are made of.

``publish`` alone makes it; what takes a board for readers asks for this, and mypy for ``publish``.
"""


def publish(board: Board) -> PublicBoard:
    """Return the board without anything that is hidden.

    A hidden leaderboard keeps its submissions and their states, and neither values nor the order
    that they make.
    """
    benchmark = board.benchmark
    hidden = benchmark.leaderboard.hidden
    shown = {column.key for column in benchmark.leaderboard.columns if not column.hidden}
    table = _published_table(board.full_table, board)
    rows = [
        replace(
            row, table=table, rank=None if hidden else row.rank,
            overall={k: v for k, v in row.overall.items() if k in shown and not hidden},
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
        table = _without_times(table)
    return replace(
        table,
        values={key: grid for key, grid in table.values.items() if key in shown},
        deviations={key: grid for key, grid in table.deviations.items() if key in shown},
        errors={
            # In what is reported nothing is hidden; what shows only whether it ran has withheld it.
            place: redact_error(error, benchmark, board.phase)
            if table.recorded[place] and board.phase.shows != "status"
            else error
            for place, error in table.errors.items()
        },
        load_records=partial(_load_published, table, benchmark),
    )


def _without_times(table: Table) -> Table:
    """Return a table that does not say what a step took, which may be the score."""
    return replace(
        table,
        seconds=np.where(table.recorded, 0.0, np.nan),
        memory=np.full(table.memory.shape, np.nan),
        less={},
        lines={
            **table.lines,
            **dict.fromkeys(
                ("ingestion", "scoring", "ingestion_memory", "scoring_memory"),
                np.full(len(table.lines["task"]), np.nan),
            ),
            "scored": np.array([time and day_of(time) for time in table.lines["scored"]], object),
        },
    )  # fmt: skip


def _load_published(
    table: Table, benchmark: Benchmark, submission: Submission, task: str
) -> list[Record]:
    return [redact(record, benchmark) for record in table.load_records(submission, task)]


def publish_with_hidden(board: Board) -> PublicBoard:
    """Publish a board as if nothing were hidden, for an organiser's terminal alone.

    What a phase that shows only whether submissions ran leaves out stands in no record.
    """
    shown = with_all_columns(board.benchmark.leaderboard)
    return publish(replace(board, benchmark=replace(board.benchmark, leaderboard=shown)))


def with_logs(row: Row, benchmark: Benchmark, record: Callable[[CellId], Record | None]) -> Row:
    """Return a row of a published board whose records have their logs, as far as they are public.

    ``record`` reads a record with its logs; where it finds none the row's own stays.
    """
    loaded: dict[str, list[Record]] = {}

    def load(submission: Submission, task: str) -> list[Record]:
        if task not in loaded:
            records = row.table.load_records(submission, task)
            whole = (record(short.cell) for short in records)
            loaded[task] = [
                short if one is None else redact(one, benchmark)
                for short, one in zip(records, whole, strict=True)
            ]
        return loaded[task]

    return replace(row, table=replace(row.table, load_records=load))
