"""What the prediction steps of each row took and cost, and the columns that show it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaluator.core.formats.columns import Column
from evaluator.core.formats.sums import total
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.facts import mean_prediction_seconds, prediction_seconds, time_title
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import Floats, Lines
from evaluator.site.content.insight import Prices

_MIB = 2**20


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What the runs of one row on tasks that count took."""

    seconds: float | None
    """Wall-clock time of predictions, the mean over tasks of the mean over repeats; None if that of
    one task is not known."""
    cost: float | None
    """Price of a run, the mean of all; None where that of a queue is not known."""
    memory: int | None
    """Bytes of the largest; None where one does not tell."""


def usage_by_row(board: PublicBoard, prices: Prices) -> list[Usage | None]:
    """What predictions took by row as in ``board.table``; None where one is not known."""
    by_place = {row.place: row for row in (*board.rows, *board.unlisted)}
    cells = _counted_cells(board)
    rows = len(board.table.submissions)
    row, seconds, memory = (cells[name] for name in ("submission", "ingestion", "ingestion_memory"))
    queues, queue = np.unique(cells["queue"].astype(np.str_), return_inverse=True)
    measured = cells["finished"] & ~np.isnan(seconds)
    runs = np.bincount(row, minlength=rows)
    tells = (runs > 0) & (runs == np.bincount(row[measured], minlength=rows))
    shape = (rows, len(queues))
    at = row * len(queues) + queue
    ran = np.bincount(at, minlength=rows * len(queues)).reshape(shape)
    by_queue = np.bincount(at, weights=seconds, minlength=rows * len(queues)).reshape(shape)
    largest = np.zeros(rows)
    np.maximum.at(largest, row, np.where(np.isnan(memory), np.inf, memory))

    def cost(place: int) -> float | None:
        used = {name: by_queue[place, number] for number, name in names if ran[place, number]}
        if not prices.per_hour.keys() >= used.keys():
            return None
        costs = [float(seconds) * prices.per_hour[name] / 3600 for name, seconds in used.items()]
        return total(costs) / int(runs[place])

    names = list(enumerate(queues.tolist()))
    return [
        Usage(
            seconds=mean_prediction_seconds(by_place[place], board),
            cost=cost(place),
            memory=None if np.isinf(largest[place]) else int(largest[place]),
        )
        if tells[place]
        else None
        for place in range(rows)
    ]


def _counted_cells(board: PublicBoard) -> Lines:
    """The lines of tasks that count for their row."""
    rows = (*board.rows, *board.unlisted)
    counts = np.array([[task.slug in row.counted for row in rows] for task in board.tasks])
    cells = board.table.cells
    if counts.all():
        return cells
    here = counts[cells["task"], cells["submission"]]
    return {name: column[here] for name, column in cells.items()}


@dataclass(frozen=True, kw_only=True)
class ResourceColumn:
    """One such column; less is better."""

    key: Literal["time", "memory", "cost"]
    title: str
    """With its unit."""
    superlative: str
    """What the row with the least of it is."""
    values: Floats
    """One for each row, the listed ones first; NaN where it is not known."""


def resource_columns(board: PublicBoard, prices: Prices) -> tuple[ResourceColumn, ...]:
    """The columns of which at least one row has a value."""
    if board.phase.shows == "status":
        return ()
    return tuple(one for one in _columns(board, prices) if not np.isnan(one.values).all())


def _columns(board: PublicBoard, prices: Prices) -> Iterator[ResourceColumn]:
    used = usage_by_row(board, prices)
    rows = [used[row.place] for row in (*board.rows, *board.unlisted)]

    def floats(value: Callable[[Usage], float | None]) -> Floats:
        return np.array([value(one) if one else None for one in rows], dtype=np.float64)

    yield ResourceColumn(
        key="time", title=time_title(board), superlative="Fastest",
        values=floats(lambda one: one.seconds and round(one.seconds, 3)),
    )  # fmt: skip
    yield ResourceColumn(
        key="memory", title="Memory (MiB)", superlative="Smallest",
        values=floats(lambda one: one.memory / _MIB if one.memory else None),
    )  # fmt: skip
    yield ResourceColumn(
        key="cost", title=f"Cost ({prices.currency})", superlative="Cheapest",
        values=floats(lambda one: one.cost),
    )  # fmt: skip


def prediction_times(row: Row, board: PublicBoard) -> dict[str, float]:
    """Seconds by task, the mean over repeats; without tasks of which one is not known."""
    times = prediction_seconds(board)[:, row.place].tolist()
    return {task.slug: took for task, took in zip(board.tasks, times, strict=False) if took == took}


def near_column(board: PublicBoard) -> Column | None:
    """The column whose values make ranks: a hundredth of a mean rank says nothing."""
    rules = board.benchmark.leaderboard
    for column in (rules.ranked_by, rules.primary):
        if (
            column in board.columns
            and not column.ranks
            and not np.isnan(board.overall[column.key]).all()
        ):
            return column
    return None
