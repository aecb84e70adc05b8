"""A board as Parquet: one line for each value, typed."""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import FINISHED, STATES
from evaluator.site.content.events import read_moment

if TYPE_CHECKING:
    import pyarrow as pa

Values = npt.NDArray[Any]
"""By row of the board; of a text its place among the words of its column, -1 for none."""
_NUMBERS = ("seconds", "value", "deviation")


def to_parquet(board: PublicBoard) -> bytes:
    """A board as it is published, in long form; the same board makes the same bytes.

    For each submission, those that are not listed included, there is a line for each column over
    all tasks, whose ``task`` is null, and a line for each task and column. Where a phase shows only
    whether a submission ran, ``column`` is null as well, and the lines tell the status.
    """
    import pyarrow as pa  # takes longer than most commands
    import pyarrow.parquet as pq

    words = _words(board)
    lines = [*_over_all(board, words), *_on_tasks(board, words)]
    columns = {name: np.repeat(values, len(lines)) for name, values in _rows(board, words).items()}
    columns |= {name: np.stack([line[name] for line in lines], 1).ravel() for name in lines[0]}
    types = {
        "submitted": pa.timestamp("us", tz="UTC"), "rank": pa.int32(), "listed": pa.bool_(),
        "counts": pa.bool_(), "peak_memory": pa.int64(), **dict.fromkeys(_NUMBERS, pa.float64()),
    }  # fmt: skip
    arrays = {
        name: pa.DictionaryArray.from_arrays(
            _array(values, pa.int32(), values >= 0), _texts(words[name])
        )
        if name in words
        else _array(values, types[name], values == values)  # NaN is no value
        for name, values in columns.items()
    }
    table = pa.Table.from_arrays(list(arrays.values()), list(arrays))
    file = io.BytesIO()
    # Without Arrow's own schema text is text for every reader, however it is packed here. Numbers
    # are nearly all different: a dictionary of them takes time and room.
    with pq.ParquetWriter(
        file, table.schema, compression="zstd", store_schema=False, use_dictionary=[*words]
    ) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata(
            {
                "benchmark": board.benchmark.name,
                "title": board.benchmark.title,
                "phase": board.phase.slug,
                "commit": board.commit or "",
            }
        )
    return file.getvalue()


# Of buffers: to take others, pyarrow loads pandas, which takes longer than the whole file.
def _array(values: Values, kind: "pa.DataType", known: Values) -> "pa.Array":
    import pyarrow as pa

    numbers = np.where(known, values, np.zeros((), values.dtype))
    if kind == pa.bool_():
        numbers = np.packbits(numbers, bitorder="little")
    elif kind != pa.float64():
        numbers = numbers.astype(f"i{kind.bit_width // 8}")
    bits = np.packbits(known, bitorder="little")
    return pa.Array.from_buffers(kind, len(values), [pa.py_buffer(bits), pa.py_buffer(numbers)])


def _texts(texts: Sequence[str]) -> "pa.StringArray":
    import pyarrow as pa

    encoded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    parts = pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))
    return pa.StringArray.from_buffers(len(texts), *parts)


def _words(board: PublicBoard) -> dict[str, list[str]]:
    """Column of text -> all that may stand in it."""
    submissions = [row.submission for row in (*board.rows, *board.unlisted)]
    names = [*(task.slug for task in board.tasks), *(column.key for column in board.columns)]
    return {
        "participant": sorted({one.participant for one in submissions}),
        "submission": sorted({one.name for one in submissions}),
        "title": sorted({one.title for one in submissions}),
        "kind": sorted({one.kind_name for one in submissions}),
        "status": list(STATES),
        "actor": list(map(str, Actor)),
        "reason": list(map(str, Reason)),
        **{key: list(dict.fromkeys(names)) for key in ("task", "column")},
    }


def _places(texts: Iterable[str | None], words: Sequence[str]) -> Values:
    place_of = {word: place for place, word in enumerate(words)}
    return np.array([-1 if text is None else place_of[text] for text in texts], np.int32)


def _all(rows: Sequence[Row], text: str | None, words: Sequence[str]) -> Values:
    return np.full(len(rows), -1 if text is None else words.index(text), np.int32)


def _rows(board: PublicBoard, words: Mapping[str, Sequence[str]]) -> dict[str, Values]:
    rows = (*board.rows, *board.unlisted)
    submissions = [row.submission for row in rows]
    moments = [read_moment(row.submitted) for row in rows]
    # In microseconds: nanoseconds hold no year after 2262.
    submitted = np.array([at and at.replace(tzinfo=None) for at in moments], "datetime64[us]")
    return {
        "participant": _places((one.participant for one in submissions), words["participant"]),
        "submission": _places((one.name for one in submissions), words["submission"]),
        "title": _places((one.title for one in submissions), words["title"]),
        "kind": _places((one.kind_name for one in submissions), words["kind"]),
        "submitted": submitted,
        "rank": np.array([row.rank for row in rows], np.float64),
        "listed": np.arange(len(rows)) < len(board.rows),
    }


def _over_all(
    board: PublicBoard, words: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, Values]]:
    rows = (*board.rows, *board.unlisted)
    nothing, none = np.full(len(rows), np.nan), np.full(len(rows), -1, np.int32)
    keys: list[str | None] = [column.key for column in board.columns]
    for key in keys or [None]:
        yield {
            "task": none,
            "status": _places((row.state for row in rows), words["status"]),
            "counts": np.array([row.counts for row in rows], np.bool_),
            "seconds": nothing,
            "peak_memory": nothing,
            "actor": none,
            "reason": none,
            "column": _all(rows, key, words["column"]),
            "value": nothing if key is None else board.overall[key],
            "deviation": nothing,
        }


def _on_tasks(
    board: PublicBoard, words: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, Values]]:
    table = board.table
    rows = (*board.rows, *board.unlisted)
    nothing = np.full(len(rows), np.nan)
    actors, reasons = np.full((2, *table.states.shape), -1, np.int32)
    for cell, error in table.errors.items():
        actors[cell] = words["actor"].index(error.actor)
        reasons[cell] = words["reason"].index(error.reason)
    keys = [column.key for column in board.task_columns]
    values = {key: table.finished(key) for key in keys}
    deviations = {
        key: np.where(table.states == FINISHED, grid, np.nan)
        for key, grid in table.deviations.items()
    }
    for place, task in enumerate(board.tasks):
        on_task = {
            "task": _all(rows, task.slug, words["task"]),
            "status": table.states[place].astype(np.int32),
            "counts": np.array([task.slug in row.counted for row in rows], np.bool_),
            "seconds": table.seconds[place],
            "peak_memory": table.memory[place],
            "actor": actors[place],
            "reason": reasons[place],
        }
        for key in keys if board.columns else [None]:
            yield {
                **on_task,
                "column": _all(rows, key, words["column"]),
                "value": nothing if key is None else values[key][place],
                "deviation": deviations[key][place] if key in deviations else nothing,
            }
