"""A board as Parquet: one line for each value, typed."""

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from evaluator.core.clock import read_moment
from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import FINISHED, STATES

Lines = dict[str, Any]
"""Name of a column -> its values by row of the board."""
_TEXTS = (
    "participant", "submission", "title", "kind", "task", "status", "actor", "reason", "column",
)  # fmt: skip


def to_parquet(board: PublicBoard) -> bytes:
    """Return a board as it is published, in long form; the same board makes the same bytes.

    For each submission, those that are not listed included, there is a line for each column over
    all tasks, whose ``task`` is null, and a line for each task and column. Where a phase shows only
    whether a submission ran, ``column`` is null as well, and the lines tell the status.
    """
    import pyarrow as pa  # takes longer than most commands
    import pyarrow.parquet as pq

    rows = _rows(board)
    parts = [rows.assign(**lines) for lines in (*_over_all(board), *_on_tasks(board))]
    frame = pd.concat(parts).sort_index(kind="stable")  # by row, and then as they are above
    text = pa.dictionary(pa.int32(), pa.string())
    types = {
        **dict.fromkeys(_TEXTS, text),
        "submitted": pa.timestamp("us", tz="UTC"), "rank": pa.int32(), "listed": pa.bool_(),
        "counts": pa.bool_(), "peak_memory": pa.int64(),
        **dict.fromkeys(("seconds", "value", "deviation"), pa.float64()),
    }  # fmt: skip
    schema = pa.schema([(name, types[name]) for name in frame])
    table = pa.Table.from_pandas(frame, schema, preserve_index=False)
    file = io.BytesIO()
    # Without Arrow's own schema text is text for every reader, however it is packed here. Numbers
    # are nearly all different: a dictionary of them takes time and room.
    with pq.ParquetWriter(
        file, schema, compression="zstd", store_schema=False, use_dictionary=[*_TEXTS]
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


def _rows(board: PublicBoard) -> pd.DataFrame:
    rows = (*board.rows, *board.unlisted)
    moments = [read_moment(row.submitted) for row in rows]
    # In microseconds from the start: nanoseconds, pandas' own, hold no year after 2262.
    submitted = np.array([at and at.replace(tzinfo=None) for at in moments], "datetime64[us]")
    return pd.DataFrame(
        {
            "participant": pd.Categorical([row.submission.participant for row in rows]),
            "submission": pd.Categorical([row.submission.name for row in rows]),
            "title": pd.Categorical([row.submission.title for row in rows]),
            "kind": pd.Categorical([row.submission.kind_name for row in rows]),
            "submitted": pd.Series(submitted).dt.tz_localize("UTC"),
            "rank": pd.array([row.rank for row in rows], "Int32"),
            "listed": np.arange(len(rows)) < len(board.rows),
        }
    )


def _over_all(board: PublicBoard) -> Iterator[Lines]:
    rows = (*board.rows, *board.unlisted)
    nothing = np.full(len(rows), np.nan)
    keys: list[str | None] = [column.key for column in board.columns]
    for key in keys or [None]:
        yield {
            "task": _name(board, None),
            "status": _words([row.state for row in rows], STATES),
            "counts": np.array([row.counts for row in rows], np.bool_),
            "seconds": nothing,
            "peak_memory": pd.array(nothing, "Int64"),
            "actor": _words([None] * len(rows), Actor),
            "reason": _words([None] * len(rows), Reason),
            "column": _name(board, key),
            "value": nothing if key is None else board.overall[key],
            "deviation": nothing,
        }


def _on_tasks(board: PublicBoard) -> Iterator[Lines]:
    table = board.table
    rows = (*board.rows, *board.unlisted)
    nothing = np.full(len(rows), np.nan)
    keys = [column.key for column in board.task_columns]
    values = {key: table.finished(key) for key in keys}
    deviations = {
        key: np.where(table.states == FINISHED, grid, np.nan)
        for key, grid in table.deviations.items()
    }
    for place, task in enumerate(board.tasks):
        errors = [table.errors.get((place, row)) for row in range(len(rows))]
        on_task = {
            "task": _name(board, task.slug),
            "status": pd.Categorical.from_codes(table.states[place], pd.Index(STATES)),
            "counts": np.array([task.slug in row.counted for row in rows], np.bool_),
            "seconds": table.seconds[place],
            "peak_memory": pd.array(table.memory[place], "Int64"),
            "actor": _words([error.actor if error else None for error in errors], Actor),
            "reason": _words([error.reason if error else None for error in errors], Reason),
        }
        for key in keys if board.columns else [None]:
            yield {
                **on_task,
                "column": _name(board, key),
                "value": nothing if key is None else values[key][place],
                "deviation": deviations[key][place] if key in deviations else nothing,
            }


def _name(board: PublicBoard, name: str | None) -> pd.Categorical:
    names = dict.fromkeys(
        [*(task.slug for task in board.tasks), *(column.key for column in board.columns)]
    )
    return _words([name] * (len(board.rows) + len(board.unlisted)), names)


def _words(values: Sequence[str | None], words: Iterable[str]) -> pd.Categorical:
    """Return values, all among the words, so that those of all lines can be joined."""
    return pd.Categorical(list[Any](values), list(map(str, words)))
