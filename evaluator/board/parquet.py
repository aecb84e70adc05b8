"""A board as Parquet: one line for each value, typed."""

import io
import multiprocessing
import sys
from collections.abc import Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from evaluator.board.arrays import STATES, Floats, arrays
from evaluator.board.leaderboard import Board, Row
from evaluator.board.moments import read_moment

if TYPE_CHECKING:
    import pyarrow as pa

Places = npt.NDArray[np.int64]


def to_parquet(board: Board) -> bytes:
    """Return a published board in long form; the same board makes the same bytes.

    For each submission, those that are not listed included, there is a line for each column over
    all tasks, whose ``task`` is null, and a line for each task and column. Where a phase shows only
    whether a submission ran, ``column`` is null as well, and the lines tell the status.
    """
    if multiprocessing.parent_process() is not None:
        _forgo_pandas()  # this process makes files and ends
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
    which = np.repeat(np.arange(count), len(keys))
    places = np.array([place for place, _ in keys], dtype=np.int64)
    part = (np.arange(count)[:, None] * wide + places).ravel()
    columns = pa.array([key for _, key in keys], pa.string()).dictionary_encode()
    values, deviations = _values(board, count, over_all, of_task)
    nothing = np.full(len(which), np.nan)
    table = pa.table(
        {
            **_taken(_of_rows(board, rows), which),
            **_taken(_of_tasks(board, rows), part),
            "column": columns.take(pa.array(np.tile(np.arange(len(keys)), count), pa.int32())),
            "value": _known(values if board.columns else nothing),
            "deviation": _known(deviations if board.columns else nothing),
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


class _WithoutPandas(MetaPathFinder):
    """Does not find pandas, which pyarrow loads to see that values are none of its own."""

    def find_spec(self, fullname: str, *_: object) -> None:
        """Refuse one module. Raises ModuleNotFoundError."""
        if fullname == "pandas":
            raise ModuleNotFoundError(f"no module named {fullname!r} is wanted", name=fullname)


@cache
def _forgo_pandas() -> None:
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, _WithoutPandas())


def _known(values: Floats) -> "pa.Array":
    """Return numbers with null in the place of NaN."""
    import pyarrow as pa

    return pa.array(values, pa.float64(), from_pandas=True)


def _taken(columns: "dict[str, pa.Array]", lines: Places) -> "dict[str, pa.Array]":
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

    made = arrays(board)
    slugs = [task.slug for task in board.tasks]
    states = np.empty((len(rows), len(slugs) + 1), dtype=np.int64)
    states[:, 0] = [STATES.index(row.state) for row in rows]
    states[:, 1:] = made.states.T
    counts = [flag for row in rows for flag in (row.counts, *(s in row.counted for s in slugs))]
    memory = pa.array(_after_none(made.memory), pa.float64(), from_pandas=True)
    actors: list[str | None] = [None] * states.size
    reasons: list[str | None] = [None] * states.size
    for number, task in np.argwhere(made.states.T).tolist():
        failure = rows[number].summary.failures.get(task)
        if failure:
            line = number * (len(slugs) + 1) + task + 1
            actors[line], reasons[line] = failure[:2]
    named = np.tile(np.arange(-1, len(slugs)), len(rows))
    return {
        "task": _texts(slugs, named),
        "status": _texts(STATES, states.ravel()),
        "counts": pa.array(counts, pa.bool_()),
        "seconds": _known(_after_none(made.seconds)),
        "peak_memory": memory.cast(pa.int64()),
        "actor": pa.array(actors, pa.string()).dictionary_encode(),
        "reason": pa.array(reasons, pa.string()).dictionary_encode(),
    }


def _texts(words: Sequence[str], places: Places) -> "pa.Array":
    """Return the words at those places; null at places below 0."""
    import pyarrow as pa

    lines = pa.array(places, pa.int32(), mask=places < 0)
    return pa.array(words, pa.string()).take(lines).dictionary_encode()


def _after_none(values: Floats) -> Floats:
    """Return values of each row, by task and row, after one that is none."""
    return np.insert(values, 0, np.nan, axis=0).T.ravel()


def _values(
    board: Board, count: int, over_all: Sequence[str], of_task: Sequence[str]
) -> tuple[Floats, Floats]:
    """Return values and deviations, row by row: over all tasks, then task by task."""
    made = arrays(board)
    tasks = range(len(board.tasks))
    none = np.full(count, np.nan)
    finished = np.where(made.states == 0, 0.0, np.nan)
    values = [made.overall[key] for key in over_all]
    values += [made.scores[key][task] for task in tasks for key in of_task]
    known = {key: found + finished for key, found in made.deviations.items()}
    deviations = [none] * len(over_all)
    deviations += [known[key][task] if key in known else none for task in tasks for key in of_task]
    return np.array(values).T.ravel(), np.array(deviations).T.ravel()
