"""A board as Parquet: one line for each value, typed."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluator.board.leaderboard import Board, Row
from evaluator.board.moments import read_moment

if TYPE_CHECKING:
    import pyarrow as pa


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
    which = [number for number in range(count) for _ in keys]
    part = [number * wide + place for number in range(count) for place, _ in keys]
    columns = pa.array([key for _, key in keys], pa.string()).dictionary_encode()
    values, deviations = _values(rows, board, over_all, of_task)
    table = pa.table(
        {
            **_taken(_of_rows(board, rows), which),
            **_taken(_of_tasks(board, rows), part),
            "column": columns.take(pa.array(list(range(len(keys))) * count, pa.int32())),
            "value": pa.array(values or [None] * len(which), pa.float64()),
            "deviation": pa.array(deviations or [None] * len(which), pa.float64()),
        },
    )
    file = io.BytesIO()
    # Without Arrow's own schema text is text for every reader, however it is packed here.
    with pq.ParquetWriter(file, table.schema, compression="zstd", store_schema=False) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata(
            {
                "benchmark": board.benchmark.name,
                "phase": board.phase.slug,
                "commit": board.commit or "",
            }
        )
    return file.getvalue()


def _taken(columns: "dict[str, pa.Array]", lines: Sequence[int]) -> "dict[str, pa.Array]":
    import pyarrow as pa

    wanted = pa.array(lines, pa.int64())
    return {name: array.take(wanted) for name, array in columns.items()}


def _of_rows(board: Board, rows: Sequence[Row]) -> "dict[str, pa.Array]":
    import pyarrow as pa

    texts = {
        "participant": [row.submission.participant for row in rows],
        "submission": [row.submission.name for row in rows],
        "title": [row.submission.title for row in rows],
        "kind": [row.submission.kind for row in rows],
    }
    listed = len(board.rows)
    return {
        **{name: pa.array(text, pa.string()).dictionary_encode() for name, text in texts.items()},
        "submitted": pa.array(
            [read_moment(row.submitted) for row in rows], pa.timestamp("us", tz="UTC")
        ),
        "rank": pa.array([row.rank for row in rows], pa.int32()),
        "listed": pa.array([number < listed for number in range(len(rows))], pa.bool_()),
    }


def _of_tasks(board: Board, rows: Sequence[Row]) -> "dict[str, pa.Array]":
    """Return what is known of each row over all tasks, and then of it on each task."""
    import pyarrow as pa

    lines = []
    for row in rows:
        lines.append((None, row.state, row.counts, None, None, None, None))
        for task in board.tasks:
            one = row.tasks[task.slug]
            why = (one.error.actor.value, one.error.reason.value) if one.error else (None, None)
            lines.append(
                (task.slug, one.state, task.slug in row.counted, one.seconds, one.peak_memory, *why)
            )
    types = {
        "task": pa.string(), "status": pa.string(), "counts": pa.bool_(), "seconds": pa.float64(),
        "peak_memory": pa.int64(), "actor": pa.string(), "reason": pa.string(),
    }  # fmt: skip
    arrays = {
        name: pa.array([line[place] for line in lines], kind)
        for place, (name, kind) in enumerate(types.items())
    }
    return {
        name: array.dictionary_encode() if types[name] == pa.string() else array
        for name, array in arrays.items()
    }


def _values(
    rows: Sequence[Row], board: Board, over_all: Sequence[str], of_task: Sequence[str]
) -> tuple[list[float | None], list[float | None]]:
    values: list[float | None] = []
    deviations: list[float | None] = []
    for row in rows if board.columns else ():
        values += map(row.overall.get, over_all)
        deviations += [None] * len(over_all)
        for task in board.tasks:
            one = row.tasks[task.slug]
            found = one.values if one.state == "finished" else {}
            values += map(found.get, of_task)
            deviations += map((one.deviations if found else {}).get, of_task)
    return values, deviations
