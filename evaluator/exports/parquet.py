"""A board as Parquet: one line for each value, typed."""

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from evaluator.formats.record import CellError
from evaluator.leaderboard.board import Board, Row
from evaluator.leaderboard.cells import STATES
from evaluator.leaderboard.table import FINISHED, Floats, Table
from evaluator.leaderboard.times import read_moment

if TYPE_CHECKING:
    import pyarrow as pa

Places = npt.NDArray[np.int64]


def to_parquet(board: Board) -> bytes:
    """Return a published board in long form; the same board makes the same bytes.

    For each submission, those that are not listed included, there is a line for each column over
    all tasks, whose ``task`` is null, and a line for each task and column. Where a phase shows only
    whether a submission ran, ``column`` is null as well, and the lines tell the status.
    """
    import pyarrow as pa  # takes longer than most commands
    import pyarrow.parquet as pq

    rows = (*board.rows, *board.unlisted)
    over_all = [column.key for column in board.columns]
    of_task = [column.key for column in board.task_columns]
    keys: list[tuple[int, str | None]] = (
        [
            *((0, key) for key in over_all),
            *((place, key) for place in range(1, len(board.tasks) + 1) for key in of_task),
        ]
        if board.columns
        else [(place, None) for place in range(len(board.tasks) + 1)]
    )
    count, wide = len(rows), len(board.tasks) + 1
    places = np.array([place for place, _ in keys], dtype=np.int64)
    part = (np.arange(count)[:, None] * wide + places).ravel()
    words, codes = _codes([key for _, key in keys])
    values, deviations = _values(board, count, over_all, of_task)
    nothing = np.full(len(part), np.nan)
    table = pa.table(
        {
            **_of_rows(board, rows, len(keys)),
            **_of_tasks(board, rows, part),
            "column": _coded(words, np.tile(codes, count)),
            "value": _known(values if board.columns else nothing),
            "deviation": _known(deviations if board.columns else nothing),
        },
    )
    file = io.BytesIO()
    texts = [one.name for one in table.schema if pa.types.is_dictionary(one.type)]
    # Without Arrow's own schema text is text for every reader, however it is packed here. Numbers
    # are nearly all different: a dictionary of them takes time and room.
    with pq.ParquetWriter(
        file, table.schema, compression="zstd", store_schema=False, use_dictionary=texts
    ) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata(
            {
                "benchmark": board.benchmark.name,
                "phase": board.phase.slug,
                "commit": board.commit or "",
            }
        )
    return file.getvalue()


def _known(values: Floats) -> "pa.Array":
    """Return numbers with null in the place of NaN."""
    import pyarrow as pa

    return pa.array(values, pa.float64(), from_pandas=True)


def _codes(texts: Sequence[str | None]) -> tuple[list[str], Places]:
    """Return words, and of each text the place of its word; -1 for None."""
    words: dict[str, int] = {}
    codes = [-1 if text is None else words.setdefault(text, len(words)) for text in texts]
    return list(words), np.array(codes, dtype=np.int64)


def _coded(words: Sequence[str], codes: Places) -> "pa.Array":
    """Return the words at those places; null at places below 0."""
    import pyarrow as pa

    lines = pa.array(codes.astype(np.int32), pa.int32(), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(lines, pa.array(words, pa.string()))


def _of_rows(board: Board, rows: Sequence[Row], lines: int) -> "dict[str, pa.Array]":
    """Return what is known of each row, for so many lines."""
    import pyarrow as pa

    texts: dict[str, Sequence[str]] = {
        "participant": [row.submission.participant for row in rows],
        "submission": [row.submission.name for row in rows],
        "title": [row.submission.title for row in rows],
        "kind": [row.submission.kind_name for row in rows],
    }
    coded = {name: _codes(column) for name, column in texts.items()}
    submitted = pa.array([read_moment(row.submitted) for row in rows], pa.timestamp("us", tz="UTC"))
    ranks = pa.array([row.rank for row in rows], pa.int32())
    which = pa.array(np.repeat(np.arange(len(rows)), lines), pa.int64())
    return {
        **{name: _coded(words, np.repeat(codes, lines)) for name, (words, codes) in coded.items()},
        "submitted": submitted.take(which),
        "rank": ranks.take(which),
        "listed": pa.array(np.repeat(np.arange(len(rows)) < len(board.rows), lines)),
    }


def _of_tasks(board: Board, rows: Sequence[Row], lines: Places) -> "dict[str, pa.Array]":
    """Return what is known of each row over all tasks, and then of it on each task.

    ``lines`` are places among these.
    """
    import pyarrow as pa

    table = board.table
    slugs = [task.slug for task in board.tasks]
    wide = len(slugs) + 1
    states = np.empty((len(rows), wide), dtype=np.int64)
    states[:, 0] = [STATES.index(row.state) for row in rows]
    states[:, 1:] = table.states.T
    memory = _known(_after_none(table.memory)[lines])
    which = pa.array(lines, pa.int64())
    return {
        "task": _coded(slugs, lines % wide - 1),
        "status": _coded(STATES, states.ravel()[lines]),
        "counts": pa.array(_counts(rows, slugs).ravel()[lines]),
        "seconds": _known(_after_none(table.seconds)[lines]),
        "peak_memory": memory.cast(pa.int64()),
        "actor": _failures(table, lambda error: error.actor).take(which),
        "reason": _failures(table, lambda error: error.reason).take(which),
    }


def _counts(rows: Sequence[Row], slugs: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Tell of each row whether it counts, and then of each task whether it counts for the row."""
    counts = np.ones((len(rows), len(slugs) + 1), dtype=np.bool_)
    counts[:, 0] = [row.counts for row in rows]
    for place, row in enumerate(rows):
        if len(row.counted) < len(slugs):
            counts[place, 1:] = [slug in row.counted for slug in slugs]
    return counts


def _failures(table: Table, words: Callable[[CellError], str]) -> "pa.Array":
    """Return a word for each failure, row by row: after none of all tasks, task by task."""
    texts, codes = _codes([words(error) for error in table.errors.values()])
    grid = np.full((len(table.submissions), len(table.tasks) + 1), -1, dtype=np.int64)
    for (task, row), code in zip(table.errors, codes.tolist(), strict=True):
        grid[row, task + 1] = code
    return _coded(texts, grid.ravel())


def _after_none(values: Floats) -> Floats:
    """Return values of each row, by task and row, after one that is none."""
    return np.insert(values, 0, np.nan, axis=0).T.ravel()


def _values(
    board: Board, count: int, over_all: Sequence[str], of_task: Sequence[str]
) -> tuple[Floats, Floats]:
    """Return values and deviations, row by row: over all tasks, then task by task."""
    table = board.table
    tasks = range(len(board.tasks))
    none = np.full(count, np.nan)
    finished = np.where(table.states == FINISHED, 0.0, np.nan)
    scores = {key: table.finished(key) for key in of_task}
    values = [board.overall[key] for key in over_all]
    values += [scores[key][task] for task in tasks for key in of_task]
    known = {key: deviation + finished for key, deviation in table.deviations.items()}
    deviations = [none] * len(over_all)
    deviations += [known[key][task] if key in known else none for task in tasks for key in of_task]
    return np.array(values).T.ravel(), np.array(deviations).T.ravel()
