"""Numbers of a board's view, in files of their own: first those that a page begins with."""

import zlib
from collections.abc import Iterable, Iterator

import numpy as np

from evaluator.core.leaderboard.facts import prediction_seconds
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import Floats
from evaluator.site.boards.board_columns import value_range
from evaluator.site.boards.usage import ResourceColumn
from evaluator.site.boards.view_schema import ViewBlock, ViewNumbers

STATIC_CELLS = 6000
"""A board of no more cells is whole in its page; what is larger stands there in part."""
FIRST_CELLS = 1000
"""Cells of that part, at least ``FIRST_ROWS`` rows: the page is light, and its first paint fast."""
FIRST_ROWS = 10
FIRST_NUMBERS = 3000
"""Of its first rows, with which a page begins: some screens, some 20 kB."""
_BYTES = "<f8"
Column = tuple[ViewBlock, Floats]
"""What it says of each row, and the numbers; NaN where there is none."""


def static_rows(board: PublicBoard) -> int:
    width = 2 + len(board.columns) + len(board.task_columns) * len(board.tasks)
    if len(board.rows) * width <= STATIC_CELLS:
        return len(board.rows)
    return max(FIRST_ROWS, FIRST_CELLS // width)


def number_files(
    board: PublicBoard, resources: Iterable[ResourceColumn]
) -> Iterator[tuple[ViewNumbers, bytes]]:
    """Yield the first rows' numbers, then all: readers get what they see first."""
    rows, rules = len(board.rows) + len(board.unlisted), board.benchmark.leaderboard
    parts = {"": list(_overall(board, resources))}
    parts |= {column.key: list(_on_tasks(board, column.key)) for column in board.task_columns}
    columns = [column for part in parts.values() for column in part]
    if rows * len(columns) <= STATIC_CELLS:
        yield packed("first.bin", columns, rows)
    else:
        first = parts[""] + parts.get((rules.ranked_by or rules.primary).key, [])
        ascending = {column.key for column in board.columns if column.sorting == "asc"}
        for block, numbers in first:
            if block["of"] in ("overall", "scores"):
                good = -numbers if block["column"] in ascending else numbers
                block["range"] = value_range(good[: len(board.rows)])
        yield packed("first.bin", first, min(rows, max(FIRST_ROWS, FIRST_NUMBERS // len(first))))
        for place, part in enumerate(parts.values()):
            yield packed(f"scores-{place}.bin", part, rows)
    yield packed("usage.bin", _usage(board), rows)


def packed(file: str, columns: Iterable[Column], rows: int) -> tuple[ViewNumbers, bytes]:
    """A file of columns of the first rows: a stamp, as in ``view.json``, then numbers."""
    blocks = list(columns)
    content = np.array([numbers[:rows] for _, numbers in blocks], dtype=_BYTES).tobytes()
    stamp = zlib.crc32(content)
    whole = np.array([stamp], dtype=_BYTES).tobytes() + content
    apart = np.frombuffer(whole, dtype=np.uint8).reshape(-1, 8).T.tobytes()
    described = ViewNumbers(
        file=file, stamp=stamp, rows=rows, columns=[about for about, _ in blocks]
    )
    return described, zlib.compress(apart, level=6)


def _overall(board: PublicBoard, resources: Iterable[ResourceColumn]) -> Iterator[Column]:
    for column in board.columns:
        block = ViewBlock(of="overall", column=column.key, task=None)
        yield block, board.overall[column.key]
        if column.derived:
            rows = (*board.rows, *board.unlisted)
            ends = [row.intervals.get(column.key, (np.nan, np.nan)) for row in rows]
            low, high = np.array(ends, np.float64).reshape(-1, 2).T
            yield ViewBlock(of="low", column=column.key, task=None), low
            yield ViewBlock(of="high", column=column.key, task=None), high
    for one in resources:
        yield ViewBlock(of="resource", column=one.key, task=None), one.values


def _on_tasks(board: PublicBoard, key: str) -> Iterator[Column]:
    deviations = board.table.deviations.get(key)
    for index, values in enumerate(board.table.finished(key)):
        yield ViewBlock(of="scores", column=key, task=index), values
        if deviations is not None and not np.isnan(deviations[index]).all():
            block = ViewBlock(of="deviations", column=key, task=index)
            yield block, deviations[index]


def _usage(board: PublicBoard) -> Iterator[Column]:
    """Yield seconds of each task's predictions, to the millisecond, and most bytes of memory."""
    for index in range(len(board.tasks)):
        seconds = prediction_seconds(board)[index]
        with np.errstate(over="ignore"):
            rough = np.round(seconds, 3)
        rough = np.where(np.isinf(rough), seconds, rough)
        yield ViewBlock(of="seconds", column=None, task=index), rough
        yield ViewBlock(of="memory", column=None, task=index), board.table.memory[index]
