"""The numbers of a board for its page's scripts: 64-bit floats, deflated.

Static hosts compress text alone. First stand the lowest bytes of all numbers, then the next, and so
on: the upper ones of scores are much alike, so they take half the space that they would else.
"""

import zlib
from collections.abc import Iterable, Iterator

import numpy as np

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import Floats
from evaluator.site.resources import ResourceColumn
from evaluator.site.view_form import ViewBlock, ViewNumbers

_BYTES = "<f8"
Column = tuple[ViewBlock, Floats]
"""What it says of each row, and the numbers; NaN where there is none."""


def packed(file: str, columns: Iterable[Column]) -> tuple[ViewNumbers, bytes]:
    """Return what a file of columns holds, and its content.

    The first number is a stamp, which ``view.json`` repeats: readers who got two files of different
    boards notice. After it come the columns, one number for each row; NaN stands for none.
    """
    blocks = list(columns)
    content = np.array([numbers for _, numbers in blocks], dtype=_BYTES).tobytes()
    stamp = zlib.crc32(content)
    whole = np.array([stamp], dtype=_BYTES).tobytes() + content
    apart = np.frombuffer(whole, dtype=np.uint8).reshape(-1, 8).T.tobytes()
    described = ViewNumbers(file=file, stamp=stamp, columns=[about for about, _ in blocks])
    return described, zlib.compress(apart, level=6)


def scores(board: PublicBoard, resources: Iterable[ResourceColumn]) -> Iterator[Column]:
    """Yield what the board shows: values over all tasks, on each, deviations, and resources."""
    table = board.table
    finished = {column.key: table.finished(column.key) for column in board.task_columns}
    for column in board.columns:
        yield ViewBlock(of="overall", column=column.key, task=None), board.overall[column.key]
    for index in range(len(board.tasks)):
        for column in board.task_columns:
            values = finished[column.key][index]
            yield ViewBlock(of="scores", column=column.key, task=index), values
        for column in board.task_columns:
            deviations = table.deviations.get(column.key)
            if deviations is not None and not np.isnan(deviations[index]).all():
                yield ViewBlock(of="deviations", column=column.key, task=index), deviations[index]
    for one in resources:
        yield ViewBlock(of="resource", column=one.key, task=None), one.values


def usage(board: PublicBoard) -> Iterator[Column]:
    """Yield what each task took: wall-clock seconds, and bytes of memory at most.

    Seconds are to the millisecond: they are looked at, and rank nothing.
    """
    table = board.table
    for index in range(len(board.tasks)):
        seconds = table.seconds[index]
        with np.errstate(over="ignore"):
            rough = np.round(seconds, 3)
        rough = np.where(np.isinf(rough), seconds, rough)
        yield ViewBlock(of="seconds", column=None, task=index), rough
        yield ViewBlock(of="memory", column=None, task=index), table.memory[index]
